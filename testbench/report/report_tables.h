// SPDX-License-Identifier: Apache-2.0
// Parts of report.json as tables for people.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include "testbench/figures/figures.h"

namespace isbesim::testbench {

struct report_table {
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows; ///< cells after the first are right-aligned
};

/// The explanation of one figure of a table.
struct figure_note {
    std::string name;
    std::string unit;
    std::string description;
};

struct report_section {
    std::string title;
    std::string covers; ///< what the numbers count, and between which events
    report_table table;
    std::vector<figure_note> notes{}; ///< not in the summary
};

/// A value for a cell: integers and large numbers in full, other numbers to four digits.
std::string cell_text(const boost::json::value& value);
/// {a: 1, b: 2} -> rows "a 1", "b 2".
report_table pair_table(const boost::json::object& object, const char* first, const char* second);
/// [{a: 1}, {a: 2}] -> a row each.
report_table list_table(const boost::json::array& array);
/// Adds {a: {b: 1}} as a row "<prefix>a.b 1".
void flatten(const boost::json::object& object, const std::string& prefix, report_table& table);
/// The machine's ISBE and clock: all components of a run without a draw.
report_table isbe_table(const boost::json::object& config);
/// The figures of the instances, one row per figure and one column per instance.
report_table instance_table(const boost::json::array& array);
/// The table of a section: a row per opcode, direction, ... when each has several figures, else one per figure.
report_table figure_table(const boost::json::object& values, const figure_section& section);
/// A row per resource: its cycles, then its parts in words.
report_table stack_table(const boost::json::object& stacks);
/// A row per distribution, with its bins in words.
report_table histogram_table(const boost::json::object& histograms);
/// take(name, bins) for each distribution, nested ones by dotted names.
void for_each_histogram(const boost::json::object& histograms,
                        const std::function<void(const std::string& name, const boost::json::array& bins)>& take);
/// A row per part, the longest first.
report_table path_table(const boost::json::object& path);

/// "vertex 0x0008 ALD ...": an instruction of a profile.
std::string line_name(const std::string& stage, const boost::json::object& line);
/// Cycles of its warps between their previous issue and this one.
std::uint64_t lost_cycles(const boost::json::object& line);
/// True if a scenario's listing gives the sources of instructions.
bool has_sources(const boost::json::object& profile);
/// A row per source line, those that lost most cycles first.
report_table source_table(const boost::json::object& profile);
/// A row per instruction, in the same order.
report_table profile_table(const boost::json::object& profile);
/// Explains its columns.
std::string profile_covers();

/// Explains the figures of a section.
std::vector<figure_note> figure_notes(const std::string& section);

/// The sections of figures of `report` that pages show, in the order of the pages.
std::vector<report_section> figure_page_sections(const boost::json::object& report);

} // namespace isbesim::testbench

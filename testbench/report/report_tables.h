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

/// What one figure of a table is.
struct figure_note {
    std::string name;
    std::string unit;
    std::string description;
};

struct report_section {
    std::string title;
    std::string covers; ///< what the numbers count, from where to where
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
/// The ISBE of the machine and its clock: all that takes part where there is no draw.
report_table isbe_table(const boost::json::object& config);
/// The figures of the instances, one row per figure and one column per instance.
report_table instance_table(const boost::json::array& array);
/// The table of a section: a row per opcode, direction, ... when each has several figures, else one per figure.
report_table figure_table(const boost::json::object& values, const figure_section& section);
/// A row per resource: cycles, then its parts in words.
report_table stack_table(const boost::json::object& stacks);
/// A row per distribution: its bins in words.
report_table histogram_table(const boost::json::object& histograms);
/// take(name, bins) for each distribution, nested ones by dotted names.
void each_histogram(const boost::json::object& histograms,
                    const std::function<void(const std::string& name, const boost::json::array& bins)>& take);
/// A row per part, the longest first.
report_table path_table(const boost::json::object& path);

/// "vertex 0x0008 ALD ...": an instruction of a profile.
std::string line_name(const std::string& stage, const boost::json::object& line);
/// Cycles of its warps between the issue before and its own.
std::uint64_t lost_cycles(const boost::json::object& line);
/// A scenario's listing says where instructions are from.
bool has_sources(const boost::json::object& profile);
/// A row per line of the sources, the most cycles lost first.
report_table source_table(const boost::json::object& profile);
/// A row per instruction, the same.
report_table profile_table(const boost::json::object& profile);
/// What its columns are.
std::string profile_covers();

/// What the figures of a section are.
std::vector<figure_note> figure_notes(const std::string& section);

/// The sections of figures that `report` has and pages show, in their order there.
std::vector<report_section> figure_page_sections(const boost::json::object& report);

} // namespace isbesim::testbench

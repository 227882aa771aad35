// SPDX-License-Identifier: Apache-2.0
// Parts of report.json that `run`, `replay` and `crosscheck` have in common.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include <boost/json/object.hpp>

#include "models/figures/instance_counters.h"

namespace isbesim::testbench {

inline constexpr unsigned program_opcodes = opcode_count - 1; ///< all but the last, BIND, which no instruction encodes
static_assert(static_cast<unsigned>(opcode::bind) == program_opcodes);

/// The scope of a report's figures, and the names of their ranges.
struct report_scope {
    const instance_counters& counters;
    figure_scope over;
    unsigned opcodes = program_opcodes;
    std::vector<stage> stages;
    bool isbe_cycles = true; ///< include the figures that only ISBEs with cycles measure
    bool sm_cycles = true;
    bool at_once = true;    ///< include the figures of all instances at one time
    bool all_names = false; ///< include figures that are not shown: counts as 0, others as null

    bool has(const figure& f) const
    {
        if (!at_once && f.merge == merge_rule::at_once) return false;
        return (isbe_cycles || f.measured != measured_by::isbe_cycles) &&
               (sm_cycles || f.measured != measured_by::sm_cycles);
    }
};

/// The figures of one section (testbench/figures/figures.h) as an object. `stated`: figures that the run supplies
/// itself or that replace those of the counters, by their paths in the section.
boost::json::object section_json(const char* section, const report_scope& scope,
                                 const boost::json::object& stated = {});
/// Sets the value at a dotted path.
void put(boost::json::object& object, const std::string& path, boost::json::value value);
/// The figures of an account that is a section of its own.
template <typename Account>
boost::json::object account_json(const std::vector<statistic<Account>>& figures, const Account& account)
{
    boost::json::object result;
    for (const auto& f : figures)
        if (!f.shown || f.shown(account, 0))
            std::visit([&](auto number) { put(result, f.path, number); }, f.value(account, {}, 0));
    return result;
}
/// The value at a dotted path, or null.
const boost::json::value* value_at(const boost::json::object& object, std::string_view path);
/// Adds every number in `value` by its dotted name, which begins with `name`.
void add_figures(const boost::json::value& value, const std::string& name, boost::json::object& figures);
/// Figures of a whole report by their dotted names, without the host's.
boost::json::object figures_of(const boost::json::object& report);
/// Speed as `operations` of the ISBEs' ports in `wall_s` seconds, and peak memory of the process.
boost::json::object host_json(std::uint64_t operations, double wall_s);

/// The `covers` texts of sections that depend on the run.
/// `trace`: without the series of SMs and PE.
std::string series_covers(bool trace);
/// `peak`: bytes per cycle and ISBE.
std::string bandwidth_covers(double peak);

} // namespace isbesim::testbench

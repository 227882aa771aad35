// SPDX-License-Identifier: Apache-2.0
// Parts of report.json that `run`, `replay` and `crosscheck` have in common.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "models/figures/instance_counters.h"
#include "testbench/rtl/lockstep.h"

namespace isbesim::testbench {

inline constexpr unsigned program_opcodes = opcode_count - 1; ///< all but BIND, the last, which no instruction encodes
static_assert(static_cast<unsigned>(opcode::bind) == program_opcodes);

/// What the figures of a report are of, and which names their ranges have there.
struct report_scope {
    const instance_counters& counters;
    figure_scope over;
    unsigned opcodes = program_opcodes;
    std::vector<stage> stages;
    bool isbe_cycles = true; ///< figures that only these measure are there
    bool sm_cycles = true;
    bool part_of_run = false; ///< always the same names, and none of what only the whole run knows

    bool has(const figure& f) const
    {
        if (part_of_run && f.merge == merge_rule::at_once) return false;
        return (isbe_cycles || f.measured != measured_by::isbe_cycles) &&
               (sm_cycles || f.measured != measured_by::sm_cycles);
    }
};

/// The figures of one section (testbench/figures/figures.h) as an object. What the run states itself, and what it knows
/// better than the counters, is in `stated` by its path in the section.
boost::json::object section_json(const char* section, const report_scope& scope,
                                 const boost::json::object& stated = {});
boost::json::object crosscheck_json(const lockstep_totals& totals);
/// The value at a dotted path, or null.
const boost::json::value* value_at(const boost::json::object& object, std::string_view path);
/// Adds every number in `value` by its dotted name, which begins with `name`.
void add_figures(const boost::json::value& value, const std::string& name, boost::json::object& figures);
/// Figures of a whole report by their dotted names, without those of the host.
boost::json::object figures_of(const boost::json::object& report);
/// `operations` of the ISBEs' ports in `wall_s` seconds, and the memory that the process ever had.
boost::json::object host_json(std::uint64_t operations, double wall_s);

/// What these figures cover, in words.
extern const char* const histograms_cover;
extern const char* const conflicts_cover;
extern const char* const discarded_cover;
extern const char* const host_covers;
/// `trace`: without what SMs and PE have.
std::string series_covers(bool trace);
/// `peak`: bytes per cycle and ISBE.
std::string bandwidth_covers(double peak);

} // namespace isbesim::testbench

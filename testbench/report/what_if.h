// SPDX-License-Identifier: Apache-2.0
// `what_if` of report.json: the draw's cycles on machines that differ in one or two keys, measured by reruns.
#pragma once

#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "testbench/report/proxies.h"
#include "testbench/report/report_tables.h"
#include "testbench/what_if/machine_changes.h"
#include "testbench/what_if/rerun.h"

namespace isbesim::testbench {

/// Adds {"reordering_cycles", "changes": [{"steps": [{"key", "from", "to"}], "cycles", "energy_pj", "area_mm2"}],
/// "not_measured": [{"steps", "reason"}]} to the report of a draw, and its best step by add_measured(). A change that
/// does not affect the area, or that the area proxy does not cover, has no area_mm2.
void add_what_if(boost::json::object& report, const std::vector<machine_change>& changes,
                 const std::vector<rerun>& reruns, const coefficient_table& coefficients);

/// Adds the best single step: {"steps", "cycles", "tried", "of", "same_sms": {"steps", "cycles"}}, with the run's own
/// cycles and no steps if none of the tried ones gains more than what_if_text() names. `all_changes`: the single steps
/// that there are. `same_sms`, if the best step changes the number of SMs: the best one that does not.
void add_measured(boost::json::object& report, const std::vector<machine_change>& changes,
                  const std::vector<rerun>& reruns, std::size_t all_changes);
/// "Measured: isbe.banks 16 -> 32 would save 11.0 %, ..."; empty without `measured`.
std::string measured_text(const boost::json::object& report);

/// Describes the most useful and the most costly changes in a few sentences. `report` must have what_if.
std::string what_if_text(const boost::json::object& report);
/// A row per change, fewest cycles first.
report_table what_if_table(const boost::json::object& report);

} // namespace isbesim::testbench

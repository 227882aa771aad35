// SPDX-License-Identifier: Apache-2.0
// `what_if` of report.json: what the draw takes on machines that differ in one key or two, measured by reruns.
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
/// "not_measured": [{"steps", "reason"}]} to the report of a draw. A change that leaves the area as it is, or that the
/// area proxy does not cover, has no area_mm2.
void add_what_if(boost::json::object& report, const std::vector<machine_change>& changes,
                 const std::vector<rerun>& reruns, const coefficient_table& coefficients);

/// What pays most and what costs most, in a few sentences. `report` has what_if.
std::string what_if_text(const boost::json::object& report);
/// The changes, the one that takes the fewest cycles first.
report_table what_if_table(const boost::json::object& report);

} // namespace isbesim::testbench

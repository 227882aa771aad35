// `what_if` of report.json: what the draw would take on machines that differ in one key, predicted from the run and
// measured by a rerun.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "testbench/report/report_page.h"
#include "testbench/system/system.h"
#include "testbench/what_if/machine_changes.h"

namespace isbesim::testbench {

/// [{"key", "from", "to", "predicted", "bound": "about" or "at_least", "measured"}], all in cycles but from and to;
/// `measured` empty: nothing was measured. A change that could not be measured where others were is left out: the draw
/// can't run there.
boost::json::array what_if_json(const std::vector<machine_change>& changes,
                                const std::vector<predicted_cycles>& predictions,
                                const std::vector<std::optional<std::uint64_t>>& measured);

/// Adds that and what it covers to a report.
void add_what_if(boost::json::object& report, boost::json::array what_if);

/// What pays most and what costs most, in one sentence. `report` has what_if.
std::string what_if_text(const boost::json::object& report);
/// The changes, the one that gains most first.
report_table what_if_table(const boost::json::object& report);

} // namespace isbesim::testbench

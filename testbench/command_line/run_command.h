// SPDX-License-Identifier: Apache-2.0
// `isbesim run`: reads the scenario, builds the system, runs it, compares, reports.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "testbench/scenario/scenario.h"

namespace isbesim::testbench {

/// A run whose report goes to `report`; its folder stays empty. `loaded`: the scenario, which is consumed, or null if
/// it has to be read.
int run_for_report(const std::vector<std::string>& words, scenario* loaded, std::ostream& err,
                   const std::function<void(boost::json::object)>& report);

} // namespace isbesim::testbench

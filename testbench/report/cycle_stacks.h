// SPDX-License-Identifier: Apache-2.0
// `stacks` of report.json: where every cycle of the schedulers, the ISBEs and the PE went, and what follows from it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "models/statistics/cycle_stack.h"
#include "testbench/system/system.h"

namespace isbesim::testbench {

/// Of all resources of the machine: sm0.scheduler0, isbe0.pass_engine, isbe0.port0, ... Empty where an ISBE keeps none:
/// loosely timed, and RTL that does not keep to the page's cycles.
std::vector<cycle_stack> stacks_of(simulated_system& system);
/// Of the ISBE that stands alone, with the names that the first one of a machine has.
std::vector<cycle_stack> stacks_of_isbe(std::vector<cycle_stack> stacks);

/// "isbe0.pass_engine" -> "pass_engine", "sm3.scheduler1" -> "scheduler", "pe.waiting.vertex" -> "waiting.vertex".
std::string kind_of(std::string_view resource);

/// "12.3 %" of a part's share of all; 0 of nothing.
std::string percent_text(std::uint64_t part, std::uint64_t all);

/// {resource: {"cycles": N, "busy": N, "parts": {name: cycles}}}
boost::json::object stacks_json(const std::vector<cycle_stack>& stacks);

/// What the parts mean, for pages.
std::string stacks_cover();
std::string isbe_stacks_cover(); ///< of an ISBE alone

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
// `stacks` of report.json: how the schedulers, the ISBEs and the PE spent every cycle.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "models/statistics/cycle_stack.h"
#include "testbench/figures/chip_account.h"
#include "testbench/system/system.h"

namespace isbesim::testbench {

/// The stacks of all resources of the machine: sm0.scheduler0, isbe0.pass_engine, isbe0.port0, ... Empty if an ISBE
/// keeps none: loosely timed, or RTL that deviates from the micro-architecture page's cycles.
std::vector<cycle_stack> stacks_of(simulated_system& system);
/// The stacks of a lone ISBE, with the names of a machine's first ISBE.
std::vector<cycle_stack> stacks_of_isbe(std::vector<cycle_stack> stacks);

/// One stack per kind of resource, added up over all TPCs: its cycles are `cycles` of the chip times the number of such
/// resources. Part `ended`: the TPC has ended, others have not.
std::vector<cycle_stack> added_up(const std::vector<tpc_account>& tpcs, std::uint64_t cycles);

/// "isbe0.pass_engine" -> "pass_engine", "sm3.scheduler1" -> "scheduler", "pe.waiting.vertex" -> "waiting.vertex".
std::string kind_of(std::string_view resource);

/// "12.3 %": the share of a part in all; 0 if `all` is 0.
std::string percent_text(std::uint64_t part, std::uint64_t all);

/// {resource: {"cycles": N, "busy": N, "parts": {name: cycles}}}
boost::json::object stacks_json(const std::vector<cycle_stack>& stacks);

/// Explains the parts, for pages.
std::string stacks_cover();
std::string isbe_stacks_cover(); ///< of a lone ISBE

} // namespace isbesim::testbench

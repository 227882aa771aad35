// SPDX-License-Identifier: Apache-2.0
// The sentence of a report that says what the draw waits for.
#pragma once

#include <string>
#include <vector>

#include "models/machine_config.h"
#include "models/statistics/cycle_stack.h"

namespace isbesim::testbench {

/// What the stacks of the whole machine prove: the resource that has hardly a cycle to spare; or what the draw loses
/// cycles to that no worker is busy in, with the keys that say how much of it there is, and the busiest workers. What
/// more of something saves only reruns tell (what_if_text).
std::string bottleneck_text(const std::vector<cycle_stack>& stacks, const machine_config& config);

} // namespace isbesim::testbench

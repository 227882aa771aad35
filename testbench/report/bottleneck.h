// SPDX-License-Identifier: Apache-2.0
// Writes the sentence of a report about the resource that limits the draw.
#pragma once

#include <string>
#include <vector>

#include "models/machine_config.h"
#include "models/statistics/cycle_stack.h"

namespace isbesim::testbench {

/// The conclusions from the stacks of the whole machine: the resource that is busy in nearly all cycles; or the
/// shortages that cost cycles in which no worker is busy, with the keys that set their sizes, and the busiest workers.
/// Only reruns tell how much more of a resource saves (what_if_text).
std::string bottleneck_text(const std::vector<cycle_stack>& stacks, const machine_config& config);

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
// The sentence of a report that says what the draw waits for.
#pragma once

#include <string>
#include <vector>

#include "models/isbe/functional/isbe_counters.h"
#include "models/machine_config.h"
#include "models/statistics/cycle_stack.h"

namespace isbesim::testbench {

/// The resource that has no cycle to spare, or the size whose lack costs most of the other cycles, with its key; or
/// that neither stands out. `stacks`, `isbe` (ideal passes are read): those of the whole machine.
std::string bottleneck_text(const std::vector<cycle_stack>& stacks, const isbe_counters& isbe,
                            const machine_config& config);

} // namespace isbesim::testbench

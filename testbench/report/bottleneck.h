// SPDX-License-Identifier: Apache-2.0
// The sentence of a report that says what the draw waits for.
#pragma once

#include <string>
#include <vector>

#include "models/isbe/functional/isbe_counters.h"
#include "models/machine_config.h"
#include "models/statistics/cycle_stack.h"
#include "tlm/cause_log.h"

namespace isbesim::testbench {

/// The resource that has no cycle to spare, or the size whose lack costs most of the other cycles, with its key; or
/// that neither stands out, and the latency that has most of the critical path. `stacks`, `isbe`: those of the whole
/// machine; `path`: empty where none was recorded.
std::string bottleneck_text(const std::vector<cycle_stack>& stacks, const std::vector<path_part>& path,
                            const isbe_counters& isbe, const machine_config& config);

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
// Chooses the reruns of an ordinary run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/statistics/cycle_stack.h"
#include "testbench/what_if/machine_changes.h"
#include "tlm/cause_log.h"

namespace isbesim::testbench {

/// Places in `changes` of those that may save most, the most promising first, at most `most`. The cycles that a key has
/// to do with on the critical path, or on the busiest resource of a kind, are an upper bound of what it saves.
std::vector<std::size_t> promising_changes(const std::vector<machine_change>& changes,
                                           const std::vector<cycle_stack>& stacks, const std::vector<path_part>& path,
                                           std::size_t most);

/// The number of reruns that take about as long as a run of `sm_cycles` cycles, added up over all SMs of `tpcs` TPCs.
/// It depends on nothing else, so that reports are the same everywhere.
std::size_t reruns_beside(std::uint64_t sm_cycles, unsigned tpcs);

} // namespace isbesim::testbench

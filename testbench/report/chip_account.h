// SPDX-License-Identifier: Apache-2.0
// What a chip's run says beside the figures of its TPCs added up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/statistics/cycle_stack.h"

namespace isbesim::testbench {

struct tpc_account {
    std::uint64_t batches = 0; ///< dealt to it
    std::uint64_t primitives = 0;
    std::uint64_t vertices = 0; ///< that left its last stage
    std::uint64_t cycles = 0;   ///< from the start of the draw to its end
    std::vector<cycle_stack> stacks;
};

/// Where batches wait until all before them have left.
struct reorder_account {
    std::uint64_t batches = 0;
    std::uint64_t depth = 0;   ///< the most that waited at a time
    std::uint64_t waited = 0;  ///< cycles, all batches
    std::uint64_t longest = 0; ///< cycles, one batch
};

struct chip_account {
    std::vector<tpc_account> tpcs;
    std::size_t last = 0; ///< the first of those with the most cycles
    reorder_account reorder;
    std::uint64_t front_end = 0; ///< cycles of the last TPC's critical path, where it was recorded
};

/// `done[i]`: cycle in which all of batch i has left its TPC.
reorder_account account_of_reorder(const std::vector<std::uint64_t>& done);

/// Of all TPCs, a stack of each kind of resource: its cycles are those of the chip, `cycles`, times the number of such
/// resources. `ended`: the TPC has, and others have not.
std::vector<cycle_stack> added_up(const std::vector<tpc_account>& tpcs, std::uint64_t cycles);

} // namespace isbesim::testbench

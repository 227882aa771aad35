// SPDX-License-Identifier: Apache-2.0
// Figures of a chip's run beside the sums of its TPCs' figures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/statistics/cycle_stack.h"

namespace isbesim::testbench {

struct tpc_account {
    std::uint64_t batches = 0; ///< dealt to the TPC
    std::uint64_t primitives = 0;
    std::uint64_t vertices = 0; ///< vertices that left its last stage
    std::uint64_t cycles = 0;   ///< from the start of the draw to its end
    std::vector<cycle_stack> stacks;
};

/// Batches that wait until all earlier batches have left.
struct reorder_account {
    std::uint64_t batches = 0;
    std::uint64_t depth = 0;   ///< maximum of batches waiting at once
    std::uint64_t waited = 0;  ///< cycles, all batches
    std::uint64_t longest = 0; ///< cycles, one batch
};

struct chip_account {
    std::vector<tpc_account> tpcs;
    std::size_t last = 0; ///< the first TPC with the most cycles
    reorder_account reorder;
    std::uint64_t front_end = 0; ///< front-end cycles of the last TPC's critical path; 0 if not recorded
    std::uint64_t raster = 0;    ///< cycles that a raster engine needs after the last TPC
};

/// `done[i]`: cycle in which the last part of batch i has left its TPC.
reorder_account account_of_reorder(const std::vector<std::uint64_t>& done);

/// One stack per kind of resource, added up over all TPCs: its cycles are `cycles` of the chip times the number of such
/// resources. Part `ended`: the TPC has ended, others have not.
std::vector<cycle_stack> added_up(const std::vector<tpc_account>& tpcs, std::uint64_t cycles);

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
// Counts and figures of a chip's run besides the sums of its TPCs' figures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/statistics/cycle_stack.h"
#include "models/statistics/statistic.h"

namespace isbesim::testbench {

struct tpc_account {
    std::uint64_t batches = 0; ///< dealt to the TPC
    std::uint64_t primitives = 0;
    std::uint64_t vertices = 0; ///< vertices that left its last stage
    std::uint64_t cycles = 0;   ///< from the start of the draw to its end
    std::vector<cycle_stack> stacks;
    std::uint64_t gpc = 0;
    std::optional<std::uint64_t> front_end = {}; ///< cycles that its fetch waited for a batch; none without stacks
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

/// Mean of the TPCs' cycles.
double mean_cycles(const chip_account& chip);

/// The figures of these accounts, in the order of reports: `chip`, and `tpcs` of one TPC.
std::vector<statistic<chip_account>> chip_statistics();
std::vector<statistic<tpc_account>> tpc_statistics();

} // namespace isbesim::testbench

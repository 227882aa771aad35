// SPDX-License-Identifier: Apache-2.0
// What the PE counts, per SM and for the draw. Cycles are clock cycles, lines 128 bytes. Those of several SMs are
// merged by their figures (models/statistics/statistic.h).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/isbe/functional/context.h"
#include "models/pe/stages/draw_counters.h"
#include "models/statistics/stall_reason.h"
#include "models/statistics/time_weighted.h"

namespace isbesim {

/// Of one SM and its ISBE.
struct pe_site_counters {
    std::array<std::uint64_t, stage_count> invocations{}; ///< threads launched, by stage
    std::array<std::uint64_t, stage_count> warps{};
    std::uint64_t batches = 0;
    stall_cycles stalls; ///< of the oldest waiting warp of each stage
    time_weighted lines; ///< ISBE lines allocated
};

template <typename Counters>
struct statistic;
/// What reports show of them.
std::vector<statistic<pe_site_counters>> pe_site_statistics();

} // namespace isbesim

// SPDX-License-Identifier: Apache-2.0
// Counters of the PE per SM; those of the whole draw are in stages/draw_counters.h. Cycles are clock cycles, lines have
// 128 bytes. Counters of several SMs are merged as their figures define (models/statistics/statistic.h).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/isbe/functional/context.h"
#include "models/pe/stages/draw_counters.h"
#include "models/statistics/stall_reason.h"
#include "models/statistics/time_weighted.h"

namespace isbesim {

/// Counters of one SM and its ISBE.
struct pe_site_counters {
    std::array<std::uint64_t, stage_count> invocations{}; ///< threads launched, by stage
    std::array<std::uint64_t, stage_count> warps{};
    std::uint64_t batches = 0;
    stall_cycles stalls; ///< of the oldest waiting warp of each stage
    time_weighted lines; ///< ISBE lines allocated
};

template <typename Counters>
struct statistic;
/// The figures that reports show of these counters.
std::vector<statistic<pe_site_counters>> pe_site_statistics();

} // namespace isbesim

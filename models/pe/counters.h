// What the PE counts per SM. Cycles are clock cycles, lines 128 bytes.
#pragma once

#include <array>
#include <cstdint>

#include "models/isbe/context.h"
#include "models/pe/draw_counters.h"
#include "models/statistics/time_weighted.h"

namespace isbesim {

/// Of one SM and its ISBE.
struct pe_site_counters {
    std::array<std::uint64_t, stage_count> invocations{}; ///< threads launched, by stage
    std::array<std::uint64_t, stage_count> warps{};
    std::uint64_t batches = 0;
    std::uint64_t isbe_full_cycles = 0; ///< the oldest waiting warp of each stage found no ISBE lines
    std::uint64_t warp_slot_cycles = 0; ///< … found lines but no warp slot
    time_weighted lines;                ///< ISBE lines allocated

    void merge(const pe_site_counters& other)
    {
        for (unsigned s = 0; s < stage_count; ++s) {
            invocations[s] += other.invocations[s];
            warps[s] += other.warps[s];
        }
        batches += other.batches;
        isbe_full_cycles += other.isbe_full_cycles;
        warp_slot_cycles += other.warp_slot_cycles;
        lines.merge(other.lines);
    }
};

} // namespace isbesim

// What the PE counts, per SM and for the draw. Cycles are clock cycles, lines 128 bytes. Those of several SMs are
// merged by their figures (models/statistics/figure.h).
#pragma once

#include <array>
#include <cstdint>

#include "models/isbe/context.h"
#include "models/pe/mesh.h"
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

/// Of the whole draw.
struct pe_draw_counters {
    std::uint64_t primitives_in = 0; ///< assembled
    std::uint64_t fetched_bytes = 0;
    std::array<std::uint64_t, 4> primitives_out{}; ///< by stream, captured or not
    std::array<std::uint64_t, 4> vertices_out{};
    std::uint64_t lost_threads = 0; ///< geometry threads that ended with an invalid state
    workgroup_lints workgroups;     ///< of task and mesh stages
    /// By stage, warps whose output has lines of its own although header bit 25 is set (sharing.h).
    std::array<std::uint64_t, stage_count> own_lines{};
};

} // namespace isbesim

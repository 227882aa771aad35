// SPDX-License-Identifier: Apache-2.0
// Counters of the PE for a whole draw.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/isbe/functional/context.h"
#include "models/memory/memory_path.h"
#include "models/pe/front_end/draw.h"
#include "tlm/enum_table.h"

namespace isbesim {

/// What gets lost between a program and stream-out, or is left undefined and handled by this model's *choice*. Each has
/// a figure and, where it occurs, a warning, both of the row's name. Losses inside the ISBE are in isbe_counters, those
/// of single instructions in warning_kind.
enum class draw_loss : std::uint8_t {
    vertices_off_stream,
    short_strip_vertices,
    culled_patches,
    mesh_primitives_above_maximum,
    mesh_primitives_without_vertex,
    workgroups_above_maximum,
    uneven_grids,
};
inline constexpr auto last_draw_loss = draw_loss::uneven_grids;

struct draw_loss_row {
    draw_loss loss;
    isbesim::stage stage;
    const char* name;
    const char* unit;
    const char* text; ///< continues the unit
};
inline constexpr std::array<draw_loss_row, enum_count<last_draw_loss>> draw_loss_rows{{
    {draw_loss::vertices_off_stream, stage::geometry, "vertices_off_stream", "vertices",
     "emitted to a stream that the header's stream_out_mask leaves out: dropped"},
    {draw_loss::short_strip_vertices, stage::geometry, "short_strip_vertices", "vertices",
     "of strips that a cut, another stream or the thread's end left too short for a primitive: dropped"},
    {draw_loss::culled_patches, stage::tess, "culled_patches", "patches",
     "culled: an outer level is not above 0 or is not a number"},
    {draw_loss::mesh_primitives_above_maximum, stage::mesh, "mesh_primitives_above_maximum", "primitives",
     "by which the count exceeds max_primitives: dropped"},
    {draw_loss::mesh_primitives_without_vertex, stage::mesh, "mesh_primitives_without_vertex", "primitives",
     "with a vertex index that is not below max_vertices: dropped"},
    {draw_loss::workgroups_above_maximum, stage::task, "workgroups_above_maximum", "mesh workgroups",
     "by which a grid exceeds 2^22: not launched"},
    {draw_loss::uneven_grids, stage::task, "uneven_grids", "grids",
     "whose total count of workgroups is not x * y * z: the total count is launched"},
}};
static_assert(covers_enum<last_draw_loss>(draw_loss_rows, &draw_loss_row::loss));

using draw_losses = enum_array<last_draw_loss, std::uint64_t>;

struct pe_draw_counters {
    std::uint64_t primitives_in = 0; ///< assembled
    std::uint64_t fetched_bytes = 0;
    std::array<std::uint64_t, 4> primitives_out{}; ///< by stream, captured or not
    std::array<std::uint64_t, 4> vertices_out{};
    /// Geometry threads whose final state was invalid or older than their last OUT (OUT-07).
    std::uint64_t lost_threads = 0;
    draw_losses losses;
    enum_array<last_cull_reason, std::uint64_t> culled; ///< primitives that the rasteriser drops, by reason
    memory_counters memory;                             ///< of the TPC, loads included
    /// By stage, warps whose output has lines of its own although header bit 25 is set (linking.h).
    std::array<std::uint64_t, stage_count> own_lines{};
};

template <typename Counters>
struct statistic;
/// The figures that reports show of these counters.
std::vector<statistic<pe_draw_counters>> pe_draw_statistics();

} // namespace isbesim

// SPDX-License-Identifier: Apache-2.0
// The semantics of TGSI inputs and outputs, and the hardware address of each (HARDWARE.md A.2, A.3). Addresses follow
// from the semantic, never from register numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace isbesim::varying {

enum class semantic : std::uint8_t {
    position,
    color,
    bcolor,
    fog,
    psize,
    generic,
    clip_distance,
    clip_vertex,
    texcoord,
    pcoord,
    viewport_index,
    layer,
    viewport_mask,
    primitive_id,
    instance_id,
    vertex_id,
    tess_coord,
    patch,
    tess_outer,
    tess_inner,
    face, ///< fragment programs only
    // Without an attribute address.
    normal,
    edge_flag,
    stencil,
    grid_size,
    block_id,
    block_size,
    thread_id,
    sample_id,
    sample_position,
    sample_mask,
    invocation_id,
    vertex_id_no_base,
    base_vertex,
    vertices_in,
    helper_invocation,
    base_instance,
    draw_id,
    work_dim,
    subgroup,
    default_outer_level,
    default_inner_level,
};

/// The space of a semantic's address.
enum class address_space : std::uint8_t {
    none,      ///< no attribute address; `reason` explains it
    attribute, ///< the 10-bit attribute space
    patch,     ///< the patch space (.P)
};

struct semantic_row {
    semantic id;
    const char* name;
    address_space space;
    unsigned address;  ///< of component x of index 0
    unsigned capacity; ///< scalars from `address` on that belong to the semantic; an index covers four of them
    const char* reason;
};

const semantic_row& row_of(semantic id);
/// By name; "PRIM_ID" is a second name of PRIMID.
std::optional<semantic> semantic_of(std::string_view name);
const std::vector<semantic_row>& semantic_rows();

} // namespace isbesim::varying

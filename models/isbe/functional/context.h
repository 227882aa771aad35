// SPDX-License-Identifier: Apache-2.0
// The context slot: everything the ISBE knows about one resident warp (micro-architecture section 3).
//
// The PE writes it with a BIND operation; the RTL keeps the same words in its context table.
#pragma once

#include <cstdint>

#include "models/attribute/attribute_set.h"
#include "tlm/stage.h"
#include "tlm/warp_op.h"

namespace isbesim {

static_assert(stage_count <= 1U << 4); // bits 3:0 of descriptor word 0

/// One ISBE space (input or output) of a warp. Bases and sizes are bytes in the linear storage; a region of size 0
/// does not exist. `attr_base` is a multiple of 128.
struct space_layout {
    word attr_base = 0;
    word attr_bytes = 0;   ///< whole ATTR region: per-vertex, then per-primitive attributes, then shared lines
    word vertex_count = 0; ///< handles 0 .. vertex_count - 1 exist
    word map_base = 0;
    word map_bytes = 0;
    word prim_base = 0; ///< PRIM region: one word (the primitive id) per primitive of the batch
    word prim_bytes = 0;
    word patch_base = 0;  ///< patch p starts at patch_base + p * patch_words * 4
    word patch_words = 0; ///< per-patch 32-bit scalars
    word patch_count = 0;
    attribute_set allocated; ///< attributes that occupy storage; their count is n of HARDWARE.md D.2
    attribute_set enabled;   ///< BMAP: attributes that ALD / AST reach
};

/// Geometry output bookkeeping of a warp.
struct geometry_output {
    word max_vertices = 0;        ///< MaxOutputVertexCount, per thread
    word thread_count = 0;        ///< threads 0 .. thread_count - 1 own slots
    std::uint8_t stream_mask = 0; ///< StreamOutMask, bit s = stream s
};

struct context {
    isbesim::stage stage = stage::none;
    bool fast_geometry = false;
    bool shared_spaces = false; ///< SPH bit 25: track reads of input after it was overwritten
    space_layout input;
    space_layout output;
    geometry_output geometry;
    per_lane<std::uint8_t> primitive{}; ///< primitive (patch) index in the batch that each lane works on
};

/// Number of 32-bit words of a packed descriptor (the table in micro-architecture section 3).
inline constexpr unsigned context_words = 64;
static_assert(context_words <= max_components * warp_lanes); // the store data of one operation

/// Writes the descriptor into the data lanes of a BIND operation and reads it back. Unnamed bits pack as 0 and are
/// ignored when unpacked.
void pack_context(const context& value, warp_op& bind);
context unpack_context(const warp_op& bind);

/// Throws std::invalid_argument, naming the region, if a descriptor violates its writer's guarantees (section 3):
/// regions inside a storage of `storage_bytes`, alignment, counts. A descriptor of stage none is not checked.
void check_context(const context& value, std::uint64_t storage_bytes);

} // namespace isbesim

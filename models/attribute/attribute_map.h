// SPDX-License-Identifier: Apache-2.0
// The attribute address map: the attribute at each logical byte address (HARDWARE.md A.2, A.3), its producer, and the
// result of a load when it is disabled (A.4). Everything here is the vertex/tessellation/geometry view.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "models/attribute/attribute_set.h"
#include "tlm/stage.h"
#include "tlm/warp_op.h"

namespace isbesim {

/// Logical attribute space in bytes; addresses below 0 or from here on do not exist (HARDWARE.md A.1).
inline constexpr unsigned attribute_space_bytes = 0x400;

/// Byte addresses that code refers to. Vectors continue at +4 per component.
namespace attribute_address {
inline constexpr unsigned primitive_id = 0x060;
inline constexpr unsigned layer = 0x064;
inline constexpr unsigned viewport_index = 0x068;
inline constexpr unsigned point_size = 0x06c;
inline constexpr unsigned position = 0x070;
inline constexpr unsigned position_w = 0x07c;
inline constexpr unsigned generic = 0x080; ///< 32 vectors, 0x10 apart
inline constexpr unsigned front_diffuse = 0x280;
inline constexpr unsigned front_specular = 0x290;
inline constexpr unsigned back_diffuse = 0x2a0;
inline constexpr unsigned back_specular = 0x2b0;
inline constexpr unsigned clip_distance = 0x2c0; ///< 8 scalars
inline constexpr unsigned fog_coordinate = 0x2e8;
inline constexpr unsigned tess_eval_u = 0x2f0;
inline constexpr unsigned tess_eval_v = 0x2f4;
inline constexpr unsigned instance_id = 0x2f8;
inline constexpr unsigned vertex_id = 0x2fc;
inline constexpr unsigned fixed_texture = 0x300; ///< 10 vectors
inline constexpr unsigned viewport_mask = 0x3a0;
inline constexpr unsigned front_face = 0x3fc;
} // namespace attribute_address

/// The only attribute that belongs to the primitive, not to a vertex, in classic stages (HARDWARE.md A.5).
inline constexpr unsigned primitive_id_attribute = attribute_address::primitive_id / 4;
constexpr bool is_per_primitive(unsigned id)
{
    return id == primitive_id_attribute;
}

/// Name of the scalar at a byte address, "GENERIC[3].y"; "RESERVED[0x2ec]" if the map has no name. The two low
/// address bits are ignored; addresses from 0x400 on give "OUT_OF_RANGE".
std::string attribute_name(unsigned address);
/// The same for the patch space (.P): "TESSELLATION_LOD_LEFT", "PATCH[2].x", … Any address below 0x400.
std::string patch_attribute_name(unsigned address);

/// Attributes that the hardware itself puts into a stage's input space (HARDWARE.md A.5): vertex and instance id for
/// the first vertex stage, the primitive id for TI, TS and GS.
attribute_set generated_inputs(stage stage);

/// Value of a load whose attribute is disabled. `bits` are SET_ATTRIBUTE_DEFAULT, `position_w` is the value of 0x07c
/// (micro-architecture section 4.2).
word attribute_default(unsigned id, std::uint32_t bits, word position_w);

} // namespace isbesim

// SPDX-License-Identifier: Apache-2.0
// Why a rasteriser drops a primitive before it reads the other attributes of its vertices.
#pragma once

#include <cstdint>

#include "tlm/enum_table.h"

namespace isbesim {

/// The first of these that applies.
enum class cull_reason : std::uint8_t {
    outside, ///< beyond a plane of the view volume, or given up by the mesh program
    no_area, ///< a triangle
    facing,  ///< a triangle of a side that the draw culls
};
inline constexpr auto last_cull_reason = cull_reason::facing;

/// What a draw culls.
struct cull_settings {
    bool front = false;
    bool back = false;
    bool clockwise_is_front = false; ///< seen with y up
    bool depth_from_zero = false;    ///< the near plane is z = 0, not z = -w

    bool operator==(const cull_settings& other) const
    {
        return front == other.front && back == other.back && clockwise_is_front == other.clockwise_is_front &&
               depth_from_zero == other.depth_from_zero;
    }
};

} // namespace isbesim

// SPDX-License-Identifier: Apache-2.0
// One coordinate of a sample: from a number to texels (OpenGL 4.3, section 8.14.2).
#pragma once

#include <cstdint>

#include "models/texture/sampler.h"

namespace isbesim::texture {

/// Number of a texel outside of the image whose value is the border colour.
inline constexpr std::int32_t border_texel = -1;

/// Texel `i` of an endless row, in the image of `size` texels or border_texel.
std::int32_t wrapped(address_mode mode, std::int32_t i, std::int32_t size);

/// The two texels around a coordinate, and how much the second counts (0 to 1).
struct texel_pair {
    std::array<std::int32_t, 2> at{};
    float fraction = 0;
};

/// `u` in texels. NaN counts as 0.
std::int32_t nearest_texel(address_mode mode, float u, std::int32_t size);
texel_pair linear_texels(address_mode mode, float u, std::int32_t size);

/// The same before wrapping; for the edges of cubes.
texel_pair unwrapped_texels(float u);

} // namespace isbesim::texture

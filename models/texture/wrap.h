// SPDX-License-Identifier: Apache-2.0
// Converts one coordinate of a sample to texels (OpenGL 4.3, section 8.14.2).
#pragma once

#include <cstdint>

#include "models/texture/sampler.h"

namespace isbesim::texture {

/// Number of a texel outside of the image whose value is the border colour.
inline constexpr std::int32_t border_texel = -1;

/// Maps texel `i` of an endless row to a texel of the image with `size` texels, or to border_texel.
std::int32_t wrapped(address_mode mode, std::int32_t i, std::int32_t size);

/// The two texels around a coordinate, and the weight of the second (0 to 1).
struct texel_pair {
    std::array<std::int32_t, 2> at{};
    float fraction = 0;
};

/// `u` in texels. NaN counts as 0.
std::int32_t nearest_texel(address_mode mode, float u, std::int32_t size);
texel_pair linear_texels(address_mode mode, float u, std::int32_t size);

/// The texel pair before wrapping, for the edges of cubes.
texel_pair unwrapped_texels(float u);

} // namespace isbesim::texture

// SPDX-License-Identifier: Apache-2.0
// The decoded content of a sampler (TSC), HARDWARE.md H.2.
#pragma once

#include <array>
#include <cstdint>

#include "models/texture/header.h"

namespace isbesim::texture {

/// Treatment of coordinates outside of the image; values as in the sampler.
enum class address_mode : std::uint8_t {
    wrap,
    mirror,
    clamp_to_edge,
    border,
    clamp, ///< GL_CLAMP: the coordinate is clamped to the image, and a linear filter reaches half a texel of border
    mirror_once_clamp_to_edge,
    mirror_once_border,
    mirror_once_clamp
};

enum class filter : std::uint8_t { point = 1, linear = 2 };
enum class mip_filter : std::uint8_t { none = 1, point = 2, linear = 3 };
/// How a filter combines its texels: weighted mean, minimum or maximum.
enum class reduction : std::uint8_t { mean, minimum, maximum };
/// How the reference compares with the texel; values as in the sampler.
enum class comparison : std::uint8_t { never, less, equal, less_equal, greater, not_equal, greater_equal, always };
/// How a filter treats the edges of a cube's face.
enum class cube_edges : std::uint8_t { address_mode, clamp_to_edge, seamless };

struct sampler {
    std::array<address_mode, 3> address{};
    comparison compare = comparison::never;
    bool srgb = true; ///< decode if the header's format is sRGB
    filter magnify = filter::point, minify = filter::point;
    mip_filter mip = mip_filter::none;
    cube_edges edges = cube_edges::address_mode;
    reduction reduce = reduction::mean;
    float bias = 0, min_lod = 0, max_lod = 0; ///< levels
    bool unnormalized = false;                ///< coordinates count texels, regardless of the header
    std::array<word, 4> border{};             ///< bits of floats or integers, by the format
};

fault decode_sampler(const entry& words, sampler& result);

} // namespace isbesim::texture

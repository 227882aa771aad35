// SPDX-License-Identifier: Apache-2.0
// The texels that a sample reads, with their weights.
#pragma once

#include <cstdint>

#include "models/texture/image.h"
#include "models/texture/request.h"
#include "models/texture/sampler.h"

namespace isbesim::texture {

/// Number of a texel outside of the image whose value is the border colour.
inline constexpr std::int32_t border_texel = -1;

/// Maps texel `i` of an endless row to a texel of the image with `size` texels, or to border_texel.
std::int32_t wrapped(address_mode mode, std::int32_t i, std::int32_t size);

/// The two texels around a coordinate, and the weight of the second (0 to 1).
struct texel_pair {
    std::array<std::int32_t, 2> texels{};
    float fraction = 0;
};

/// One coordinate of a sample, in texels (OpenGL 4.3, section 8.14.2). NaN counts as 0.
std::int32_t nearest_texel(address_mode mode, float u, std::int32_t size);
texel_pair linear_texels(address_mode mode, float u, std::int32_t size);

/// The texel pair before wrapping, for the edges of cubes.
texel_pair unwrapped_texels(float u);

// The level of detail of a sample (OpenGL 4.3, sections 8.14.1 to 8.14.3).

/// Lambda with all biases, before it is clamped. Levels are counted from the view's first.
float computed_lod(const sample_request& request, const image& image, const sampler& sampler);
/// Clamped to what sampler and header allow.
float clamped_lod(float computed, const image& image, const sampler& sampler);

/// The levels to sample, as numbers in the image, and the filter to use in them.
struct level_choice {
    unsigned first = 0, second = 0;
    float fraction = 0; ///< weight of the second level
    filter within = filter::point;
};
level_choice choose_levels(float clamped, const image& image, const sampler& sampler);

struct tap {
    texel_place place;
    bool border = false; ///< the border colour, not a texel
    double weight = 1;
};

/// Up to eight texels of each of two levels.
struct footprint {
    std::array<tap, 16> taps{};
    unsigned count = 0;

    void add(const tap& one) { taps[count++] = one; }
};

/// The place of a sample: coordinates on an image or a face.
struct position {
    std::array<float, 3> coordinates{};
    unsigned dimensions = 2;
    bool cube = false;
    unsigned face = 0;
    std::uint32_t layer = 0; ///< for a cube, the first of its six
    bool normalized = true;
    std::array<std::int8_t, 3> offset{}; ///< texels
};
/// Layers beyond the last select the last. Returns bad_header for buffers, and for a cube with fewer than six layers.
fault locate(shape shape, const std::array<float, 3>& coordinates, word layer, const image& image,
             const sampler& sampler, position& result);

/// Adds the texel that a point filter takes, or the surrounding texels that a linear filter takes.
void add_point(const image& image, const sampler& sampler, const position& where, unsigned level, double weight,
               footprint& result);
void add_linear(const image& image, const sampler& sampler, const position& where, unsigned level, double weight,
                footprint& result);

/// The texels of a gather in the order of its results: (i0, j1), (i1, j1), (i1, j0), (i0, j0). A texel missing at a
/// cube's corner is the mean of its neighbours, so that one result may have three texels.
std::array<footprint, 4> gather_texels(const image& image, const sampler& sampler, const position& where);

} // namespace isbesim::texture

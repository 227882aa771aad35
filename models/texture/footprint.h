// SPDX-License-Identifier: Apache-2.0
// The texels that a sample reads, with their weights.
#pragma once

#include "models/texture/image.h"
#include "models/texture/lod.h"

namespace isbesim::texture {

struct tap {
    texel_place at;
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
    std::array<float, 3> at{};
    unsigned coordinates = 2;
    bool cube = false;
    unsigned face = 0;
    std::uint32_t layer = 0; ///< for a cube, the first of its six
    bool normalized = true;
    std::array<std::int8_t, 3> offset{}; ///< texels
};
/// Layers beyond the last select the last. Returns bad_header for buffers, and for a cube with fewer than six layers.
fault locate(shape shape, const std::array<float, 3>& at, word layer, const image& image, const sampler& sampler,
             position& result);

/// Adds the texel that a point filter takes, or the surrounding texels that a linear filter takes.
void add_point(const image& image, const sampler& sampler, const position& where, unsigned level, double weight,
               footprint& result);
void add_linear(const image& image, const sampler& sampler, const position& where, unsigned level, double weight,
                footprint& result);

/// The texels of a gather in the order of its results: (i0, j1), (i1, j1), (i1, j0), (i0, j0). A texel missing at a
/// cube's corner is the mean of its neighbours, so that one result may have three texels.
std::array<footprint, 4> gather_texels(const image& image, const sampler& sampler, const position& where);

} // namespace isbesim::texture

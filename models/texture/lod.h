// SPDX-License-Identifier: Apache-2.0
// The level of detail of a sample (OpenGL 4.3, sections 8.14.1 to 8.14.3).
#pragma once

#include "models/texture/image.h"
#include "models/texture/request.h"
#include "models/texture/sampler.h"

namespace isbesim::texture {

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

} // namespace isbesim::texture

// SPDX-License-Identifier: Apache-2.0
#include "models/texture/lod.h"

#include <algorithm>
#include <cmath>

#include "models/texture/cube.h"

namespace isbesim::texture {

namespace {

/// Length, in texels, of a change of the coordinates.
float texels_moved(const sample_request& request, const image& image, bool normalized,
                   const std::array<float, 3>& change)
{
    const level_layout& base = image.level(image.description().view_first);
    const std::array<std::uint32_t, 3> sizes{base.width, base.height, base.depth};
    std::array<float, 3> moved = change;
    unsigned count = coordinates_of(request.shape);
    if (request.shape == shape::cube || request.shape == shape::array_cube) {
        const auto on_face = project_gradient(request.at, project(request.at).face, change);
        moved = {on_face[0], on_face[1], 0};
        count = 2;
    }
    float squares = 0;
    for (unsigned i = 0; i < count; ++i) {
        const float texels = normalized ? moved[i] * static_cast<float>(sizes[i]) : moved[i];
        squares += texels * texels;
    }
    return std::sqrt(squares);
}

float lod_of_gradients(const sample_request& request, const image& image, const sampler& sampler)
{
    const bool normalized = image.description().normalized && !sampler.unnormalized;
    const float rho = std::max(texels_moved(request, image, normalized, request.ddx),
                               texels_moved(request, image, normalized, request.ddy));
    return std::log2(rho);
}

} // namespace

float computed_lod(const sample_request& request, const image& image, const sampler& sampler)
{
    float lod = 0;
    if (request.level == level_mode::bias || request.level == level_mode::explicit_level) lod = request.level_value;
    if (request.level == level_mode::gradients) lod = lod_of_gradients(request, image, sampler);
    return lod + sampler.bias;
}

float clamped_lod(float computed, const image& image, const sampler& sampler)
{
    const header& header = image.description();
    // NaN counts as 0. If min_lod exceeds max_lod, min_lod wins.
    const float lod = std::max(sampler.min_lod, std::min(sampler.max_lod, std::isnan(computed) ? 0 : computed));
    return header.min_lod > 0 ? std::max(lod, header.min_lod - static_cast<float>(header.view_first)) : lod;
}

level_choice choose_levels(float clamped, const image& image, const sampler& sampler)
{
    const header& header = image.description();
    level_choice choice;
    choice.first = choice.second = header.view_first;
    // The constant c of the specification is 0.
    choice.within = clamped > 0 ? sampler.minify : sampler.magnify;
    const auto last = static_cast<float>(image.levels() - 1);
    const float lod = std::clamp(clamped, 0.0F, last);
    if (sampler.mip == mip_filter::none) return choice;
    // Half-way between two levels, the specification allows both; the even one is taken.
    const float level = sampler.mip == mip_filter::point ? std::nearbyint(lod) : std::floor(lod);
    choice.first = choice.second = header.view_first + static_cast<unsigned>(level);
    if (sampler.mip == mip_filter::linear && level < last) {
        choice.second = choice.first + 1;
        choice.fraction = lod - level;
    }
    return choice;
}

} // namespace isbesim::texture

// SPDX-License-Identifier: Apache-2.0
// What a sample should give, in double precision from the equations of OpenGL 4.3 section 8.14 (and of the extensions
// for the other wrap modes); no part of it is shared with the unit.
#pragma once

#include <array>
#include <functional>
#include <vector>

namespace isbesim::test {

using color = std::array<double, 4>;

/// OpenGL's names.
enum class wrap_mode {
    repeat,
    mirrored_repeat,
    clamp_to_edge,
    clamp_to_border,
    clamp,
    mirror_clamp_to_edge,
    mirror_clamp_to_border,
    mirror_clamp
};
enum class mip_mode { none, nearest, linear };

struct reference_image {
    unsigned dimensions = 2; ///< without layers
    std::array<int, 3> size{1, 1, 1};
    int layers = 1; ///< faces of all cubes
    int levels = 1;
    std::vector<std::vector<color>> texels; ///< by level; x, then y, then z, then layer

    std::array<int, 3> size_of(int level) const;
    color& texel(int level, int layer, const std::array<int, 3>& place);
    const color& texel(int level, int layer, const std::array<int, 3>& place) const;
    void resize();
};

struct reference_sampler {
    std::array<wrap_mode, 3> wrap{};
    bool magnify_linear = false, minify_linear = false;
    mip_mode mip = mip_mode::none;
    double bias = 0, min_lod = 0, max_lod = 15;
    color border{};
    bool seamless = false;
    bool unnormalized = false;
    std::function<double(double)> compare; ///< of red, where set: 1 or 0
};

struct reference_request {
    std::array<double, 3> coordinates{};
    int layer = 0; ///< as asked, of a cube the cube's number
    bool cube = false;
    std::array<int, 3> offset{};
    double lod = 0; ///< before biases and limits
};

struct reference_result {
    color value{};
    double margin = 1; ///< how far the request is from where the result jumps: in texels, levels, or from another face
};

reference_result reference_sample(const reference_image& image, const reference_sampler& sampler,
                                  const reference_request& request);
/// Component 0 of the four texels, in the order of textureGather.
std::array<double, 4> reference_gather(const reference_image& image, const reference_sampler& sampler,
                                       const reference_request& request, double& margin);

/// Scale factor and level of detail from gradients in texels.
double reference_lod(const std::array<double, 3>& dx, const std::array<double, 3>& dy);

} // namespace isbesim::test

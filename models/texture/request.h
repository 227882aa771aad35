// SPDX-License-Identifier: Apache-2.0
// The request of one lane of a texture or surface instruction, independent of the registers that it came in.
#pragma once

#include <array>
#include <cstdint>

#include "tlm/warp_op.h"

namespace isbesim::texture {

/// Shape that the instruction names; the header may have another type (a 2D image read as a layer of an array).
enum class shape : std::uint8_t { one_d, two_d, three_d, cube, array_1d, array_2d, array_cube };

/// Number of coordinates without the layer.
constexpr unsigned coordinates_of(shape s)
{
    if (s == shape::one_d || s == shape::array_1d) return 1;
    return s == shape::two_d || s == shape::array_2d ? 2 : 3;
}
constexpr bool is_array(shape s)
{
    return s >= shape::array_1d;
}

/// Four words of a texel: float bits or integers, by the format, after the header's swizzle.
using texel = std::array<word, 4>;

/// Selects header and sampler: bits 19:0 are the header's number, 31:20 the sampler's.
struct handle {
    word bits = 0;
    constexpr word header() const { return bits & 0xfffffU; }
    constexpr word sampler() const { return bits >> 20; }
};

/// How the level of detail is determined. Vertex stages have no derivatives: `implicit` starts from 0.
enum class level_mode : std::uint8_t { implicit, zero, bias, explicit_level, gradients };

struct sample_request {
    texture::handle handle;
    texture::shape shape = shape::two_d;
    std::array<float, 3>
        coordinates{}; ///< normalised or in texels, as header and sampler define; of a cube, a direction
    word layer = 0;
    level_mode level = level_mode::zero;
    float level_value = 0;               ///< bias, or the level
    std::array<float, 3> ddx{}, ddy{};   ///< gradients
    std::array<std::int8_t, 3> offset{}; ///< in texels, -8 to 7
    bool compare = false;
    float reference = 0;
};

struct gather_request {
    texture::handle handle;
    texture::shape shape = shape::two_d; ///< two_d, array_2d, cube, array_cube
    std::array<float, 3> coordinates{};
    word layer = 0;
    unsigned component = 0;                              ///< 0 red to 3 alpha, after the swizzle
    std::array<std::array<std::int8_t, 2>, 4> offsets{}; ///< -32 to 31
    bool four_offsets = false; ///< each moves the texel of one result (PTP); otherwise the first moves all
    bool compare = false;
    float reference = 0;
};

/// A texel by its integer coordinates, without a sampler.
struct fetch_request {
    texture::handle handle;
    texture::shape shape = shape::two_d;
    std::array<std::int32_t, 3> coordinates{};
    word layer = 0;
    std::int32_t level = 0;
    word sample = 0; ///< of a multisample image
    std::array<std::int8_t, 3> offset{};
};

/// The queries of TXQ.
enum class query : std::uint8_t {
    dimension,    ///< width, height, depth or layers of a level; number of levels
    texture_type, ///< samples and type
    sampler_pos,  ///< of a sample
};

/// Levels that TMML returns: the level used, and the level before clamping, as fixed point with 8 fraction bits.
struct level_of_detail {
    word clamped = 0, computed = 0;
};

/// The target of a surface access: a texel of an image, or bytes of one (`byte_x`).
struct surface_request {
    texture::handle handle;
    texture::shape shape = shape::two_d;
    bool byte_x = false; ///< .BA: the first coordinate counts bytes
    std::array<std::int32_t, 3> coordinates{};
    word layer = 0;
};

} // namespace isbesim::texture

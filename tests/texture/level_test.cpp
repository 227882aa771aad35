// SPDX-License-Identifier: Apache-2.0
// Levels of detail from gradients, and what the edges of a cube's faces do, by GL's formulas.
#include <cmath>

#include <gtest/gtest.h>

#include "models/texture/cube.h"
#include "tests/texture/reference_layout.h"
#include "tests/texture/texture_bench.h"

namespace isbesim::test {
namespace {

constexpr unsigned face_texels = 64;

word level_of(unsigned type, shape asked, const std::array<float, 3>& at, const std::array<float, 3>& change,
              bool by_y = false)
{
    texture_bench bench(header_words().type(type).size(face_texels, face_texels, 1).levels(6, 0, 6),
                        sampler_words().filters(1, 1, 3));
    texture::sample_request request;
    request.shape = asked;
    request.at = at;
    request.level = texture::level_mode::gradients;
    (by_y ? request.ddy : request.ddx) = change;
    texture::level_of_detail got;
    EXPECT_EQ(bench.unit.query_level(request, got), fault::none);
    return got.computed;
}

TEST(texture_level, gradients_of_a_direction_move_on_its_face)
{
    // On a face of 64 texels a direction (m, a, b) is at 32 (a / |m| + 1): 1/4 more of a are 8 / |m| texels.
    for (const auto& [type, asked] : {std::pair{tic::cube, shape::cube}, std::pair{tic::array_cube, shape::array_cube}})
        for (const bool by_y : {false, true})
            for (const float sign : {1.0F, -1.0F}) {
                EXPECT_EQ(level_of(type, asked, {sign, 0, 0}, {0, 0.25F, 0}, by_y), 0x300U);
                EXPECT_EQ(level_of(type, asked, {sign, 0, 0}, {0, 0, 0.25F}, by_y), 0x300U);
                EXPECT_EQ(level_of(type, asked, {2 * sign, 0.5F, 0}, {0, 0.25F, 0}, by_y), 0x200U);
                EXPECT_EQ(level_of(type, asked, {0.25F, sign, -0.5F}, {0.5F, 0, 0}, by_y), 0x400U);
                // Away along the axis: a / |m| shrinks. The derivative of 1/2 / |m| is 1/2 / m^2.
                EXPECT_EQ(level_of(type, asked, {0.5F, 0, sign}, {0, 0, 0.5F}, by_y), 0x300U);
                // Both at once: along with a direction nothing moves, against it twice as much.
                EXPECT_EQ(level_of(type, asked, {0.5F, 0, sign}, {-0.25F, 0, 0.5F * sign}, by_y), 0x400U);
                EXPECT_EQ(level_of(type, asked, {0.5F, 0, sign}, {0.25F, 0, 0.5F * sign}, by_y),
                          static_cast<word>(-0x8000)); // log 0, the least number
            }
    // Of images that are no cubes every coordinate counts by itself.
    EXPECT_EQ(level_of(tic::two_d, shape::two_d, {1, 0.5F, 0}, {0.125F, 0, 0}), 0x300U);
}

TEST(texture_level, gradients_on_negative_faces_follow_the_projection)
{
    // Against differences of the projection itself, on all six faces.
    for (unsigned face = 0; face < 6; ++face) {
        texture::direction at{0.3F, -0.2F, 0.25F};
        at[face / 2] = face % 2 == 0 ? 0.8F : -0.8F;
        const texture::direction change{0.3F, 0.8F, -0.5F};
        const auto got = texture::project_gradient(at, face, change);
        constexpr float step = 1e-3F;
        const auto moved = [&](float far) {
            return texture::project({at[0] + far * change[0], at[1] + far * change[1], at[2] + far * change[2]});
        };
        EXPECT_NEAR(got[0], (moved(step).s - moved(-step).s) / (2 * step), 2e-3) << face;
        EXPECT_NEAR(got[1], (moved(step).t - moved(-step).t) / (2 * step), 2e-3) << face;
    }
}

TEST(texture_level, no_number_is_the_least_level)
{
    texture_bench bench(header_words().size(face_texels, face_texels, 1).levels(6, 0, 6),
                        sampler_words().filters(1, 1, 3).lod(0x180, 0xfff));
    texture::sample_request request;
    request.level = texture::level_mode::explicit_level;
    request.level_value = NAN;
    texture::level_of_detail got;
    ASSERT_EQ(bench.unit.query_level(request, got), fault::none);
    EXPECT_EQ(got.computed, 0U);
    EXPECT_EQ(got.clamped, 0x180U);
    // 0.7 of a 256th rounds to a 256th.
    request.level_value = 2 + 0.7F / 256;
    ASSERT_EQ(bench.unit.query_level(request, got), fault::none);
    EXPECT_EQ(got.computed, 0x201U);
}

/// Sampled at the corner (1, 1, 1) of the face +z, with texels that are their column.
word at_the_corner(unsigned type, shape asked, unsigned edges, const std::array<float, 3>& at)
{
    reference_shape layout_of;
    layout_of.width = layout_of.height = 4;
    const reference_layout layout(layout_of);
    texture_bench bench(header_words().type(type).size(4, 4, 1).format(0x0f, tic::uint),
                        sampler_words().wrap(0).set(40, 2, edges), 6 * layout.layer_bytes());
    for (unsigned face = 0; face < 6; ++face)
        for (unsigned y = 0; y < 4; ++y)
            for (unsigned x = 0; x < 4; ++x)
                bench.image()[layout.texel(0, face, x, y, 0)] = static_cast<std::uint8_t>(x + 1);
    texture::sample_request request;
    request.shape = asked;
    request.at = at;
    return bench.sample(request)[0];
}

TEST(texture_level, edges_of_faces_clamp_or_follow_the_address_mode)
{
    // s is 1 there: column 4, which wraps to 0 or is clamped to 3.
    EXPECT_EQ(at_the_corner(tic::cube, shape::cube, 0, {1, 1, 1}), 1U);
    EXPECT_EQ(at_the_corner(tic::cube, shape::cube, 1, {1, 1, 1}), 4U);
    EXPECT_EQ(at_the_corner(tic::cube, shape::cube, 3, {1, 1, 1}), 4U);
    // Images that are no cubes have no faces.
    for (const unsigned edges : {0U, 1U, 3U})
        EXPECT_EQ(at_the_corner(tic::two_d, shape::two_d, edges, {1, 0.5F, 0}), 1U);
}

TEST(texture_level, cubes_need_six_layers_and_samplers_no_buffer)
{
    texture::sample_request request;
    request.shape = shape::cube;
    texel got{};
    texture_bench flat(header_words().size(4, 4, 1));
    EXPECT_EQ(flat.unit.sample(request, got), fault::bad_header);
    request.shape = shape::one_d;
    texture_bench buffer(header_words().buffer(4).format(0x0f, tic::uint));
    EXPECT_EQ(buffer.unit.sample(request, got), fault::bad_header);
    // A layer is part of array shapes only.
    texture_bench array(header_words().type(tic::array_2d).size(4, 4, 2).format(0x0f, tic::uint), sampler_words(),
                        1024);
    array.image()[512] = 9;
    for (const auto asked : {shape::two_d, shape::array_2d}) {
        request.shape = asked;
        request.layer = 1;
        EXPECT_EQ(array.sample(request)[0], asked == shape::array_2d ? 9U : 0U);
    }
}

} // namespace
} // namespace isbesim::test

// SPDX-License-Identifier: Apache-2.0
// Addresses of texels against the long way, and numbers that can be worked out on paper.
#include "models/texture/layout.h"

#include <cmath>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "models/texture/cube.h"
#include "tests/texture/reference_layout.h"
#include "tests/texture/texture_bench.h"

namespace isbesim::test {
namespace {

using namespace texture;

image_layout layout_of(const header_words& words, access kind = access::texture)
{
    header header;
    EXPECT_EQ(decode_header(words.words, header), fault::none);
    return lay_out(header, kind);
}

TEST(texture_layout, a_gob_is_a_permutation_of_its_bytes)
{
    std::set<unsigned> places;
    for (unsigned y = 0; y < 8; ++y)
        for (unsigned x = 0; x < 64; ++x) {
            ASSERT_EQ(gob_offset(x, y), reference_layout::in_gob(x, y)) << x << ", " << y;
            places.insert(gob_offset(x, y));
        }
    EXPECT_EQ(places.size(), 512U);
    EXPECT_EQ(*places.rbegin(), 511U);
    // 16 bytes side by side, then the next line, then the next 16, two lines, the right half.
    EXPECT_EQ(gob_offset(15, 0), 15U);
    EXPECT_EQ(gob_offset(0, 1), 16U);
    EXPECT_EQ(gob_offset(16, 0), 32U);
    EXPECT_EQ(gob_offset(0, 2), 64U);
    EXPECT_EQ(gob_offset(32, 0), 256U);
}

TEST(texture_layout, random_images_agree_with_the_long_way)
{
    std::mt19937 engine(3);
    const auto number = [&](unsigned least, unsigned greatest) {
        return least + static_cast<unsigned>(engine()) % (greatest - least + 1);
    };
    constexpr unsigned sizes[] = {0x1d, 0x1b, 0x08, 0x04, 0x01};
    for (unsigned i = 0; i < 400; ++i) {
        reference_shape shape;
        const unsigned log = number(0, 4);
        shape.bytes = 1U << log;
        shape.three_d = number(0, 1) != 0;
        shape.width = number(1, 150);
        shape.height = number(1, 150);
        shape.depth = shape.three_d ? number(1, 40) : number(1, 4);
        shape.tile_height = number(0, 5);
        shape.tile_depth = shape.three_d ? number(0, 5) : 0;
        if (shape.tile_height == 2 && shape.tile_depth == 4) continue; // that pair has a rule of its own
        shape.last_level = number(0, 7);
        const reference_layout reference(shape);
        const image_layout layout = layout_of(header_words()
                                                  .format(sizes[log], tic::uint)
                                                  .type(shape.three_d ? tic::three_d : tic::array_2d)
                                                  .size(shape.width, shape.height, shape.depth)
                                                  .tile(shape.tile_height, shape.tile_depth)
                                                  .levels(shape.last_level, 0, shape.last_level));
        ASSERT_EQ(layout.layer_bytes, reference.layer_bytes());
        ASSERT_EQ(layout.layers, shape.three_d ? 1 : shape.depth);
        for (unsigned j = 0; j < 20; ++j) {
            const unsigned level = number(0, shape.last_level);
            const level_layout& mip = layout.levels[level];
            const unsigned x = number(0, mip.width - 1);
            const unsigned y = number(0, mip.height - 1);
            const unsigned z = number(0, mip.depth - 1);
            ASSERT_EQ(mip.offset + tiled_offset(mip, std::uint64_t{x} * shape.bytes, y, z),
                      reference.texel(level, 0, x, y, z))
                << "image " << i << ", level " << level << ": " << x << ", " << y << ", " << z;
        }
    }
}

TEST(texture_layout, a_chain_of_levels_worked_out_by_hand)
{
    // 256 x 130 texels of 4 bytes in tiles of 128 lines: 1024 bytes a row and two rows of tiles, then tiles of 128 (65
    // lines need them), 32, 16, 8 lines ...
    const auto layout = layout_of(header_words().size(256, 130, 1).tile(4, 0).levels(8, 0, 8));
    const std::uint64_t offsets[] = {0, 1024 * 256, 1024 * 256 + 512 * 128};
    for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(layout.levels[i].offset, offsets[i]);
    EXPECT_EQ(layout.levels[2].tile_height, 2); // 32 lines
    EXPECT_EQ(layout.levels[3].tile_height, 1); // 16
    EXPECT_EQ(layout.levels[4].tile_height, 0); // 8
    EXPECT_EQ(layout.levels[3].offset, offsets[2] + 256 * 32);
    EXPECT_EQ(layout.levels[4].offset, offsets[2] + 256 * 32 + 128 * 16);
    EXPECT_EQ(layout.levels[5].offset, offsets[2] + 256 * 32 + 128 * 16 + 64 * 8);
    EXPECT_EQ(layout.levels[8].width, 1U);
}

TEST(texture_layout, layers_begin_at_multiples_of_level_0_s_tile)
{
    const auto layout = layout_of(header_words().type(tic::array_2d).size(16, 40, 5).tile(3, 0).levels(1, 0, 1));
    // Level 0: 64 bytes by 64 lines; level 1: 64 bytes by 32 lines; a tile is 4096 bytes.
    EXPECT_EQ(layout.layer_bytes, 8192U);
}

TEST(texture_layout, cubes_have_six_layers_each)
{
    EXPECT_EQ(layout_of(header_words().type(tic::cube).size(4, 4, 1)).layers, 6U);
    EXPECT_EQ(layout_of(header_words().type(tic::array_cube).size(4, 4, 3)).layers, 18U);
}

TEST(texture_layout, compressed_levels_are_counted_in_blocks)
{
    const auto layout = layout_of(header_words().format(0x24, tic::unorm).size(70, 70, 1).tile(2, 0).levels(6, 0, 6));
    // 18 blocks of 8 bytes a row: 192 bytes; 18 lines of blocks: 32. Then 9 by 9 blocks: 128 by 16.
    EXPECT_EQ(layout.levels[1].offset, 192U * 32);
    EXPECT_EQ(layout.levels[2].offset, 192U * 32 + 128 * 16);
    EXPECT_EQ(layout.levels[6].offset, 192U * 32 + 128 * 16 + 4 * 64 * 8);
}

TEST(texture_layout, samples_lie_side_by_side_where_a_texture_counts_pixels)
{
    const auto words = header_words().size(20, 10, 1).set(232, 4, 3); // 4 x 2 samples
    EXPECT_EQ(layout_of(words).levels[0].width, 80U);
    EXPECT_EQ(layout_of(words).levels[0].height, 20U);
    EXPECT_EQ(layout_of(words, access::surface).levels[0].width, 20U);
}

TEST(texture_layout, deep_tiles_of_small_levels_under_tiles_of_4_by_16_gobs)
{
    // 32 x 32 x 64 as nouveau has it: 32 lines by 16 slices, and 16 lines by 32 slices for level 1.
    const auto layout = layout_of(header_words().type(tic::three_d).size(32, 32, 64).tile(2, 4).levels(5, 0, 5));
    EXPECT_EQ(layout.levels[0].tile_depth, 4);
    EXPECT_EQ(layout.levels[1].tile_height, 1);
    EXPECT_EQ(layout.levels[1].tile_depth, 5);
    EXPECT_EQ(layout.levels[2].tile_depth, 4);
    // Up to 16 lines of a level: 17 take the tile that level 0 has, and no tile is deeper than 32.
    const auto below = layout_of(header_words().type(tic::three_d).size(34, 34, 200).tile(2, 4).levels(5, 0, 5));
    EXPECT_EQ(below.levels[1].tile_depth, 4);
    EXPECT_EQ(below.levels[2].tile_depth, 5);
}

// Levels of detail from gradients, and what the edges of a cube's faces do, by GL's formulas.

constexpr unsigned face_texels = 64;

word level_of(unsigned type, shape shape_of_image, const std::array<float, 3>& where,
              const std::array<float, 3>& change, bool by_y = false)
{
    texture_bench bench(header_words().type(type).size(face_texels, face_texels, 1).levels(6, 0, 6),
                        sampler_words().filters(1, 1, 3));
    texture::sample_request request;
    request.shape = shape_of_image;
    request.coordinates = where;
    request.level = texture::level_mode::gradients;
    (by_y ? request.ddy : request.ddx) = change;
    texture::level_of_detail got;
    EXPECT_EQ(bench.unit.query_level(request, got), fault::none);
    return got.computed;
}

TEST(texture_level, gradients_of_a_direction_move_on_its_face)
{
    // On a face of 64 texels a direction (m, a, b) is at 32 (a / |m| + 1): 1/4 more of a are 8 / |m| texels.
    for (const auto& [type, shape_of_image] :
         {std::pair{tic::cube, shape::cube}, std::pair{tic::array_cube, shape::array_cube}})
        for (const bool by_y : {false, true})
            for (const float sign : {1.0F, -1.0F}) {
                EXPECT_EQ(level_of(type, shape_of_image, {sign, 0, 0}, {0, 0.25F, 0}, by_y), 0x300U);
                EXPECT_EQ(level_of(type, shape_of_image, {sign, 0, 0}, {0, 0, 0.25F}, by_y), 0x300U);
                EXPECT_EQ(level_of(type, shape_of_image, {2 * sign, 0.5F, 0}, {0, 0.25F, 0}, by_y), 0x200U);
                EXPECT_EQ(level_of(type, shape_of_image, {0.25F, sign, -0.5F}, {0.5F, 0, 0}, by_y), 0x400U);
                // Away along the axis: a / |m| shrinks. The derivative of 1/2 / |m| is 1/2 / m^2.
                EXPECT_EQ(level_of(type, shape_of_image, {0.5F, 0, sign}, {0, 0, 0.5F}, by_y), 0x300U);
                // Both at once: along with a direction nothing moves, against it twice as much.
                EXPECT_EQ(level_of(type, shape_of_image, {0.5F, 0, sign}, {-0.25F, 0, 0.5F * sign}, by_y), 0x400U);
                EXPECT_EQ(level_of(type, shape_of_image, {0.5F, 0, sign}, {0.25F, 0, 0.5F * sign}, by_y),
                          static_cast<word>(-0x8000)); // log 0, the least number
            }
    // In images that are not cubes every coordinate counts by itself.
    EXPECT_EQ(level_of(tic::two_d, shape::two_d, {1, 0.5F, 0}, {0.125F, 0, 0}), 0x300U);
}

TEST(texture_level, gradients_on_negative_faces_follow_the_projection)
{
    // Against differences of the projection itself, on all six faces.
    for (unsigned face = 0; face < 6; ++face) {
        texture::direction where{0.3F, -0.2F, 0.25F};
        where[face / 2] = face % 2 == 0 ? 0.8F : -0.8F;
        const texture::direction change{0.3F, 0.8F, -0.5F};
        const auto got = texture::project_gradient(where, face, change);
        constexpr float step = 1e-3F;
        const auto moved = [&](float far) {
            return texture::project(
                {where[0] + far * change[0], where[1] + far * change[1], where[2] + far * change[2]});
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
word at_the_corner(unsigned type, shape shape_of_image, unsigned edges, const std::array<float, 3>& where)
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
    request.shape = shape_of_image;
    request.coordinates = where;
    return bench.sample(request)[0];
}

TEST(texture_level, edges_of_faces_clamp_or_follow_the_address_mode)
{
    // s is 1 there: column 4, which wraps to 0 or is clamped to 3.
    EXPECT_EQ(at_the_corner(tic::cube, shape::cube, 0, {1, 1, 1}), 1U);
    EXPECT_EQ(at_the_corner(tic::cube, shape::cube, 1, {1, 1, 1}), 4U);
    EXPECT_EQ(at_the_corner(tic::cube, shape::cube, 3, {1, 1, 1}), 4U);
    // Only cubes have faces.
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
    for (const auto shape_of_image : {shape::two_d, shape::array_2d}) {
        request.shape = shape_of_image;
        request.layer = 1;
        EXPECT_EQ(array.sample(request)[0], shape_of_image == shape::array_2d ? 9U : 0U);
    }
}

} // namespace
} // namespace isbesim::test

// SPDX-License-Identifier: Apache-2.0
// Texels through headers: compressed blocks, comparisons, samples, and where images and memory end.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "models/texture/block_codec.h"
#include "models/texture/number.h"
#include "tests/texture/reference_layout.h"
#include "tests/texture/texture_bench.h"

namespace isbesim::test {
namespace {

/// Texel (x, y) of an image of 8 x 8 texels in blocks of 4 x 4, whose block (1, 1) has the bytes of `block`.
texel fetched(const header_words& header, const std::vector<std::uint8_t>& block, unsigned x, unsigned y)
{
    texture_bench bench(header_words(header).size(8, 8, 1));
    const auto width = static_cast<unsigned>(block.size());
    for (unsigned i = 0; i < width; ++i) bench.image()[reference_layout::in_gob(width + i, 1)] = block[i];
    texture::fetch_request request;
    request.coordinates = {static_cast<std::int32_t>(4 + x), static_cast<std::int32_t>(4 + y), 0};
    return bench.fetch(request);
}

TEST(texture_texel, blocks_of_every_compressed_format)
{
    std::mt19937 random{7};
    for (unsigned round = 0; round < 40; ++round) {
        std::vector<std::uint8_t> block(16);
        for (auto& each : block) each = static_cast<std::uint8_t>(random());
        const std::vector<std::uint8_t> first_half(block.begin(), block.begin() + 8);
        const unsigned x = random() % 4, y = random() % 4;
        const auto words = [](const std::array<float, 4>& values) {
            return texel{to_bits(values[0]), to_bits(values[1]), to_bits(values[2]), to_bits(values[3])};
        };
        // The decoders themselves are tested in block_test.cpp: which of them, on which bytes, in which channel.
        const auto unorm = header_words().format(0x24, tic::unorm);
        EXPECT_EQ(fetched(unorm, first_half, x, y), words(texture::decode_color_block(block.data(), x, y, false)));
        auto color = texture::decode_color_block(block.data() + 8, x, y, true);
        color[3] = texture::decode_explicit_alpha(block.data(), x, y);
        EXPECT_EQ(fetched(header_words().format(0x25, tic::unorm), block, x, y), words(color));
        color[3] = texture::decode_ramp_block(block.data(), x, y, false);
        EXPECT_EQ(fetched(header_words().format(0x26, tic::unorm), block, x, y), words(color));
        for (const bool with_sign : {false, true}) {
            const unsigned type = with_sign ? tic::snorm : tic::unorm;
            const float red = texture::decode_ramp_block(block.data(), x, y, with_sign);
            const float green = texture::decode_ramp_block(block.data() + 8, x, y, with_sign);
            EXPECT_EQ(fetched(header_words().format(0x27, type), first_half, x, y), words({red, 0, 0, 0}));
            EXPECT_EQ(fetched(header_words().format(0x28, type), block, x, y), words({red, green, 0, 0}));
        }
        // sRGB: colours on the curve, alpha not.
        for (auto& each : {0U, 1U, 2U}) color[each] = texture::srgb_to_linear(color[each]);
        EXPECT_EQ(fetched(header_words().format(0x26, tic::unorm).srgb(), block, x, y), words(color));
        const auto bytes = texture::decode_bc7(block.data(), x, y);
        texel linear{}, curved{};
        for (unsigned i = 0; i < 4; ++i) {
            linear[i] = to_bits(texture::unorm_to_float(bytes[i], 8));
            curved[i] = i < 3 ? to_bits(texture::srgb8_to_linear(bytes[i])) : linear[i];
        }
        EXPECT_EQ(fetched(header_words().format(0x17, tic::unorm), block, x, y), linear);
        EXPECT_EQ(fetched(header_words().format(0x17, tic::unorm).srgb(), block, x, y), curved);
    }
}

TEST(texture_texel, every_comparison_of_less_equal_and_more)
{
    // GL 4.6, table 8.19 (never, less, equal, ... as the sampler numbers them): reference against depth 0.5.
    const bool wanted[8][3] = {{false, false, false}, {true, false, false}, {false, true, false}, {true, true, false},
                               {false, false, true},  {true, false, true},  {false, true, true},  {true, true, true}};
    for (unsigned function = 0; function < 8; ++function) {
        texture_bench bench(header_words().size(1, 1, 1).format(0x2f, tic::floating),
                            sampler_words().compare(function));
        const word depth = to_bits(0.5F);
        std::memcpy(bench.image(), &depth, 4);
        for (unsigned k = 0; k < 3; ++k) {
            texture::sample_request request;
            request.compare = true;
            request.reference = 0.25F + 0.25F * static_cast<float>(k);
            EXPECT_EQ(bench.sample(request)[0], to_bits(wanted[function][k] ? 1.0F : 0.0F))
                << function << ", reference " << request.reference;
        }
        // Depth that is not fixed-point: the reference is not clamped.
        const word two = to_bits(2.0F);
        std::memcpy(bench.image(), &two, 4);
        texture::sample_request request;
        request.compare = true;
        request.reference = 3;
        EXPECT_EQ(bench.sample(request)[0], to_bits(wanted[function][2] ? 1.0F : 0.0F)) << function;
    }
}

TEST(texture_texel, borders_compare_and_clamp_by_the_format)
{
    constexpr unsigned to_border = 3;
    for (const unsigned type : {tic::unorm, 6U}) { // both are fixed point
        texture_bench bench(header_words().size(1, 1, 1).format(0x3a, type),
                            sampler_words().wrap(to_border).compare(2).border(7, 0, 0, 0));
        texture::sample_request request;
        request.coordinates = {-1, 0.5F, 0};
        request.compare = true;
        request.reference = 9; // 1, as the border
        EXPECT_EQ(bench.sample(request)[0], to_bits(1.0F)) << type;
    }
    for (const unsigned type : {tic::snorm, 5U}) {
        texture_bench bench(header_words().size(1, 1, 1).format(0x08, type),
                            sampler_words().wrap(to_border).border(-7, 0.5F, 7, 0));
        texture::sample_request request;
        request.coordinates = {-1, 0.5F, 0};
        EXPECT_EQ(bench.sample(request), (texel{to_bits(-1.0F), to_bits(0.5F), to_bits(1.0F), to_bits(0.0F)})) << type;
    }
}

TEST(texture_texel, samples_lie_at_nouveaus_places)
{
    // nvc0_context.c, nvc0_context_get_sample_locations: 16ths of a pixel.
    const std::vector<std::vector<std::array<unsigned, 2>>> places = {
        {{8, 8}},
        {{4, 4}, {12, 12}},
        {{6, 2}, {14, 6}, {2, 10}, {10, 14}},
        {{1, 7}, {5, 3}, {3, 13}, {7, 11}, {9, 5}, {15, 1}, {11, 15}, {13, 9}}};
    for (unsigned mode = 0; mode < 4; ++mode) {
        texture_bench bench(header_words().size(4, 4, 1).set(232, 4, mode));
        const auto count = static_cast<std::int32_t>(places[mode].size());
        for (std::int32_t i = -1; i <= count; ++i) {
            texel got{1, 1, 1, 1}, wanted{};
            ASSERT_EQ(bench.unit.query_header({}, texture::query::sampler_pos, i, got), fault::none);
            for (unsigned c = 0; c < 2 && i >= 0 && i < count; ++c)
                wanted[c] = to_bits(static_cast<float>(places[mode][static_cast<unsigned>(i)][c]) / 16);
            EXPECT_EQ(got, wanted) << mode << ", sample " << i;
        }
        texel type{};
        ASSERT_EQ(bench.unit.query_header({}, texture::query::texture_type, 0, type), fault::none);
        EXPECT_EQ(type, (texel{tic::two_d, 0, 1U << mode, 0}));
    }
}

TEST(texture_texel, headers_are_read_for_textures_and_for_surfaces)
{
    // With two samples a pixel, a texture has its width in pixels, a surface in samples.
    for (const bool surface_first : {false, true}) {
        texture_bench bench(header_words().size(4, 1, 1).set(232, 4, 1).format(0x0f, tic::uint));
        bench.image()[reference_layout::in_gob(4 * 7, 0)] = 9;
        texture::fetch_request fetch;
        fetch.coordinates = {3, 0, 0};
        fetch.sample = 1;
        texture::surface_request surface;
        surface.coordinates = {7, 0, 0};
        if (surface_first) {
            EXPECT_EQ(bench.load(surface)[0], 0U);
        }
        EXPECT_EQ(bench.fetch(fetch)[0], 9U);
        EXPECT_EQ(bench.load(surface)[0], 0U);
    }
    header_words empty;
    empty.words = {};
    texture_bench bench(empty);
    std::memset(bench.memory->find(headers_at, 32), 0, 32);
    texel got{};
    EXPECT_EQ(bench.unit.fetch({}, got), fault::unsupported_format) << "the first header of all";
}

TEST(texture_texel, fetches_far_away_read_0)
{
    texture_bench bench(header_words().size(4, 4, 1).set(232, 4, 3).format(0x0f, tic::uint).tile(1, 0), sampler_words(),
                        4096);
    std::memset(bench.image(), 0xff, 4096);
    texture::fetch_request request;
    EXPECT_EQ(bench.fetch(request)[0], ~0U);
    // Four samples side by side: these places are 0 modulo 2^32.
    for (const std::int32_t x : {0x40000000, -0x40000000, -1, 4}) {
        request.coordinates[0] = x;
        EXPECT_EQ(bench.fetch(request)[0], 0U) << x;
    }
    request.coordinates[0] = 0;
    for (const std::int32_t level : {-1, 1}) {
        request.level = level;
        EXPECT_EQ(bench.fetch(request)[0], 0U) << level;
    }
    // The layer counts for shapes that have one.
    request.level = 0;
    request.layer = 7;
    EXPECT_EQ(bench.fetch(request)[0], ~0U);
}

TEST(texture_texel, layers_and_slices_end_at_their_headers_limits)
{
    for (const bool by_layer : {true, false}) {
        texture_bench bench(
            header_words().type(by_layer ? tic::array_2d : tic::three_d).size(4, 4, 3).format(0x0f, tic::uint),
            sampler_words(), 4096);
        std::memset(bench.image(), 0xff, 4096);
        for (const unsigned place : {0U, 2U, 3U}) {
            texture::fetch_request request;
            request.shape = by_layer ? shape::array_2d : shape::three_d;
            (by_layer ? request.layer : reinterpret_cast<word&>(request.coordinates[2])) = place;
            EXPECT_EQ(bench.fetch(request)[0], place < 3 ? ~0U : 0U) << place;
        }
    }
}

TEST(texture_texel, bytes_side_by_side)
{
    // Sixteen of them in tiles, a whole row of linear memory.
    texture_bench tiles(header_words().size(16, 4, 1).format(0x1d, tic::uint));
    texture_bench rows(header_words().size(64, 4, 1).format(0x1d, tic::uint).pitch(64), sampler_words(), 256);
    texture::surface_request request;
    std::uint8_t* found = nullptr;
    for (const auto& [x, count, in_tile] :
         {std::tuple{8, 8U, true}, std::tuple{0, 16U, true}, std::tuple{9, 8U, false}}) {
        request.coordinates = {x, 1, 0};
        texture_bench wide(header_words().size(64, 4, 1).format(0x1d, tic::uint));
        EXPECT_EQ(wide.unit.find_bytes(request, count, found), in_tile ? fault::none : fault::outside_memory) << x;
        ASSERT_EQ(rows.unit.find_bytes(request, count, found), fault::none);
        EXPECT_EQ(found, rows.image() + 64 + x);
    }
    request.coordinates = {0, 3, 0};
    ASSERT_EQ(tiles.unit.find_bytes(request, 16, found), fault::none);
    EXPECT_EQ(found, tiles.image() + reference_layout::in_gob(0, 3));
}

TEST(texture_texel, surfaces_end_at_their_headers_limits)
{
    texture_bench bench(header_words().type(tic::three_d).size(4, 2, 3).format(0x0f, tic::uint));
    texture::surface_request request;
    request.shape = shape::three_d;
    std::memset(bench.image(), 0xff, 512);
    for (std::int32_t z = -1; z < 4; ++z) {
        request.coordinates = {3, 1, z};
        texel got{1, 1, 1, 1};
        const fault why = bench.unit.load(request, got);
        // There is memory for the first slice only.
        EXPECT_EQ(why, z == 1 || z == 2 ? fault::outside_memory : fault::none) << z;
        EXPECT_EQ(got[0], z == 0 ? ~0U : 0U) << z;
        EXPECT_EQ(bench.unit.store(request, got), why) << z;
    }
    // A layer is not a coordinate of this shape; the last bytes of a row are part of it.
    request.coordinates = {3, 1, 0};
    request.layer = 5;
    std::uint8_t* found = nullptr;
    ASSERT_EQ(bench.unit.find_bytes(request, 4, found), fault::none);
    EXPECT_NE(found, nullptr);
    ASSERT_EQ(bench.unit.find_bytes(request, 8, found), fault::none);
    EXPECT_EQ(found, nullptr);
    request.byte_x = true;
    texel got{};
    EXPECT_EQ(bench.unit.load(request, got), fault::unsupported_format) << "bytes are not converted";
    texture_bench compressed(header_words().size(4, 4, 1).format(0x24, tic::unorm));
    EXPECT_EQ(compressed.unit.find_bytes({}, 4, found), fault::unsupported_format);
    texture_bench unusable(header_words().version(1));
    EXPECT_EQ(unusable.unit.find_bytes({}, 4, found), fault::bad_header);
    EXPECT_EQ(unusable.unit.load({}, got), fault::bad_header);
    EXPECT_EQ(unusable.unit.gather({}, got), fault::bad_header);
    EXPECT_EQ(unusable.unit.query_header({}, texture::query::dimension, 0, got), fault::bad_header);
    texture::level_of_detail level;
    EXPECT_EQ(unusable.unit.query_level({}, level), fault::bad_header);
}

} // namespace
} // namespace isbesim::test

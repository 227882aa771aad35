// SPDX-License-Identifier: Apache-2.0
// Cases of filters that can be worked out by hand, and what the random ones leave out.
#include <cmath>

#include <gtest/gtest.h>

#include "models/texture/cube.h"
#include "tests/texture/reference_layout.h"
#include "tests/texture/texture_bench.h"

namespace isbesim::test {
namespace {

constexpr unsigned wrap = 0, edge = 2, to_border = 3;

/// One row of red floats.
texture_bench row_of(const std::vector<float>& values, const sampler_words& sampler, header_words header = {})
{
    header.size(static_cast<unsigned>(values.size()), 1, 1).format(0x0f, tic::floating);
    texture_bench bench(header, sampler, 4096);
    for (unsigned i = 0; i < values.size(); ++i)
        std::memcpy(bench.image() + i * 4 / 64 * 512 + reference_layout::in_gob(4 * i % 64, 0), &values[i], 4);
    return bench;
}

float sample_row(texture_bench& bench, float x)
{
    texture::sample_request request;
    request.shape = shape::one_d;
    request.coordinates = {x, 0, 0};
    return to_float(bench.sample(request)[0]);
}

TEST(texture_filter, texels_without_weight_are_not_mixed_in)
{
    auto bench = row_of({1, INFINITY, 5, NAN}, sampler_words().wrap(edge).filters(2, 2, 1));
    EXPECT_EQ(sample_row(bench, 0.125F), 1);
    EXPECT_EQ(sample_row(bench, 0.625F), 5);
    EXPECT_EQ(sample_row(bench, 0.25F), INFINITY);
    EXPECT_TRUE(std::isnan(sample_row(bench, 0.75F)));
}

TEST(texture_filter, coordinates_far_away_and_none_at_all)
{
    auto repeats = row_of({1, 3, 5}, sampler_words().wrap(wrap));
    EXPECT_EQ(sample_row(repeats, 0x1p60F), 1 + 2 * std::fmod(0x1p60F * 3, 3.0F)); // an integer multiple of the image
    EXPECT_EQ(sample_row(repeats, NAN), 1);
    EXPECT_EQ(sample_row(repeats, INFINITY), 1);
    auto clamps = row_of({1, 3, 5}, sampler_words().wrap(edge));
    EXPECT_EQ(sample_row(clamps, 0x1p60F), 5);
    EXPECT_EQ(sample_row(clamps, -INFINITY), 1);
    EXPECT_EQ(sample_row(clamps, NAN), 1);

    texture_bench cube(header_words().type(tic::cube).size(2, 2, 1).format(0x0f, tic::floating),
                       sampler_words().filters(2, 2, 1).seamless(), 4096);
    constexpr float one = 1;
    for (unsigned i = 0; i < 4096; i += 4) std::memcpy(cube.image() + i, &one, 4);
    texture::sample_request request;
    request.shape = shape::cube;
    request.coordinates = {INFINITY, INFINITY, INFINITY}; // both coordinates of the face are NaN
    EXPECT_EQ(cube.sample(request)[0], to_bits(one));
    request.coordinates = {NAN, 1, 0};
    EXPECT_EQ(cube.sample(request)[0], to_bits(one));
    request.coordinates = {0, 0, 1};
    request.offset = {-8, -8, 0};
    EXPECT_EQ(cube.sample(request)[0], to_bits(one));
}

TEST(texture_filter, minimum_and_maximum_of_the_texels_with_weight)
{
    auto least = row_of({4, 3, 5, 9}, sampler_words().filters(2, 2, 1).set(42, 2, 1));
    EXPECT_EQ(sample_row(least, 0.55F), 3);
    EXPECT_EQ(sample_row(least, 0.625F), 5); // texel 2 alone
    auto greatest = row_of({4, 3, 5, 9}, sampler_words().filters(2, 2, 1).set(42, 2, 2));
    EXPECT_EQ(sample_row(greatest, 0.45F), 5);
}

TEST(texture_filter, border_colors_are_not_swizzled_but_clamped)
{
    texture::sample_request request;
    request.coordinates = {-1, 0.5F, 0};
    const auto sampler = sampler_words().wrap(to_border).border(0.25F, 2, -2, 0.5F);
    texture_bench unorm(header_words().size(4, 4, 1).sources({tic::b, tic::g, tic::r, tic::a}), sampler);
    EXPECT_EQ(unorm.sample(request), (texel{to_bits(0.25F), to_bits(1.0F), to_bits(0.0F), to_bits(0.5F)}));
    texture_bench snorm(header_words().size(4, 4, 1).format(0x08, tic::snorm), sampler);
    EXPECT_EQ(snorm.sample(request), (texel{to_bits(0.25F), to_bits(1.0F), to_bits(-1.0F), to_bits(0.5F)}));
    texture_bench real(header_words().size(4, 4, 1).format(0x01, tic::floating), sampler, 1024);
    EXPECT_EQ(real.sample(request), (texel{to_bits(0.25F), to_bits(2.0F), to_bits(-2.0F), to_bits(0.5F)}));
    texture_bench integer(header_words().size(4, 4, 1).format(0x08, tic::uint), sampler);
    EXPECT_EQ(integer.sample(request)[1], to_bits(2.0F));
}

TEST(texture_filter, integers_are_taken_from_one_texel)
{
    texture_bench bench(header_words().size(4, 1, 1).format(0x1d, tic::sint), sampler_words().filters(2, 2, 3));
    const std::int8_t values[] = {-5, 7, 9, 11};
    std::memcpy(bench.image(), values, 4);
    texture::sample_request request;
    request.coordinates = {0.45F, 0.5F, 0};
    EXPECT_EQ(bench.sample(request)[0], 7U);
}

TEST(texture_filter, samplers_may_leave_srgb_as_it_is)
{
    texture_bench bench(header_words().size(1, 1, 1).srgb(), sampler_words().set(13, 1, 0));
    bench.image()[0] = 51;
    EXPECT_EQ(bench.sample({})[0], to_bits(0.2F));
}

TEST(texture_filter, depth_comparisons_read_depth_and_give_1_or_0_in_place_of_it)
{
    // Depth in green, as S8_UINT_Z24_UNORM has it; the result takes the place of the channel.
    texture_bench bench(header_words()
                            .size(1, 1, 1)
                            .format(0x29, tic::uint)
                            .set(10, 3, tic::unorm)
                            .sources({tic::g, tic::g, tic::g, tic::one_float}),
                        sampler_words().compare(3));
    const word bits = 0x800000U << 8 | 0xff; // 0.50000003
    std::memcpy(bench.image(), &bits, 4);
    texture::sample_request request;
    request.compare = true;
    for (const auto& [reference, wanted] : {std::pair{0.5F, 1.0F}, std::pair{0.6F, 0.0F}, std::pair{-3.0F, 1.0F}}) {
        request.reference = reference;
        EXPECT_EQ(bench.sample(request), (texel{to_bits(wanted), to_bits(wanted), to_bits(wanted), to_bits(1.0F)}))
            << reference;
    }
    // Fixed-point depth: the reference is clamped, so 7 is 1.
    const word one = 0xffffff00U;
    std::memcpy(bench.image(), &one, 4);
    request.reference = 7;
    EXPECT_EQ(bench.sample(request)[0], to_bits(1.0F));
}

TEST(texture_filter, gathers_choose_a_component_after_the_sources)
{
    texture_bench bench(
        header_words().size(2, 2, 1).format(0x08, tic::uint).sources({tic::a, tic::r, tic::one_int, tic::g}));
    for (unsigned i = 0; i < 4; ++i)
        for (unsigned c = 0; c < 4; ++c)
            bench.image()[reference_layout::in_gob(i % 2 * 4 + c, i / 2)] = static_cast<std::uint8_t>(10 * c + i);
    texture::gather_request request;
    request.coordinates = {0.5F, 0.5F, 0};
    const texel wanted[] = {{32, 33, 31, 30}, {2, 3, 1, 0}, {1, 1, 1, 1}, {12, 13, 11, 10}};
    for (unsigned c = 0; c < 4; ++c) {
        request.component = c;
        EXPECT_EQ(bench.gather(request), wanted[c]);
    }
}

TEST(texture_filter, gathers_with_four_offsets_take_one_texel_of_each_footprint)
{
    texture_bench bench(header_words().size(16, 8, 1).format(0x1d, tic::uint), sampler_words().wrap(wrap));
    for (unsigned y = 0; y < 8; ++y)
        for (unsigned x = 0; x < 16; ++x)
            bench.image()[reference_layout::in_gob(x, y)] = static_cast<std::uint8_t>(16 * y + x);
    texture::gather_request request;
    request.coordinates = {5.5F / 16, 3.5F / 8, 0}; // texels 5 and 6 (weight 0), 3 and 4
    request.four_offsets = true;
    request.offsets = {{{0, 0}, {3, 1}, {-8, -1}, {31, -32}}};
    EXPECT_EQ(bench.gather(request), (texel{16 * 3 + 5, 16 * 4 + 8, 16 * 2 + 13, 16 * 3 + 4}));
}

TEST(texture_filter, faces_of_a_cube)
{
    struct row {
        texture::direction direction;
        unsigned face;
        float s, t;
    };
    // The table of OpenGL 4.3, 8.13: sc and tc over the largest component.
    for (const row& each : {row{{2, 1, 0.5F}, 0, 0.375F, 0.25F}, row{{-2, 1, 0.5F}, 1, 0.625F, 0.25F},
                            row{{1, 2, 0.5F}, 2, 0.75F, 0.625F}, row{{1, -2, 0.5F}, 3, 0.75F, 0.375F},
                            row{{1, 0.5F, 2}, 4, 0.75F, 0.375F}, row{{1, 0.5F, -2}, 5, 0.25F, 0.375F},
                            row{{1, 1, 1}, 4, 1, 0}, row{{-1, 1, 0.5F}, 2, 0, 0.75F}}) {
        const auto got = texture::project(each.direction);
        EXPECT_EQ(got.face, each.face);
        EXPECT_EQ(got.s, each.s);
        EXPECT_EQ(got.t, each.t);
    }
    EXPECT_EQ(texture::project({0, 0, 0}).s, 0.5F);
}

TEST(texture_filter, a_level_half_way_is_the_even_one)
{
    reference_shape shape;
    shape.width = 16;
    shape.height = 1;
    shape.last_level = 4;
    const reference_layout layout(shape);
    texture_bench bench(header_words().type(tic::one_d).size(16, 1, 1).format(0x0f, tic::uint).levels(4, 0, 4),
                        sampler_words().filters(1, 1, 2), layout.layer_bytes());
    for (unsigned level = 0; level < 5; ++level)
        bench.image()[layout.level_offset(level)] = static_cast<std::uint8_t>(level);
    texture::sample_request request;
    request.shape = texture::shape::one_d;
    request.level = texture::level_mode::explicit_level;
    for (const auto& [lod, level] :
         {std::pair{0.5F, 0U}, std::pair{0.51F, 1U}, std::pair{1.5F, 2U}, std::pair{2.5F, 2U}, std::pair{9.0F, 4U}}) {
        request.level_value = lod;
        EXPECT_EQ(bench.sample(request)[0], level) << lod;
    }
}

TEST(texture_filter, a_header_s_least_level_counts_from_the_image_s_first)
{
    texture_bench bench(header_words().size(16, 1, 1).levels(4, 1, 4).set(236, 12, 0x280),
                        sampler_words().filters(1, 1, 3), 8192);
    texture::level_of_detail got;
    ASSERT_EQ(bench.unit.query_level({}, got), fault::none);
    EXPECT_EQ(got.clamped, 0x180U);
}

} // namespace
} // namespace isbesim::test

// SPDX-License-Identifier: Apache-2.0
// Sizes, samples and levels that programs ask for, and fetches of samples.
#include <gtest/gtest.h>

#include "tests/texture/reference_layout.h"
#include "tests/texture/texture_bench.h"

namespace isbesim::test {
namespace {

using texture::query;

texel asked(const header_words& header, query what, std::int32_t argument)
{
    texture_bench bench(header);
    texel got{};
    EXPECT_EQ(bench.unit.query_header({}, what, argument, got), fault::none);
    return got;
}

TEST(texture_query, sizes_of_a_level_of_every_type)
{
    const auto of = [](unsigned type) { return header_words().type(type).size(40, 20, 7).levels(5, 0, 5); };
    EXPECT_EQ(asked(of(tic::two_d), query::dimension, 0), (texel{40, 20, 7, 6}));
    EXPECT_EQ(asked(of(tic::two_d), query::dimension, 3), (texel{5, 2, 7, 6}));
    EXPECT_EQ(asked(of(tic::three_d), query::dimension, 1), (texel{20, 10, 3, 6}));
    EXPECT_EQ(asked(of(tic::array_2d), query::dimension, 1), (texel{20, 10, 7, 6}));
    EXPECT_EQ(asked(of(tic::array_cube), query::dimension, 2), (texel{10, 5, 7, 6}));
    EXPECT_EQ(asked(of(tic::array_1d), query::dimension, 5), (texel{1, 7, 1, 6})); // layers follow the width
    EXPECT_EQ(asked(header_words().buffer(1000000), query::dimension, 0), (texel{1000000, 1, 1, 1}));
}

TEST(texture_query, levels_count_from_the_view_s_first)
{
    const auto header = header_words().size(40, 20, 1).levels(5, 2, 4);
    EXPECT_EQ(asked(header, query::dimension, 0), (texel{10, 5, 1, 3}));
    EXPECT_EQ(asked(header, query::dimension, 2), (texel{2, 1, 1, 3}));
    EXPECT_EQ(asked(header, query::dimension, 3), (texel{0, 0, 0, 3}));
    EXPECT_EQ(asked(header, query::dimension, -1), (texel{0, 0, 0, 3}));
}

TEST(texture_query, samples_in_the_third_component)
{
    for (unsigned mode = 0; mode < 4; ++mode)
        EXPECT_EQ(asked(header_words().size(4, 4, 1).set(232, 4, mode), query::texture_type, 0)[2], 1U << mode);
}

TEST(texture_query, places_of_samples_lie_in_the_pixel_and_differ)
{
    for (unsigned mode = 0; mode < 4; ++mode)
        for (std::int32_t i = 0; i < 1 << mode; ++i) {
            const texel at = asked(header_words().set(232, 4, mode), query::sampler_pos, i);
            for (unsigned c = 0; c < 2; ++c) {
                EXPECT_GT(to_float(at[c]), 0);
                EXPECT_LT(to_float(at[c]), 1);
            }
            if (i > 0) {
                EXPECT_NE(at, asked(header_words().set(232, 4, mode), query::sampler_pos, i - 1));
            }
        }
    EXPECT_EQ(asked(header_words().set(232, 4, 2), query::sampler_pos, 0),
              (texel{to_bits(0.375F), to_bits(0.125F), 0, 0}));
    EXPECT_EQ(asked(header_words().set(232, 4, 2), query::sampler_pos, 4), texel{});
}

TEST(texture_query, levels_of_detail_in_256ths)
{
    texture_bench bench(header_words().size(256, 256, 1).levels(4, 1, 3),
                        sampler_words().filters(1, 1, 3).bias(64).lod(0, 0x1c0));
    const auto level = [&](float lod) {
        texture::sample_request request;
        request.level = texture::level_mode::explicit_level;
        request.level_value = lod;
        texture::level_of_detail got;
        EXPECT_EQ(bench.unit.query_level(request, got), fault::none);
        return got;
    };
    EXPECT_EQ(level(0.5F).computed, 0xc0U);
    EXPECT_EQ(level(0.5F).clamped, 0xc0U);
    EXPECT_EQ(level(7).computed, 0x740U);
    EXPECT_EQ(level(7).clamped, 0x1c0U); // the sampler's limit
    EXPECT_EQ(level(-3).computed, static_cast<word>(-0x2c0));
    EXPECT_EQ(level(-3).clamped, 0U);
    bench.change(sampler_words().filters(1, 1, 2));
    EXPECT_EQ(level(1.4F).clamped, 0x100U);
    EXPECT_EQ(level(9).clamped, 0x200U); // the view's last
    bench.change(sampler_words().filters(1, 1, 1));
    EXPECT_EQ(level(1.4F).clamped, 0U);
}

TEST(texture_query, samples_of_a_pixel_lie_as_nouveau_s_table_says)
{
    // nvc0_screen.c, offsets of the samples 0 to 7.
    constexpr unsigned offsets[][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 0}, {3, 0}, {2, 1}, {3, 1}};
    for (unsigned mode = 0; mode < 4; ++mode) {
        texture_bench bench(header_words().size(3, 3, 1).set(232, 4, mode).format(0x1d, tic::uint));
        const unsigned across = mode == 3 ? 4 : mode != 0 ? 2 : 1;
        const unsigned down = mode >= 2 ? 2 : 1;
        for (unsigned y = 0; y < 3 * down; ++y)
            for (unsigned x = 0; x < 3 * across; ++x)
                bench.image()[reference_layout::in_gob(x, y)] = static_cast<std::uint8_t>(16 * y + x);
        texture::fetch_request request;
        request.at = {2, 1, 0};
        for (unsigned i = 0; i < 1U << mode; ++i) {
            request.sample = i;
            EXPECT_EQ(bench.fetch(request)[0], 16 * (down + offsets[i][1]) + 2 * across + offsets[i][0])
                << "mode " << mode << ", sample " << i;
        }
        request.sample = 1U << mode;
        EXPECT_EQ(bench.fetch(request), texel{});
    }
}

} // namespace
} // namespace isbesim::test

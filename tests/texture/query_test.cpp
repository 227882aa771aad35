// SPDX-License-Identifier: Apache-2.0
// Requests without filters: queries of sizes, samples and levels, and fetches.
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
    const auto level_size = [](unsigned type) { return header_words().type(type).size(40, 20, 7).levels(5, 0, 5); };
    EXPECT_EQ(asked(level_size(tic::two_d), query::dimension, 0), (texel{40, 20, 7, 6}));
    EXPECT_EQ(asked(level_size(tic::two_d), query::dimension, 3), (texel{5, 2, 7, 6}));
    EXPECT_EQ(asked(level_size(tic::three_d), query::dimension, 1), (texel{20, 10, 3, 6}));
    EXPECT_EQ(asked(level_size(tic::array_2d), query::dimension, 1), (texel{20, 10, 7, 6}));
    EXPECT_EQ(asked(level_size(tic::array_cube), query::dimension, 2), (texel{10, 5, 7, 6}));
    EXPECT_EQ(asked(level_size(tic::array_1d), query::dimension, 5), (texel{1, 7, 1, 6})); // layers follow the width
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
            const texel position = asked(header_words().set(232, 4, mode), query::sampler_pos, i);
            for (unsigned c = 0; c < 2; ++c) {
                EXPECT_GT(to_float(position[c]), 0);
                EXPECT_LT(to_float(position[c]), 1);
            }
            if (i > 0) {
                EXPECT_NE(position, asked(header_words().set(232, 4, mode), query::sampler_pos, i - 1));
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

TEST(texture_query, samples_of_a_pixel_follow_mesas_tables)
{
    // nvc0_screen.c, offsets of the samples 0 to 7; NVK's nil/image.rs of Direct3D's orders.
    using table = unsigned[8][2];
    constexpr table nouveau = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 0}, {3, 0}, {2, 1}, {3, 1}};
    constexpr table d3d_eight = {{2, 0}, {1, 1}, {3, 1}, {1, 0}, {0, 1}, {0, 0}, {2, 1}, {3, 0}};
    constexpr table d3d_two = {{1, 0}, {0, 0}};
    for (unsigned mode = 0; mode < 6; ++mode) {
        const auto& offsets = mode == 4 ? d3d_eight : mode == 5 ? d3d_two : nouveau;
        const unsigned samples = mode == 4 ? 8 : mode == 5 ? 2 : 1U << mode;
        texture_bench bench(header_words().size(3, 3, 1).set(232, 4, mode).format(0x1d, tic::uint));
        const unsigned across = samples == 8 ? 4 : samples != 1 ? 2 : 1;
        const unsigned down = samples >= 4 ? 2 : 1;
        for (unsigned y = 0; y < 3 * down; ++y)
            for (unsigned x = 0; x < 3 * across; ++x)
                bench.image()[reference_layout::in_gob(x, y)] = static_cast<std::uint8_t>(16 * y + x);
        texture::fetch_request request;
        request.coordinates = {2, 1, 0};
        for (unsigned i = 0; i < samples; ++i) {
            request.sample = i;
            EXPECT_EQ(bench.fetch(request)[0], 16 * (down + offsets[i][1]) + 2 * across + offsets[i][0])
                << "mode " << mode << ", sample " << i;
        }
        request.sample = samples;
        EXPECT_EQ(bench.fetch(request), texel{});
    }
}

texture::fetch_request fetch_at(std::int32_t x, std::int32_t y, std::int32_t level = 0)
{
    texture::fetch_request request;
    request.coordinates = {x, y, 0};
    request.level = level;
    return request;
}

TEST(texture_fetch, a_pitch_image_row_by_row)
{
    texture_bench bench(header_words().size(5, 3, 1).pitch(64).format(0x08, tic::uint), sampler_words(), 64 * 3);
    for (unsigned y = 0; y < 3; ++y)
        for (unsigned x = 0; x < 5; ++x) bench.image()[64 * y + 4 * x + 2] = static_cast<std::uint8_t>(10 * y + x + 1);
    for (std::int32_t y = 0; y < 3; ++y)
        for (std::int32_t x = 0; x < 5; ++x) {
            EXPECT_EQ(bench.fetch(fetch_at(x, y)), (texel{0, 0, static_cast<word>(10 * y + x + 1), 0}));
        }
}

TEST(texture_fetch, beyond_the_edges_and_levels_all_components_are_0)
{
    texture_bench bench(header_words().size(5, 3, 1).pitch(64).sources({tic::r, tic::g, tic::b, tic::one_float}),
                        sampler_words(), 64 * 3);
    EXPECT_EQ(to_float(bench.fetch(fetch_at(4, 2))[3]), 1);
    for (const auto& request :
         {fetch_at(5, 0), fetch_at(-1, 0), fetch_at(0, 3), fetch_at(0, -1), fetch_at(0, 0, 1), fetch_at(0, 0, -1)}) {
        EXPECT_EQ(bench.fetch(request), texel{});
    }
}

TEST(texture_fetch, offsets_count_before_the_edges_do)
{
    texture_bench bench(header_words().size(8, 8, 1).pitch(32).format(0x0f, tic::uint), sampler_words(), 32 * 8);
    for (unsigned i = 0; i < 64; ++i) bench.image()[4 * i] = static_cast<std::uint8_t>(i);
    auto request = fetch_at(9, -3);
    request.offset = {-6, 5, 0};
    EXPECT_EQ(bench.fetch(request)[0], 8 * 2 + 3);
}

TEST(texture_fetch, a_buffer_has_2_to_the_27_elements_and_any_alignment)
{
    texture_bench bench(header_words().buffer(1U << 27).format(0x1b, tic::uint), sampler_words(), 32);
    bench.image()[6] = 0x34;
    bench.image()[7] = 0x12;
    auto request = fetch_at(3, 0);
    request.shape = shape::one_d;
    texel result{};
    EXPECT_EQ(bench.fetch(request)[0], 0x1234);
    request.coordinates[0] = 16; // inside, but no memory is there
    EXPECT_EQ(bench.unit.fetch(request, result), fault::outside_memory);
    request.coordinates[0] = 1 << 27;
    EXPECT_EQ(bench.fetch(request), texel{});
}

} // namespace
} // namespace isbesim::test

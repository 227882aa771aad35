// SPDX-License-Identifier: Apache-2.0
// Fetches, sizes, image loads and stores: what does without a sampler.
#include <gtest/gtest.h>

#include "tests/texture/texture_bench.h"

namespace isbesim::test {
namespace {

texture::fetch_request texel_at(std::int32_t x, std::int32_t y, std::int32_t level = 0)
{
    texture::fetch_request request;
    request.at = {x, y, 0};
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
            EXPECT_EQ(bench.fetch(texel_at(x, y)), (texel{0, 0, static_cast<word>(10 * y + x + 1), 0}));
        }
}

TEST(texture_fetch, beyond_the_edges_and_levels_all_components_are_0)
{
    texture_bench bench(header_words().size(5, 3, 1).pitch(64).sources({tic::r, tic::g, tic::b, tic::one_float}),
                        sampler_words(), 64 * 3);
    EXPECT_EQ(to_float(bench.fetch(texel_at(4, 2))[3]), 1);
    for (const auto& request :
         {texel_at(5, 0), texel_at(-1, 0), texel_at(0, 3), texel_at(0, -1), texel_at(0, 0, 1), texel_at(0, 0, -1)}) {
        EXPECT_EQ(bench.fetch(request), texel{});
    }
}

TEST(texture_fetch, offsets_count_before_the_edges_do)
{
    texture_bench bench(header_words().size(8, 8, 1).pitch(32).format(0x0f, tic::uint), sampler_words(), 32 * 8);
    for (unsigned i = 0; i < 64; ++i) bench.image()[4 * i] = static_cast<std::uint8_t>(i);
    auto request = texel_at(9, -3);
    request.offset = {-6, 5, 0};
    EXPECT_EQ(bench.fetch(request)[0], 8 * 2 + 3);
}

TEST(texture_fetch, a_buffer_has_2_to_the_27_elements_and_any_alignment)
{
    texture_bench bench(header_words().buffer(1U << 27).format(0x1b, tic::uint), sampler_words(), 32);
    bench.image()[6] = 0x34;
    bench.image()[7] = 0x12;
    auto request = texel_at(3, 0);
    request.shape = shape::one_d;
    texel result{};
    EXPECT_EQ(bench.fetch(request)[0], 0x1234);
    request.at[0] = 16; // inside, but no memory is there
    EXPECT_EQ(bench.unit.fetch(request, result), fault::outside_memory);
    request.at[0] = 1 << 27;
    EXPECT_EQ(bench.fetch(request), texel{});
}

} // namespace
} // namespace isbesim::test

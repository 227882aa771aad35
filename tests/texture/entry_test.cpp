// SPDX-License-Identifier: Apache-2.0
// Headers and samplers: fields, tables, and faults.
#include <random>

#include <gtest/gtest.h>

#include "models/texture/header.h"
#include "models/texture/sampler.h"
#include "tests/texture/texture_bench.h"

namespace isbesim::test {
namespace {

using namespace texture;

header decoded(const header_words& words)
{
    header result;
    EXPECT_EQ(decode_header(words.words, result), fault::none);
    return result;
}

TEST(texture_header, block_linear_fields)
{
    const header h = decoded(header_words()
                                 .address(0x123456789e00)
                                 .size(1000, 700, 300)
                                 .type(tic::array_2d)
                                 .tile(4, 0)
                                 .levels(9, 2, 7)
                                 .set(236, 12, 0x180));
    EXPECT_EQ(h.layout, memory_layout::block_linear);
    EXPECT_EQ(h.address, 0x123456789e00U);
    EXPECT_EQ(h.width, 1000U);
    EXPECT_EQ(h.height, 700U);
    EXPECT_EQ(h.depth, 300U);
    EXPECT_EQ(h.block_height, 4);
    EXPECT_EQ(h.last_level, 9);
    EXPECT_EQ(h.view_first, 2);
    EXPECT_EQ(h.view_last, 7);
    EXPECT_EQ(h.min_lod, 1.5F);
    EXPECT_TRUE(h.normalized);
    EXPECT_FALSE(h.srgb);
}

TEST(texture_header, turing_has_a_bit_more_of_every_size)
{
    const header h = decoded(header_words().set(64, 17, 0x10000).set(128, 17, 0x1ffff).set(145, 1, 1).set(146, 1, 1));
    EXPECT_EQ(h.address, 0x1000000000000U);
    EXPECT_EQ(h.width, 0x20000U);
    EXPECT_EQ(h.height, 0x10001U);
    EXPECT_EQ(h.depth, 0x4001U);
}

TEST(texture_header, pitch_and_buffer_fields)
{
    const header pitch = decoded(header_words().address(0x12345678ff).size(100, 50, 1).pitch(0x12340));
    EXPECT_EQ(pitch.layout, memory_layout::pitch);
    EXPECT_EQ(pitch.address, 0x12345678e0U); // the low five bits are not part of it
    EXPECT_EQ(pitch.pitch, 0x12340U);
    EXPECT_EQ(pitch.height, 50U);
    const header buffer = decoded(header_words().buffer(0x12345678).address(0x1234567891));
    EXPECT_EQ(buffer.layout, memory_layout::buffer);
    EXPECT_EQ(buffer.address, 0x1234567891U);
    EXPECT_EQ(buffer.width, 0x12345678U);
}

TEST(texture_header, views_reach_no_level_that_the_image_does_not_have)
{
    const header h = decoded(header_words().levels(3, 1, 15));
    EXPECT_EQ(h.view_last, 3);
    EXPECT_EQ(decoded(header_words().levels(3, 9, 15)).view_first, 3);
}

TEST(texture_header, samples)
{
    for (const auto& [mode, x, y] :
         {std::array{0, 0, 0}, std::array{1, 1, 0}, std::array{2, 1, 1}, std::array{3, 2, 1}}) {
        const header h = decoded(header_words().set(232, 4, static_cast<unsigned>(mode)));
        EXPECT_EQ(h.samples_x, x);
        EXPECT_EQ(h.samples_y, y);
    }
}

TEST(texture_header, what_no_driver_writes_is_a_fault)
{
    header result;
    const header_words bad[] = {header_words().version(1),
                                header_words().version(4),
                                header_words().version(5),
                                header_words().type(9),
                                header_words().type(15),
                                header_words().set(96, 3, 1),
                                header_words().set(99, 3, 6),
                                header_words().set(102, 3, 6),
                                header_words().set(106, 3, 1),
                                header_words().set(109, 1, 1),
                                header_words().set(37, 1, 1),
                                header_words().set(232, 4, 4),
                                header_words().set(232, 4, 6),
                                header_words().type(tic::buffer),
                                header_words().buffer(4).type(tic::two_d),
                                header_words().pitch(64).type(tic::three_d),
                                header_words().sources({1, 2, 3, 4})};
    for (const auto& words : bad) EXPECT_EQ(decode_header(words.words, result), fault::bad_header);
}

TEST(texture_sampler, fields)
{
    sampler s;
    const auto words =
        sampler_words().wrap(1, 4, 7).filters(2, 1, 3).lod(0x180, 0x540).bias(-0x123).compare(3).border(1, 2, 3, 4);
    ASSERT_EQ(decode_sampler(words.words, s), fault::none);
    EXPECT_EQ(s.address[0], address_mode::mirror);
    EXPECT_EQ(s.address[1], address_mode::clamp);
    EXPECT_EQ(s.address[2], address_mode::mirror_once_clamp);
    EXPECT_EQ(s.magnify, filter::linear);
    EXPECT_EQ(s.minify, filter::point);
    EXPECT_EQ(s.mip, mip_filter::linear);
    EXPECT_EQ(s.compare, comparison::less_equal);
    EXPECT_EQ(s.min_lod, 1.5F);
    EXPECT_EQ(s.max_lod, 5.25F);
    EXPECT_EQ(s.bias, -0x123 / 256.0F);
    EXPECT_EQ(s.edges, cube_edges::address_mode);
    EXPECT_EQ(s.border[3], word_of(4));
    EXPECT_FALSE(s.unnormalized);
    ASSERT_EQ(decode_sampler(sampler_words().seamless().set(57, 1, 1).set(13, 1, 0).words, s), fault::none);
    EXPECT_EQ(s.edges, cube_edges::seamless);
    EXPECT_TRUE(s.unnormalized);
    EXPECT_FALSE(s.srgb);
    EXPECT_EQ(decode_sampler(sampler_words().bias(4095).words, s), fault::none);
    EXPECT_EQ(s.bias, 4095 / 256.0F);
    EXPECT_EQ(decode_sampler(sampler_words().filters(1, 3, 1).words, s), fault::none); // anisotropic
    EXPECT_EQ(s.minify, filter::linear);
}

TEST(texture_sampler, filters_that_do_not_exist_are_a_fault)
{
    sampler s;
    for (const auto& words :
         {sampler_words().filters(0, 1, 1), sampler_words().filters(3, 1, 1), sampler_words().filters(1, 0, 1),
          sampler_words().filters(1, 1, 0), sampler_words().set(42, 2, 3)})
        EXPECT_EQ(decode_sampler(words.words, s), fault::bad_sampler);
}

TEST(texture_tables, numbers_beyond_the_tables)
{
    texture_bench bench(header_words().size(4, 4, 1), sampler_words(), 512);
    texel got{};
    sample_request request;
    EXPECT_EQ(bench.unit.sample(request, got), fault::none);
    request.handle.bits = 1;
    EXPECT_EQ(bench.unit.sample(request, got), fault::no_header);
    request.handle.bits = 1U << 20;
    EXPECT_EQ(bench.unit.sample(request, got), fault::no_sampler);
    // A table that says that it has entries where no memory is.
    texture_unit unit(bench.memory, {headers_at, samplers_at, 100, 100, 15});
    request.handle.bits = 1;
    EXPECT_EQ(unit.sample(request, got), fault::no_header);
    request.handle.bits = 1U << 20;
    EXPECT_EQ(unit.sample(request, got), fault::no_sampler);
}

TEST(texture_tables, a_header_that_changes_is_read_again)
{
    texture_bench bench(header_words().size(4, 4, 1).format(0x0f, tic::uint), sampler_words(), 512);
    bench.image()[4] = 9;
    texture::fetch_request request;
    request.at = {1, 0, 0};
    texel got{};
    ASSERT_EQ(bench.unit.fetch(request, got), fault::none);
    EXPECT_EQ(got[0], 9U);
    auto words = header_words().size(1, 1, 1).format(0x0f, tic::uint).address(image_at).words;
    std::memcpy(bench.memory->find(headers_at, 32), words.data(), 32);
    ASSERT_EQ(bench.unit.fetch(request, got), fault::none);
    EXPECT_EQ(got[0], 0U);
}

TEST(texture_tables, texels_outside_memory_are_a_fault)
{
    texture_bench bench(header_words().size(64, 8, 1), sampler_words(), 512);
    texel got{};
    texture::fetch_request request;
    request.at = {15, 7, 0};
    EXPECT_EQ(bench.unit.fetch(request, got), fault::none);
    request.at = {16, 0, 0}; // the second GOB
    EXPECT_EQ(bench.unit.fetch(request, got), fault::outside_memory);
    sample_request sample;
    sample.at = {0.9F, 0.1F, 0};
    EXPECT_EQ(bench.unit.sample(sample, got), fault::outside_memory);
}

} // namespace
} // namespace isbesim::test

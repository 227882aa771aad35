// SPDX-License-Identifier: Apache-2.0
// Images: loads, stores and bytes.
#include <gtest/gtest.h>

#include "tests/texture/reference_layout.h"
#include "tests/texture/texture_bench.h"

namespace isbesim::test {
namespace {

texture::surface_request texel_at(std::int32_t x, std::int32_t y, std::int32_t z = 0)
{
    texture::surface_request request;
    request.coordinates = {x, y, z};
    return request;
}

TEST(texture_surface, stored_texels_are_loaded_and_fetched_in_every_format)
{
    const texel floats{to_bits(0.25F), to_bits(-0.5F), to_bits(1.0F), to_bits(0.0F)};
    const texel integers{3, 0xffffffffU, 0x7fffffffU, 0x80000000U};
    struct row {
        unsigned sizes, type;
        texel value, wanted;
    };
    const row rows[] = {
        {0x01, tic::floating, floats, floats},
        {0x03, tic::floating, floats, floats},
        {0x01, tic::sint, integers, integers},
        {0x08, tic::unorm, floats, {to_bits(64 / 255.0F), 0, to_bits(1.0F), 0}},
        {0x08, tic::snorm, floats, {to_bits(32 / 127.0F), to_bits(-64 / 127.0F), to_bits(1.0F), 0}},
        {0x08, tic::sint, integers, {3, 0xffffffffU, 127, 0xffffff80U}},
        {0x08, tic::uint, integers, {3, 255, 255, 255}},
        {0x09, tic::uint, integers, {3, 1023, 1023, 3}},
        {0x09, tic::unorm, floats, {to_bits(256 / 1023.0F), 0, to_bits(1.0F), 0}},
    };
    for (const row& each : rows) {
        texture_bench bench(header_words().size(6, 5, 1).format(each.sizes, each.type), sampler_words(), 1024);
        ASSERT_EQ(bench.unit.store(texel_at(3, 4), each.value), fault::none);
        EXPECT_EQ(bench.load(texel_at(3, 4)), each.wanted) << each.sizes << " of type " << each.type;
        texture::fetch_request fetch;
        fetch.coordinates = {3, 4, 0};
        EXPECT_EQ(bench.fetch(fetch), each.wanted);
        EXPECT_EQ(bench.load(texel_at(2, 4)), texel{});
    }
}

TEST(texture_surface, packed_floats_are_stored)
{
    texture_bench bench(header_words().size(1, 1, 1).format(0x21, tic::floating));
    ASSERT_EQ(bench.unit.store(texel_at(0, 0), {to_bits(1.5F), to_bits(-3.0F), to_bits(1e9F), 0}), fault::none);
    EXPECT_EQ(bench.load(texel_at(0, 0)), (texel{to_bits(1.5F), 0, to_bits(64512.0F), 0}));
}

TEST(texture_surface, components_go_to_the_channels_that_they_come_from)
{
    texture_bench bench(
        header_words().size(1, 1, 1).format(0x08, tic::uint).sources({tic::b, tic::g, tic::r, tic::one_int}));
    ASSERT_EQ(bench.unit.store(texel_at(0, 0), {1, 2, 3, 4}), fault::none);
    EXPECT_EQ(std::vector<int>(bench.image(), bench.image() + 4), (std::vector<int>{3, 2, 1, 0}));
    // Luminance: the first component that comes from a channel is what it gets.
    texture_bench luminance(
        header_words().size(1, 1, 1).format(0x1d, tic::uint).sources({tic::r, tic::r, tic::r, tic::one_int}));
    ASSERT_EQ(luminance.unit.store(texel_at(0, 0), {1, 2, 3, 4}), fault::none);
    EXPECT_EQ(luminance.image()[0], 1);
}

TEST(texture_surface, outside_loads_give_0_and_stores_do_nothing)
{
    texture_bench bench(header_words().type(tic::array_2d).size(3, 2, 2).format(0x0f, tic::uint), sampler_words(),
                        1024);
    std::fill(bench.image(), bench.image() + 1024, 0xff);
    auto layer_2 = texel_at(0, 0);
    layer_2.shape = shape::array_2d;
    layer_2.layer = 2;
    for (const auto& request : {texel_at(3, 0), texel_at(-1, 0), texel_at(0, 2), texel_at(0, -1), layer_2}) {
        ASSERT_EQ(bench.unit.store(request, {}), fault::none);
        EXPECT_EQ(bench.load(request), texel{});
        std::uint8_t* found = bench.image();
        ASSERT_EQ(bench.unit.find_bytes(request, 4, found), fault::none);
        EXPECT_EQ(found, nullptr);
    }
    EXPECT_TRUE(std::all_of(bench.image(), bench.image() + 1024, [](std::uint8_t byte) { return byte == 0xff; }));
}

TEST(texture_surface, the_level_is_the_view_s_first)
{
    reference_shape shape;
    shape.width = 20;
    shape.height = 30;
    shape.tile_height = 2;
    shape.last_level = 2;
    const reference_layout layout(shape);
    texture_bench bench(header_words().size(20, 30, 1).tile(2, 0).levels(2, 1, 1).format(0x0f, tic::uint),
                        sampler_words(), layout.layer_bytes());
    ASSERT_EQ(bench.unit.store(texel_at(9, 14), {77, 0, 0, 0}), fault::none);
    EXPECT_EQ(bench.image()[layout.texel(1, 0, 9, 14, 0)], 77);
    ASSERT_EQ(bench.unit.store(texel_at(10, 0), {78, 0, 0, 0}), fault::none); // level 1 has 10 columns
    EXPECT_EQ(bench.load(texel_at(10, 0)), texel{});
}

TEST(texture_surface, slices_of_a_3d_image)
{
    reference_shape shape;
    shape.three_d = true;
    shape.width = shape.height = 4;
    shape.depth = 6;
    shape.tile_depth = 3;
    const reference_layout layout(shape);
    texture_bench bench(header_words().type(tic::three_d).size(4, 4, 6).tile(0, 3).format(0x0f, tic::uint),
                        sampler_words(), layout.layer_bytes());
    auto request = texel_at(1, 2, 5);
    request.shape = shape::three_d;
    ASSERT_EQ(bench.unit.store(request, {9, 0, 0, 0}), fault::none);
    EXPECT_EQ(bench.image()[layout.texel(0, 0, 1, 2, 5)], 9);
}

TEST(texture_surface, bytes_by_texel_and_by_byte)
{
    texture_bench bench(header_words().size(5, 9, 1).format(0x04, tic::uint).tile(1, 0), sampler_words(), 1024);
    std::uint8_t* found = nullptr;
    ASSERT_EQ(bench.unit.find_bytes(texel_at(2, 8), 8, found), fault::none);
    EXPECT_EQ(found, bench.image() + 512 + reference_layout::in_gob(16, 0));
    auto by_byte = texel_at(20, 3);
    by_byte.byte_x = true;
    ASSERT_EQ(bench.unit.find_bytes(by_byte, 4, found), fault::none);
    EXPECT_EQ(found, bench.image() + reference_layout::in_gob(20, 3));
    by_byte.coordinates[0] = 36;
    ASSERT_EQ(bench.unit.find_bytes(by_byte, 8, found), fault::none); // the last four bytes and four beyond
    EXPECT_EQ(found, nullptr);
    by_byte.coordinates[0] = 12;
    EXPECT_EQ(bench.unit.find_bytes(by_byte, 8, found), fault::outside_memory); // not side by side
}

TEST(texture_surface, buffers)
{
    texture_bench bench(header_words().buffer(10).format(0x0f, tic::uint), sampler_words(), 40);
    auto request = texel_at(9, 5, 5);
    request.shape = shape::one_d;
    ASSERT_EQ(bench.unit.store(request, {5, 0, 0, 0}), fault::none);
    EXPECT_EQ(bench.image()[36], 5);
    request.coordinates[0] = 10;
    EXPECT_EQ(bench.load(request), texel{});
}

TEST(texture_surface, samples_are_counted_by_the_program)
{
    // nouveau's images of multisample textures have the width in samples, and the program computes a sample's place.
    texture_bench bench(header_words().size(8, 4, 1).set(232, 4, 2).format(0x0f, tic::uint));
    ASSERT_EQ(bench.unit.store(texel_at(7, 3), {5, 0, 0, 0}), fault::none);
    EXPECT_EQ(bench.image()[reference_layout::in_gob(28, 3)], 5);
}

TEST(texture_surface, formats_that_cannot_be_stored_are_a_fault)
{
    texel got{};
    texture_bench compressed(header_words().size(4, 4, 1).format(0x24, tic::unorm));
    EXPECT_EQ(compressed.unit.store(texel_at(0, 0), {}), fault::unsupported_format);
    EXPECT_EQ(compressed.unit.load(texel_at(0, 0), got), fault::unsupported_format);
    texture_bench srgb(header_words().size(4, 4, 1).srgb());
    EXPECT_EQ(srgb.unit.store(texel_at(0, 0), {}), fault::unsupported_format);
}

} // namespace
} // namespace isbesim::test

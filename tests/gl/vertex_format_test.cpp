// SPDX-License-Identifier: Apache-2.0
// Formats of vertex attributes, against values worked out by hand.
#include "testbench/gl/draws/vertex_format.h"

#include <vector>

#include <gtest/gtest.h>

#include "tlm/float_bits.h"

namespace isbesim::gl {
namespace {

using words = std::array<std::uint32_t, 4>;

enum number : std::uint32_t { snorm = 1, unorm, sint, uint, uscaled, sscaled, floating };

words floats(float x, float y = 0, float z = 0, float w = 1)
{
    return {to_bits(x), to_bits(y), to_bits(z), to_bits(w)};
}

words decode(std::uint32_t size, std::uint32_t type, std::vector<std::uint8_t> bytes, bool swapped = false)
{
    const auto format = vertex_format::of(size << 21 | type << 27 | (swapped ? 1U << 31 : 0));
    EXPECT_EQ(format.bytes(), bytes.size());
    return format.decode(bytes.data());
}

TEST(vertex_format, reads_the_fields_of_the_word)
{
    const auto format = vertex_format::of(0x05 | 0x40 | 0x123U << 7 | 0x12U << 21 | 7U << 27);
    EXPECT_EQ(format.buffer, 5U);
    EXPECT_TRUE(format.constant);
    EXPECT_EQ(format.offset, 0x123U);
    EXPECT_EQ(format.size, 0x12U);
    EXPECT_EQ(format.type, 7U);
    EXPECT_FALSE(format.swapped);
}

TEST(vertex_format, an_unknown_code_has_no_size)
{
    EXPECT_FALSE(vertex_format::of(0x3fU << 21 | 7U << 27).bytes());
    EXPECT_FALSE(vertex_format::of(0x12U << 21).bytes());
}

TEST(vertex_format, words_stay_as_they_are)
{
    EXPECT_EQ(decode(0x04, floating, {1, 2, 3, 4, 5, 6, 7, 8}), (words{0x04030201, 0x08070605, 0, to_bits(1.0F)}));
    EXPECT_EQ(decode(0x12, sint, {0xff, 0xff, 0xff, 0xff}), (words{0xffffffff, 0, 0, 1}));
    EXPECT_EQ(decode(0x02, uint, {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0}), (words{1, 2, 3, 1}));
    EXPECT_EQ(decode(0x12, sscaled, {0xfe, 0xff, 0xff, 0xff}), floats(-2));
    EXPECT_EQ(decode(0x12, uscaled, {0xfe, 0xff, 0xff, 0xff}), floats(4294967294.0F));
    EXPECT_EQ(decode(0x12, unorm, {0xff, 0xff, 0xff, 0xff}), floats(1));
}

TEST(vertex_format, bytes_and_halves_are_converted)
{
    EXPECT_EQ(decode(0x0a, unorm, {0, 51, 255, 102}), floats(0, 0.2F, 1, 0.4F));
    EXPECT_EQ(decode(0x0a, snorm, {0x80, 0x81, 0x7f, 0}), floats(-1, -1, 1, 0));
    EXPECT_EQ(decode(0x0a, sint, {0x80, 1, 2, 3}), (words{0xffffff80, 1, 2, 3}));
    EXPECT_EQ(decode(0x18, uint, {0x80, 1}), (words{0x80, 1, 0, 1}));
    EXPECT_EQ(decode(0x1d, uscaled, {200}), floats(200));
    EXPECT_EQ(decode(0x13, sscaled, {0xff, 2, 3}), floats(-1, 2, 3));
    EXPECT_EQ(decode(0x0f, snorm, {0xff, 0x7f, 0x01, 0x80}), floats(1, -1));
    EXPECT_EQ(decode(0x1b, unorm, {0xff, 0xff}), floats(1));
    EXPECT_EQ(decode(0x05, sint, {0xfe, 0xff, 1, 0, 2, 0}), (words{0xfffffffe, 1, 2, 1}));
}

TEST(vertex_format, half_floats_are_widened)
{
    // 1, -2, the smallest denormal, infinity
    EXPECT_EQ(decode(0x03, floating, {0x00, 0x3c, 0x00, 0xc0, 0x01, 0x00, 0x00, 0x7c}),
              (words{to_bits(1.0F), to_bits(-2.0F), to_bits(5.9604645e-8F), 0x7f800000}));
    EXPECT_EQ(decode(0x1b, floating, {0x01, 0x7e})[0], 0x7fc02000U); // a NaN keeps its payload
}

TEST(vertex_format, packed_formats)
{
    // x = 0x3ff, y = 0x200, z = 1, w = 2
    const std::vector<std::uint8_t> packed{0xff, 0x03, 0x18, 0x80};
    EXPECT_EQ(decode(0x30, uint, packed), (words{0x3ff, 0x200, 1, 2}));
    EXPECT_EQ(decode(0x30, sint, packed), (words{0xffffffff, 0xfffffe00, 1, 0xfffffffe}));
    EXPECT_EQ(decode(0x30, unorm, packed), floats(1, 512.0F / 1023, 1.0F / 1023, 2.0F / 3));
    EXPECT_EQ(decode(0x30, snorm, packed), floats(-1.0F / 511, -1, 1.0F / 511, -1));
    // 11, 11 and 10 bits: 1, 2, 0.5
    EXPECT_EQ(decode(0x31, floating, {0xc0, 0x03, 0x20, 0x70}), floats(1, 2, 0.5F));
}

TEST(vertex_format, first_and_third_component_change_places)
{
    EXPECT_EQ(decode(0x0a, unorm, {255, 0, 51, 255}, true), floats(0.2F, 0, 1, 1));
}

} // namespace
} // namespace isbesim::gl

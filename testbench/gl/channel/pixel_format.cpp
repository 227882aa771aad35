// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/channel/pixel_format.h"

#include <algorithm>
#include <iterator>

#include "models/texture/number.h"
#include "models/texture/texel_codec.h"

namespace isbesim::gl {

namespace {

using texture::bit_field;
using texture::number_type;

constexpr texture::format texel(std::uint8_t bytes, bit_field red, bit_field green = {}, bit_field blue = {},
                                bit_field alpha = {})
{
    texture::format result;
    result.bytes = bytes;
    result.channels = {red, green, blue, alpha};
    return result;
}

constexpr auto bgra8 = texel(4, {16, 8}, {8, 8}, {0, 8}, {24, 8});
constexpr auto rgba8 = texel(4, {0, 8}, {8, 8}, {16, 8}, {24, 8});
constexpr auto bgrx8 = texel(4, {16, 8}, {8, 8}, {0, 8});
constexpr auto rgbx8 = texel(4, {0, 8}, {8, 8}, {16, 8});
constexpr auto four_halves = texel(8, {0, 16}, {16, 16}, {32, 16}, {48, 16});
constexpr auto two_halves = texel(4, {0, 16}, {16, 16});
constexpr auto two_bytes = texel(2, {0, 8}, {8, 8});

// Class headers: 902D, whose names start at the highest bits.
constexpr pixel_format formats[] = {
    {0xc0, texel(16, {0, 32}, {32, 32}, {64, 32}, {96, 32}), number_type::floating},
    {0xc3, texel(16, {0, 32}, {32, 32}, {64, 32}), number_type::floating},
    {0xc6, four_halves, number_type::unorm},
    {0xc7, four_halves, number_type::snorm},
    {0xca, four_halves, number_type::floating},
    {0xcb, texel(8, {0, 32}, {32, 32}), number_type::floating},
    {0xce, texel(8, {0, 16}, {16, 16}, {32, 16}), number_type::floating},
    {0xcf, bgra8, number_type::unorm},
    {0xd0, bgra8, number_type::unorm, true},
    {0xd1, texel(4, {0, 10}, {10, 10}, {20, 10}, {30, 2}), number_type::unorm},
    {0xd5, rgba8, number_type::unorm},
    {0xd6, rgba8, number_type::unorm, true},
    {0xd7, rgba8, number_type::snorm},
    {0xda, two_halves, number_type::unorm},
    {0xdb, two_halves, number_type::snorm},
    {0xde, two_halves, number_type::floating},
    {0xdf, texel(4, {20, 10}, {10, 10}, {0, 10}, {30, 2}), number_type::unorm},
    {0xe0, texel(4, {0, 11}, {11, 11}, {22, 10}), number_type::floating},
    {0xe5, texel(4, {0, 32}), number_type::floating},
    {0xe6, bgrx8, number_type::unorm},
    {0xe7, bgrx8, number_type::unorm, true},
    {0xe8, texel(2, {11, 5}, {5, 6}, {0, 5}), number_type::unorm},
    {0xe9, texel(2, {10, 5}, {5, 5}, {0, 5}, {15, 1}), number_type::unorm},
    {0xea, two_bytes, number_type::unorm},
    {0xeb, two_bytes, number_type::snorm},
    {0xee, texel(2, {0, 16}), number_type::unorm},
    {0xef, texel(2, {0, 16}), number_type::snorm},
    {0xf2, texel(2, {0, 16}), number_type::floating},
    {0xf3, texel(1, {0, 8}), number_type::unorm},
    {0xf4, texel(1, {0, 8}), number_type::snorm},
    {0xf7, texel(1, {}, {}, {}, {0, 8}), number_type::unorm},
    {0xf8, texel(2, {10, 5}, {5, 5}, {0, 5}), number_type::unorm},
    {0xf9, rgbx8, number_type::unorm},
    {0xfa, rgbx8, number_type::unorm, true},
};

constexpr auto four_words = texel(16, {0, 32}, {32, 32}, {64, 32}, {96, 32});
constexpr auto three_words = texel(16, {0, 32}, {32, 32}, {64, 32});
constexpr auto two_words = texel(8, {0, 32}, {32, 32});

// Class headers: B097.
constexpr pixel_format integer_formats[] = {
    {0xc1, four_words, number_type::sint},
    {0xc2, four_words, number_type::uint},
    {0xc4, three_words, number_type::sint},
    {0xc5, three_words, number_type::uint},
    {0xc8, four_halves, number_type::sint},
    {0xc9, four_halves, number_type::uint},
    {0xcc, two_words, number_type::sint},
    {0xcd, two_words, number_type::uint},
    {0xd2, texel(4, {0, 10}, {10, 10}, {20, 10}, {30, 2}), number_type::uint},
    {0xd8, rgba8, number_type::sint},
    {0xd9, rgba8, number_type::uint},
    {0xdc, two_halves, number_type::sint},
    {0xdd, two_halves, number_type::uint},
    {0xe3, texel(4, {0, 32}), number_type::sint},
    {0xe4, texel(4, {0, 32}), number_type::uint},
    {0xec, two_bytes, number_type::sint},
    {0xed, two_bytes, number_type::uint},
    {0xf0, texel(2, {0, 16}), number_type::sint},
    {0xf1, texel(2, {0, 16}), number_type::uint},
    {0xf5, texel(1, {0, 8}), number_type::sint},
    {0xf6, texel(1, {0, 8}), number_type::uint},
};

constexpr pixel_format depth_format(std::uint32_t code, const texture::format& layout,
                                    number_type type = number_type::unorm)
{
    return {code, layout, type, false, true};
}

// Class headers: B097, SET_ZT_FORMAT.
constexpr pixel_format depth_formats[] = {
    depth_format(0x0a, texel(4, {0, 32}), number_type::floating),
    depth_format(0x13, texel(2, {0, 16})),
    depth_format(0x14, texel(4, {8, 24}, {0, 8})),
    depth_format(0x15, texel(4, {0, 24})),
    depth_format(0x16, texel(4, {0, 24}, {24, 8})),
    depth_format(0x17, texel(1, {}, {0, 8})),
    depth_format(0x19, texel(8, {0, 32}, {32, 8}), number_type::floating),
};

template <std::size_t N>
const pixel_format* find_in(const pixel_format (&table)[N], std::uint32_t code)
{
    const auto* found =
        std::find_if(std::begin(table), std::end(table), [&](const pixel_format& each) { return each.code == code; });
    return found == std::end(table) ? nullptr : found;
}

texture::header header_of(const pixel_format& format)
{
    texture::header result;
    result.texels = &format.layout;
    result.types.fill(format.type);
    if (format.depth) result.types[1] = number_type::uint;
    return result;
}

} // namespace

const pixel_format* find_pixel_format(std::uint32_t code)
{
    return find_in(formats, code);
}

const pixel_format* find_target_format(std::uint32_t code)
{
    const auto* found = find_in(integer_formats, code);
    return found != nullptr ? found : find_in(formats, code);
}

const pixel_format* find_depth_format(std::uint32_t code)
{
    return find_in(depth_formats, code);
}

bool can_convert(const pixel_format& source, const pixel_format& target)
{
    return source.srgb == target.srgb;
}

void convert_pixel(const pixel_format& source_format, const std::uint8_t* source, const pixel_format& target_format,
                   std::uint8_t* target)
{
    constexpr word one = 0x3f800000;
    auto channels = texture::decode_texel(header_of(source_format), source, 0, 0, false);
    if (source_format.layout.channels[3].count == 0) channels[3] = one;
    texture::encode_texel(header_of(target_format), channels, target);
}

void encode_pixel(const pixel_format& to, const std::uint32_t* channels, std::uint8_t* target)
{
    texture::texel texel;
    std::copy_n(channels, texel.size(), texel.begin());
    for (unsigned i = 0; i < 3 && to.srgb; ++i) texel[i] = to_bits(texture::linear_to_srgb(to_float(texel[i])));
    texture::encode_texel(header_of(to), texel, target);
}

} // namespace isbesim::gl

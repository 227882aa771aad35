// SPDX-License-Identifier: Apache-2.0
#include "models/texture/texel_codec.h"

#include <algorithm>
#include <cmath>

#include "models/texture/block_codec.h"
#include "models/texture/number.h"

namespace isbesim::texture {

namespace {

using texel_words = std::array<word, 4>;

word field_of(const texel_words& words, bit_field field)
{
    const word value = words[field.first / 32U] >> (field.first % 32U);
    return field.count == 32 ? value : value & ((1U << field.count) - 1);
}

word decode_number(word bits, unsigned count, number_type type)
{
    switch (type) {
    case number_type::snorm:
    case number_type::snorm_half:
        return to_bits(snorm_to_float(bits, count));
    case number_type::unorm:
    case number_type::unorm_half:
        return to_bits(unorm_to_float(bits, count));
    case number_type::sint:
        return static_cast<word>(sign_extended(bits, count));
    case number_type::floating:
        if (count == 32) return bits;
        // 24-bit depth has no floating-point form.
        return count == 10 || count == 11 || count == 16 ? to_bits(small_float_to_float(bits, count)) : 0;
    case number_type::uint:
    case number_type::none:
        break;
    }
    return bits;
}

word encode_number(word value, unsigned count, number_type type)
{
    const word ones = count == 32 ? ~0U : (1U << count) - 1;
    const auto greatest = static_cast<std::int32_t>(ones >> 1);
    switch (type) {
    case number_type::snorm:
    case number_type::snorm_half:
        return float_to_snorm(to_float(value), count);
    case number_type::unorm:
    case number_type::unorm_half:
        return float_to_unorm(to_float(value), count);
    case number_type::sint:
        return static_cast<word>(std::clamp(static_cast<std::int32_t>(value), -greatest - 1, greatest)) & ones;
    case number_type::floating:
        if (count == 32) return value;
        return count == 10 || count == 11 || count == 16 ? float_to_small_float(to_float(value), count) : 0;
    case number_type::uint:
    case number_type::none:
        break;
    }
    return std::min(value, ones);
}

texel decode_plain(const header& header, const std::uint8_t* bytes, bool srgb)
{
    const format& format = *header.texels;
    texel_words words{};
    std::memcpy(words.data(), bytes, format.bytes);
    // Two-channel sRGB formats are luminance and alpha, which is linear: Mesa's table has no sRGB format of red and
    // green for these chips as "the green component doesn't get decoding" (nv50_formats.c).
    const unsigned curved = !srgb ? 0 : format.channels[2].count != 0 ? 3 : 1;
    texel channels{};
    for (unsigned i = 0; i < 4; ++i) {
        const bit_field field = format.channels[i];
        if (field.count == 0) continue;
        const word bits = field_of(words, field);
        channels[i] = i < curved && field.count == 8 ? to_bits(srgb8_to_linear(bits))
                                                     : decode_number(bits, field.count, header.types[i]);
    }
    return channels;
}

/// Three mantissas without a hidden bit; a value is mantissa * 2^(exponent - 15 - 9).
texel decode_shared_exponent(const std::uint8_t* bytes)
{
    word bits = 0;
    std::memcpy(&bits, bytes, sizeof bits);
    texel channels{};
    const int exponent = static_cast<int>(bits >> 27) - 24;
    for (unsigned i = 0; i < 3; ++i)
        channels[i] = to_bits(std::ldexp(static_cast<float>(bits >> 9 * i & 0x1ffU), exponent));
    return channels;
}

texel decode_shared_chroma(const header& header, const std::uint8_t* bytes, unsigned x)
{
    const unsigned green = header.texels->how == encoding::green_second ? 1 : 0;
    texel channels{};
    channels[0] = decode_number(bytes[1 - green], 8, header.types[0]);
    channels[1] = decode_number(bytes[2 * (x & 1U) + green], 8, header.types[1]);
    channels[2] = decode_number(bytes[3 - green], 8, header.types[2]);
    return channels;
}

texel from_floats(const std::array<float, 4>& values, bool srgb)
{
    texel channels{};
    for (unsigned i = 0; i < 4; ++i) channels[i] = to_bits(srgb && i < 3 ? srgb_to_linear(values[i]) : values[i]);
    return channels;
}

texel decode_s3tc(encoding how, const std::uint8_t* block, unsigned x, unsigned y, bool srgb)
{
    const bool alone = how == encoding::bc1;
    auto values = decode_color_block(alone ? block : block + 8, x, y, !alone);
    if (how == encoding::bc2) values[3] = decode_explicit_alpha(block, x, y);
    if (how == encoding::bc3) values[3] = decode_ramp_block(block, x, y, false);
    return from_floats(values, srgb);
}

texel decode_compressed(const header& header, const std::uint8_t* block, unsigned x, unsigned y, bool srgb)
{
    const encoding how = header.texels->how;
    texel channels{};
    switch (how) {
    case encoding::bc4:
    case encoding::bc5:
        for (unsigned i = 0; i < (how == encoding::bc4 ? 1U : 2U); ++i)
            channels[i] = to_bits(decode_ramp_block(block + 8 * i, x, y, header.types[i] == number_type::snorm));
        return channels;
    case encoding::bc6_signed:
    case encoding::bc6_unsigned: {
        const auto halves = decode_bc6(block, x, y, how == encoding::bc6_signed);
        for (unsigned i = 0; i < 3; ++i) channels[i] = to_bits(small_float_to_float(halves[i], 16));
        return channels;
    }
    case encoding::bc7: {
        const auto bytes = decode_bc7(block, x, y);
        for (unsigned i = 0; i < 4; ++i)
            channels[i] = to_bits(srgb && i < 3 ? srgb8_to_linear(bytes[i]) : unorm_to_float(bytes[i], 8));
        return channels;
    }
    default:
        return decode_s3tc(how, block, x, y, srgb);
    }
}

} // namespace

texel decode_texel(const header& header, const std::uint8_t* block, unsigned x, unsigned y, bool srgb)
{
    switch (header.texels->how) {
    case encoding::plain:
        return decode_plain(header, block, srgb);
    case encoding::shared_exponent:
        return decode_shared_exponent(block);
    case encoding::green_second:
    case encoding::green_first:
        return decode_shared_chroma(header, block, x);
    default:
        return decode_compressed(header, block, x, y, srgb);
    }
}

bool can_encode(const header& header)
{
    return header.texels->how == encoding::plain && !header.srgb;
}

void encode_texel(const header& header, const texel& channels, std::uint8_t* bytes)
{
    const format& format = *header.texels;
    texel_words words{};
    for (unsigned i = 0; i < 4; ++i) {
        const bit_field field = format.channels[i];
        if (field.count != 0)
            words[field.first / 32U] |= encode_number(channels[i], field.count, header.types[i]) << (field.first % 32U);
    }
    std::memcpy(bytes, words.data(), format.bytes);
}

texel swizzle(const header& header, const texel& channels)
{
    texel components{};
    for (unsigned i = 0; i < 4; ++i) {
        const source origin = header.sources[i];
        if (is_channel(origin)) components[i] = channels[channel_of(origin)];
        if (origin == source::one_int) components[i] = 1;
        if (origin == source::one_float) components[i] = to_bits(1.0F);
    }
    return components;
}

texel unswizzle(const header& header, const texel& components)
{
    texel channels{};
    for (unsigned i = 4; i-- > 0;)
        if (is_channel(header.sources[i])) channels[channel_of(header.sources[i])] = components[i];
    return channels;
}

} // namespace isbesim::texture

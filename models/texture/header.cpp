// SPDX-License-Identifier: Apache-2.0
#include "models/texture/header.h"

#include <algorithm>
#include <iterator>

namespace isbesim::texture {

namespace {

/// HEADER_VERSION.
enum class header_version : std::uint8_t { one_d_buffer = 0, pitch = 2, block_linear = 3 };

constexpr unsigned first_unknown_type = 9;

/// Bits of the entry by their position in the 256, all in one word.
word header_bits(const entry& words, unsigned first, unsigned count)
{
    const word value = words[first / 32] >> (first % 32);
    return count == 32 ? value : value & ((1U << count) - 1);
}

std::uint64_t header_address(const entry& words, unsigned unused_low_bits)
{
    const std::uint64_t upper = header_bits(words, 64, 17); // 16 before Turing, where bit 80 is reserved
    return upper << 32 | (words[1] >> unused_low_bits << unused_low_bits);
}

/// Components, types, sources and colour space have the same bits in every version.
fault decode_texels(const entry& words, header& result)
{
    result.texels = find_format(header_bits(words, 0, 7));
    if (result.texels == nullptr) return fault::unsupported_format;
    for (unsigned i = 0; i < 4; ++i) {
        result.types[i] = static_cast<number_type>(header_bits(words, 7 + 3 * i, 3));
        const word number = header_bits(words, 19 + 3 * i, 3);
        if (number == 1) return fault::bad_header;
        result.sources[i] = static_cast<source>(number);
    }
    result.srgb = header_bits(words, 150, 1) != 0;
    return fault::none;
}

/// MULTI_SAMPLE_COUNT: 1x1, 2x1, 2x2, 4x2, 4x2 and 2x1 as in Direct3D. The sample order of the others is undocumented.
bool decode_samples(word mode, header& result)
{
    static constexpr std::uint8_t across[] = {0, 1, 1, 2, 2, 1}, down[] = {0, 0, 1, 1, 1, 0};
    if (mode >= std::size(across)) return false;
    result.samples_x = across[mode];
    result.samples_y = down[mode];
    result.d3d_samples = mode > 3;
    return true;
}

/// Decodes the fields that pitch and block-linear headers have in common.
fault decode_extent(const entry& words, header& result)
{
    result.width = header_bits(words, 128, 17) + 1;
    result.height = (header_bits(words, 160, 16) | header_bits(words, 146, 1) << 16) + 1;
    result.normalized = header_bits(words, 191, 1) != 0;
    result.view_first = static_cast<std::uint8_t>(header_bits(words, 224, 4));
    result.view_last = static_cast<std::uint8_t>(header_bits(words, 228, 4));
    result.min_lod = static_cast<float>(header_bits(words, 236, 12)) / 256;
    return decode_samples(header_bits(words, 232, 4), result) ? fault::none : fault::bad_header;
}

fault decode_buffer(const entry& words, header& result)
{
    if (result.type != image_type::buffer || result.texels->block_width != 1) return fault::bad_header;
    result.layout = memory_layout::buffer;
    result.address = header_address(words, 0);
    // 2^32 elements do not fit into 32 bits and do not occur.
    result.width = (header_bits(words, 128, 16) | header_bits(words, 96, 16) << 16) + 1;
    return result.width != 0 ? fault::none : fault::bad_header;
}

fault decode_pitch(const entry& words, header& result)
{
    if (result.type != image_type::two_d_no_mipmap && result.type != image_type::two_d) return fault::bad_header;
    result.layout = memory_layout::pitch;
    result.address = header_address(words, 5);
    result.pitch = (header_bits(words, 96, 16) | header_bits(words, 145, 1) << 16) << 5;
    const fault why = decode_extent(words, result);
    result.view_first = result.view_last = 0; // one level, regardless of the view
    return why;
}

fault decode_block_linear(const entry& words, header& result)
{
    if (result.type == image_type::buffer) return fault::bad_header;
    const bool sparse = header_bits(words, 106, 3) != 0;     // TILE_WIDTH_IN_GOBS
    const bool other_gobs = header_bits(words, 109, 1) != 0; // GOB3D
    if (header_bits(words, 96, 3) != 0 || header_bits(words, 37, 2) != 0 || sparse || other_gobs)
        return fault::bad_header;
    result.layout = memory_layout::block_linear;
    result.address = header_address(words, 9);
    result.block_height = static_cast<std::uint8_t>(header_bits(words, 99, 3));
    result.block_depth = static_cast<std::uint8_t>(header_bits(words, 102, 3));
    if (result.block_height > 5 || result.block_depth > 5) return fault::bad_header;
    result.depth = (header_bits(words, 176, 14) | header_bits(words, 145, 1) << 14) + 1;
    result.last_level = static_cast<std::uint8_t>(header_bits(words, 124, 4));
    const fault why = decode_extent(words, result);
    if (result.type == image_type::two_d_no_mipmap) result.last_level = 0;
    result.view_first = std::min(result.view_first, result.last_level);
    result.view_last = std::clamp(result.view_last, result.view_first, result.last_level);
    return why;
}

void put_bits(entry& words, unsigned first, unsigned count, word value)
{
    words[first / 32] |= (value & (count == 32 ? ~0U : (1U << count) - 1)) << (first % 32);
}

/// Bits that both versions have, at different places.
struct moved_bits {
    std::uint8_t from, to, count;
};
constexpr moved_bits moved_texels[] = {{112, 0, 6}, {96, 19, 12}}; // components but for ASTC's bit, sources
constexpr moved_bits moved_extents[] = {{118, 6, 1},   {149, 150, 1},  {150, 151, 4}, {128, 128, 17},
                                        {145, 191, 1}, {160, 160, 16}, {176, 146, 1}, {224, 224, 24}};
constexpr moved_bits moved_blocks[] = {{64, 96, 3},  {67, 99, 3},    {70, 102, 3},  {74, 106, 3},
                                       {77, 109, 1}, {177, 176, 14}, {191, 145, 1}, {92, 124, 4},
                                       {4, 37, 2},   {6, 37, 2},     {8, 37, 1}};
constexpr moved_bits moved_pitches[] = {{64, 96, 16}, {80, 145, 1}};

} // namespace

entry first_version_header(const entry& second)
{
    constexpr unsigned pitch = 2, block_linear = 3, one_d = 5, unknown = 7, buffer_type = 6;
    // By DATA_TYPE: of red, and of the others. The last three are depth beside stencil.
    using pair = std::array<number_type, 2>;
    constexpr pair none = {number_type::none, number_type::none};
    constexpr pair types[16] = {{number_type::unorm, number_type::unorm},
                                {number_type::snorm, number_type::snorm},
                                {number_type::floating, number_type::floating},
                                none,
                                none,
                                none,
                                {number_type::uint, number_type::uint},
                                {number_type::sint, number_type::sint},
                                {number_type::unorm, number_type::uint},
                                {number_type::uint, number_type::unorm},
                                {number_type::floating, number_type::uint}};
    entry result{};
    const auto move = [&](const auto& table) {
        for (const moved_bits& each : table)
            put_bits(result, each.to, each.count, header_bits(second, each.from, each.count));
    };
    const auto type = types[header_bits(second, 108, 4)];
    const word version = type[0] == number_type::none ? unknown : header_bits(second, 124, 4);
    move(moved_texels);
    for (unsigned i = 0; i < 4; ++i) put_bits(result, 7 + 3 * i, 3, static_cast<word>(type[i != 0]));
    const unsigned unused_low = version == block_linear ? 9 : version == pitch ? 5 : 0;
    put_bits(result, 32, 32, second[0] >> unused_low << unused_low);
    put_bits(result, 64, 17, second[1]);
    if (version == one_d) {
        put_bits(result, 128, 16, second[2]);
        put_bits(result, 96, 16, second[2] >> 16);
        put_bits(result, 151, 4, buffer_type);
        return result; // of version 0
    }
    move(moved_extents);
    if (version == block_linear) move(moved_blocks);
    if (version == pitch) move(moved_pitches);
    put_bits(result, 85, 3, version == pitch || version == block_linear ? version : unknown);
    return result;
}

bool reads_integers(const header& header)
{
    return std::any_of(header.sources.begin(), header.sources.end(),
                       [&](source each) { return is_channel(each) && is_integer(header.types[channel_of(each)]); });
}

fault decode_header(const entry& words, header& result)
{
    result = {};
    const fault why = decode_texels(words, result);
    if (why != fault::none) return why;
    const word type = header_bits(words, 151, 4);
    if (type >= first_unknown_type) return fault::bad_header;
    result.type = static_cast<image_type>(type);
    switch (static_cast<header_version>(header_bits(words, 85, 3))) {
    case header_version::one_d_buffer:
        return decode_buffer(words, result);
    case header_version::pitch:
        return decode_pitch(words, result);
    case header_version::block_linear:
        return decode_block_linear(words, result);
    }
    return fault::bad_header; // the versions with colour keys
}

} // namespace isbesim::texture

// SPDX-License-Identifier: Apache-2.0
// BC7, from ARB_texture_compression_bptc.
#include "models/texture/block_bits.h"
#include "models/texture/block_codec.h"
#include "models/texture/bptc_partition.h"

namespace isbesim::texture {

namespace {

enum class parity_bits : std::uint8_t { none, per_subset, per_endpoint };

struct bc7_mode {
    std::uint8_t subsets, partition_bits;
    bool rotation, index_selection;
    std::uint8_t color_bits, alpha_bits;
    parity_bits parity;
    std::uint8_t index_bits, second_index_bits;
};

constexpr bc7_mode bc7_modes[] = {
    {3, 4, false, false, 4, 0, parity_bits::per_endpoint, 3, 0},
    {2, 6, false, false, 6, 0, parity_bits::per_subset, 3, 0},
    {3, 6, false, false, 5, 0, parity_bits::none, 2, 0},
    {2, 6, false, false, 7, 0, parity_bits::per_endpoint, 2, 0},
    {1, 0, true, true, 5, 6, parity_bits::none, 2, 3},
    {1, 0, true, false, 7, 8, parity_bits::none, 2, 2},
    {1, 0, false, false, 7, 7, parity_bits::per_endpoint, 4, 0},
    {2, 6, false, false, 5, 5, parity_bits::per_endpoint, 2, 0},
};

/// End points of the block's subsets: [2 subset + end][channel], 8 bits.
using bc7_ends = std::array<std::array<unsigned, 4>, 6>;

/// Widens to 8 bits by repeating the upper bits in the lower ones.
unsigned widened(unsigned value, unsigned bits)
{
    const unsigned top = value << (8 - bits);
    return top | top >> bits;
}

bc7_ends read_ends(const bc7_mode& mode, block_bits& bits)
{
    bc7_ends ends{};
    const unsigned count = 2U * mode.subsets;
    const unsigned channels = mode.alpha_bits != 0 ? 4 : 3;
    for (unsigned c = 0; c < channels; ++c)
        for (unsigned i = 0; i < count; ++i) ends[i][c] = bits.take(c < 3 ? mode.color_bits : mode.alpha_bits);
    const unsigned parity_width = mode.parity == parity_bits::none ? 0 : 1;
    unsigned parity = 0;
    for (unsigned i = 0; i < count; ++i) {
        if (mode.parity == parity_bits::per_endpoint || (mode.parity == parity_bits::per_subset && i % 2 == 0))
            parity = bits.take(1);
        for (unsigned c = 0; c < channels; ++c)
            ends[i][c] = widened(ends[i][c] << parity_width | parity,
                                 (c < 3 ? mode.color_bits : mode.alpha_bits) + parity_width);
        if (channels == 3) ends[i][3] = 255;
    }
    return ends;
}

} // namespace

std::array<std::uint8_t, 4> decode_bc7(const std::uint8_t* block, unsigned x, unsigned y)
{
    if (block[0] == 0) return {};
    unsigned number = 0;
    while ((block[0] >> number & 1U) == 0) ++number;
    const bc7_mode& mode = bc7_modes[number];
    block_bits bits(block, number + 1);
    const partition parts{mode.subsets, bits.take(mode.partition_bits)};
    const unsigned rotation = mode.rotation ? bits.take(2) : 0;
    const bool swap_indices = mode.index_selection && bits.take(1) != 0;
    const bc7_ends ends = read_ends(mode, bits);

    const unsigned texel = 4 * y + x;
    unsigned index = bptc_index(bits, parts, texel, mode.index_bits);
    unsigned weight = bptc_weight(index, mode.index_bits);
    unsigned second_weight = weight;
    if (mode.second_index_bits != 0) {
        bits.skip(16U * mode.index_bits - 1);
        index = bptc_index(bits, parts, texel, mode.second_index_bits);
        second_weight = bptc_weight(index, mode.second_index_bits);
        if (swap_indices) std::swap(weight, second_weight);
    }
    const auto& a = ends[2 * parts.subset_of(texel)];
    const auto& b = ends[2 * parts.subset_of(texel) + 1];
    std::array<std::uint8_t, 4> result{};
    for (unsigned c = 0; c < 4; ++c) {
        const unsigned w = c < 3 ? weight : second_weight;
        result[c] = static_cast<std::uint8_t>(((64 - w) * a[c] + w * b[c] + 32) >> 6);
    }
    if (rotation != 0) std::swap(result[rotation - 1], result[3]);
    return result;
}

} // namespace isbesim::texture

// SPDX-License-Identifier: Apache-2.0
// Compressed blocks against decoders written another way: bits as a list, formulas in double, blocks made by hand.
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/texture/block_codec.h"
#include "models/texture/bptc_partition.h"
#include "models/texture/number.h"

namespace isbesim::test {
namespace {

using block = std::array<std::uint8_t, 16>;

block random_block(std::mt19937& engine)
{
    block bytes{};
    for (auto& each : bytes) each = static_cast<std::uint8_t>(engine());
    return bytes;
}

TEST(texture_block, colors_of_bc1_are_the_formulas_of_the_extension)
{
    std::mt19937 engine(1);
    for (unsigned i = 0; i < 2000; ++i) {
        const block bytes = random_block(engine);
        const unsigned ends[] = {bytes[0] + 256U * bytes[1], bytes[2] + 256U * bytes[3]};
        double color[4][4] = {};
        for (unsigned e = 0; e < 2; ++e) {
            color[e][0] = (ends[e] >> 11) / 31.0;
            color[e][1] = (ends[e] >> 5) % 64 / 63.0;
            color[e][2] = ends[e] % 32 / 31.0;
            color[e][3] = 1;
        }
        const bool only_four = engine() % 2 == 0;
        for (unsigned c = 0; c < 4; ++c) {
            const double a = color[0][c];
            const double b = color[1][c];
            const bool four = only_four || ends[0] > ends[1];
            color[2][c] = four ? (2 * a + b) / 3 : (a + b) / 2;
            color[3][c] = four ? (a + 2 * b) / 3 : 0;
        }
        for (unsigned t = 0; t < 16; ++t) {
            const unsigned code = bytes[4 + t / 4] / (1U << (2 * (t % 4))) % 4;
            const auto got = texture::decode_color_block(bytes.data(), t % 4, t / 4, only_four);
            for (unsigned c = 0; c < 4; ++c) ASSERT_EQ(got[c], static_cast<float>(color[code][c])) << i << ", " << t;
        }
    }
}

/// The 48 bits of codes as a number.
unsigned ramp_code(const block& bytes, unsigned texel)
{
    std::uint64_t codes = 0;
    for (unsigned i = 0; i < 6; ++i) codes += std::uint64_t{bytes[2 + i]} << (8 * i);
    return static_cast<unsigned>(codes >> (3 * texel)) % 8;
}

double ramp_value(const block& bytes, unsigned texel, bool with_sign)
{
    const unsigned code = ramp_code(bytes, texel);
    const int raw[] = {with_sign ? static_cast<std::int8_t>(bytes[0]) : bytes[0],
                       with_sign ? static_cast<std::int8_t>(bytes[1]) : bytes[1]};
    const double a = with_sign ? std::max(raw[0] / 127.0, -1.0) : raw[0] / 255.0;
    const double b = with_sign ? std::max(raw[1] / 127.0, -1.0) : raw[1] / 255.0;
    if (code == 0) return a;
    if (code == 1) return b;
    if (raw[0] > raw[1]) return ((8 - code) * a + (code - 1) * b) / 7;
    if (code == 6) return with_sign ? -1 : 0;
    return code == 7 ? 1 : ((6 - code) * a + (code - 1) * b) / 5;
}

TEST(texture_block, ramps_of_bc3_to_bc5)
{
    std::mt19937 engine(2);
    for (unsigned i = 0; i < 4000; ++i) {
        const block bytes = random_block(engine);
        for (unsigned t = 0; t < 16; ++t)
            for (const bool with_sign : {false, true})
                ASSERT_NEAR(texture::decode_ramp_block(bytes.data(), t % 4, t / 4, with_sign),
                            ramp_value(bytes, t, with_sign), 1e-7);
    }
}

TEST(texture_block, explicit_alpha_of_bc2)
{
    const block bytes{0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe};
    for (unsigned t = 0; t < 16; ++t)
        EXPECT_EQ(texture::decode_explicit_alpha(bytes.data(), t % 4, t / 4), static_cast<float>(t / 15.0));
}

// BC6H and BC7 the slow way: the block as a list of bits that are taken from the front, whole blocks at a time. The
// fields of BC6H's modes are written as in Direct3D's documentation; which texels are in which subset is the unit's own
// table, which a test below checks by its hash.

class bit_queue {
public:
    explicit bit_queue(const std::array<std::uint8_t, 16>& bytes)
    {
        for (const unsigned byte : bytes)
            for (unsigned i = 0; i < 8; ++i) bits_.push_back(byte >> i & 1U);
    }
    int take(int count)
    {
        int value = 0;
        for (int i = 0; i < count; ++i) {
            value += static_cast<int>(bits_.front()) << i;
            bits_.pop_front();
        }
        return value;
    }

private:
    std::deque<unsigned> bits_;
};

/// Indices of all 16 texels; the anchors' highest bit is not stored.
std::vector<int> take_indices(bit_queue& bits, const texture::partition& parts, int width)
{
    std::vector<int> indices;
    std::vector<bool> seen(3);
    for (unsigned texel = 0; texel < 16; ++texel) {
        const unsigned subset = parts.subset_of(texel);
        const bool anchor = texel == (subset == 0 ? 0 : parts.anchor(subset));
        indices.push_back(bits.take(anchor ? width - 1 : width));
    }
    return indices;
}

int blend(int a, int b, int index, int width)
{
    static const std::map<int, std::vector<int>> weights{
        {2, {0, 21, 43, 64}},
        {3, {0, 9, 18, 27, 37, 46, 55, 64}},
        {4, {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64}},
    };
    const int w = weights.at(width)[static_cast<std::size_t>(index)];
    return (a * (64 - w) + b * w + 32) >> 6;
}

std::array<int, 4> reference_bc7(const std::array<std::uint8_t, 16>& bytes, unsigned texel)
{
    struct mode_row {
        unsigned subsets;
        int partition, rotation, selection, color, alpha, end_parity, shared_parity, index, second;
    };
    static const mode_row rows[] = {{3, 4, 0, 0, 4, 0, 1, 0, 3, 0}, {2, 6, 0, 0, 6, 0, 0, 1, 3, 0},
                                    {3, 6, 0, 0, 5, 0, 0, 0, 2, 0}, {2, 6, 0, 0, 7, 0, 1, 0, 2, 0},
                                    {1, 0, 2, 1, 5, 6, 0, 0, 2, 3}, {1, 0, 2, 0, 7, 8, 0, 0, 2, 2},
                                    {1, 0, 0, 0, 7, 7, 1, 0, 4, 0}, {2, 6, 0, 0, 5, 5, 1, 0, 2, 0}};
    bit_queue bits(bytes);
    int number = 0;
    while (bits.take(1) == 0) ++number;
    const mode_row& row = rows[number];
    const texture::partition parts{row.subsets, static_cast<unsigned>(bits.take(row.partition))};
    const int rotation = bits.take(row.rotation);
    const int selection = bits.take(row.selection);
    std::vector<std::vector<int>> ends(4);
    for (std::size_t c = 0; c < 4; ++c)
        for (unsigned i = 0; i < 2 * row.subsets; ++i) ends[c].push_back(bits.take(c < 3 ? row.color : row.alpha));
    std::vector<int> parity;
    for (unsigned i = 0; i < 2 * row.subsets; ++i)
        parity.push_back(row.end_parity != 0 || (row.shared_parity != 0 && i % 2 == 0) ? bits.take(1)
                         : i > 0                                                       ? parity.back()
                                                                                       : 0);
    const int extra = row.end_parity + row.shared_parity;
    for (std::size_t c = 0; c < 4; ++c)
        for (std::size_t i = 0; i < ends[c].size(); ++i) {
            const int width = (c < 3 ? row.color : row.alpha) + extra;
            int value = extra != 0 ? 2 * ends[c][i] + parity[i] : ends[c][i];
            value = value * (1 << (8 - width));
            value += value / (1 << width);
            ends[c][i] = c == 3 && row.alpha == 0 ? 255 : value;
        }
    const auto first = take_indices(bits, parts, row.index);
    const auto second = row.second != 0 ? take_indices(bits, parts, row.second) : first;
    const int second_width = row.second != 0 ? row.second : row.index;
    std::array<int, 4> result{};
    const std::size_t subset = parts.subset_of(texel);
    for (std::size_t c = 0; c < 4; ++c) {
        const bool takes_second = (c == 3) != (selection != 0);
        result[c] = blend(ends[c][2 * subset], ends[c][2 * subset + 1], (takes_second ? second : first)[texel],
                          takes_second ? second_width : row.index);
    }
    if (rotation > 0) std::swap(result[static_cast<std::size_t>(rotation - 1)], result[3]);
    return result;
}

/// Half floats' bits.
std::array<int, 3> reference_bc6(const std::array<std::uint8_t, 16>& bytes, unsigned texel, bool with_sign)
{
    // Whether the other ends are differences, bits of the first end and of the others, and the fields in the order of
    // the block, of which "d" is the partition.
    static const std::map<int, const char*> rows{
        {0x00, "1 10 5 5 5 gy4 by4 bz4 rw0-9 gw0-9 bw0-9 rx0-4 gz4 gy0-3 gx0-4 bz0 gz0-3 bx0-4 bz1 by0-3 ry0-4 bz2 "
               "rz0-4 bz3 d0-4"},
        {0x01, "1 7 6 6 6 gy5 gz4-5 rw0-6 bz0-1 by4 gw0-6 by5 bz2 gy4 bw0-6 bz3 bz5-4 rx0-5 gy0-3 gx0-5 gz0-3 bx0-5 "
               "by0-3 ry0-5 rz0-5 d0-4"},
        {0x02, "1 11 5 4 4 rw0-9 gw0-9 bw0-9 rx0-4 rw10 gy0-3 gx0-3 gw10 bz0 gz0-3 bx0-3 bw10 bz1 by0-3 ry0-4 bz2 "
               "rz0-4 bz3 d0-4"},
        {0x06, "1 11 4 5 4 rw0-9 gw0-9 bw0-9 rx0-3 rw10 gz4 gy0-3 gx0-4 gw10 gz0-3 bx0-3 bw10 bz1 by0-3 ry0-3 bz0 bz2 "
               "rz0-3 gy4 bz3 d0-4"},
        {0x0a, "1 11 4 4 5 rw0-9 gw0-9 bw0-9 rx0-3 rw10 by4 gy0-3 gx0-3 gw10 bz0 gz0-3 bx0-4 bw10 by0-3 ry0-3 bz1-2 "
               "rz0-3 bz4-3 d0-4"},
        {0x0e, "1 9 5 5 5 rw0-8 by4 gw0-8 gy4 bw0-8 bz4 rx0-4 gz4 gy0-3 gx0-4 bz0 gz0-3 bx0-4 bz1 by0-3 ry0-4 bz2 "
               "rz0-4 bz3 d0-4"},
        {0x12, "1 8 6 5 5 rw0-7 gz4 by4 gw0-7 bz2 gy4 bw0-7 bz3-4 rx0-5 gy0-3 gx0-4 bz0 gz0-3 bx0-4 bz1 by0-3 ry0-5 "
               "rz0-5 d0-4"},
        {0x16, "1 8 5 6 5 rw0-7 bz0 by4 gw0-7 gy5-4 bw0-7 gz5 bz4 rx0-4 gz4 gy0-3 gx0-5 gz0-3 bx0-4 bz1 by0-3 ry0-4 "
               "bz2 rz0-4 bz3 d0-4"},
        {0x1a, "1 8 5 5 6 rw0-7 bz1 by4 gw0-7 by5 gy4 bw0-7 bz5-4 rx0-4 gz4 gy0-3 gx0-4 bz0 gz0-3 bx0-5 by0-3 ry0-4 "
               "bz2 rz0-4 bz3 d0-4"},
        {0x1e, "0 6 6 6 6 rw0-5 gz4 bz0-1 by4 gw0-5 gy5 by5 bz2 gy4 bw0-5 gz5 bz3 bz5-4 rx0-5 gy0-3 gx0-5 gz0-3 bx0-5 "
               "by0-3 ry0-5 rz0-5 d0-4"},
        {0x03, "0 10 10 10 10 rw0-9 gw0-9 bw0-9 rx0-9 gx0-9 bx0-9"},
        {0x07, "1 11 9 9 9 rw0-9 gw0-9 bw0-9 rx0-8 rw10 gx0-8 gw10 bx0-8 bw10"},
        {0x0b, "1 12 8 8 8 rw0-9 gw0-9 bw0-9 rx0-7 rw11-10 gx0-7 gw11-10 bx0-7 bw11-10"},
        {0x0f, "1 16 4 4 4 rw0-9 gw0-9 bw0-9 rx0-3 rw15-10 gx0-3 gw15-10 bx0-3 bw15-10"},
    };
    bit_queue bits(bytes);
    int number = bits.take(2);
    if (number >= 2) number += 4 * bits.take(3);
    const auto found = rows.find(number);
    if (found == rows.end()) return {};
    std::istringstream fields(found->second);
    bool delta = false;
    int first_width = 0;
    std::array<int, 3> deltas{};
    fields >> delta >> first_width >> deltas[0] >> deltas[1] >> deltas[2];

    std::map<std::string, int> values;
    for (std::string field; fields >> field;) {
        const std::size_t digits = field.find_first_of("0123456789");
        const std::size_t dash = field.find('-');
        const int from = std::stoi(field.substr(digits));
        const int to = dash == std::string::npos ? from : std::stoi(field.substr(dash + 1));
        const int step = to < from ? -1 : 1;
        for (int bit = from;; bit += step) {
            values[field.substr(0, digits)] += bits.take(1) << bit;
            if (bit == to) break;
        }
    }
    const bool two = values.count("d") != 0;
    const texture::partition parts{two ? 2U : 1U, static_cast<unsigned>(values["d"])};
    const auto indices = take_indices(bits, parts, two ? 3 : 4);

    const auto signed_value = [](int value, int width) {
        return value >= 1 << (width - 1) ? value - (1 << width) : value;
    };
    const auto widen = [&](int value) {
        const int width = first_width;
        if (with_sign) {
            value = signed_value(value, width);
            if (width >= 16 || value == 0) return value;
            const int size = value < 0 ? -value : value;
            const int wide = size >= (1 << (width - 1)) - 1 ? 0x7fff : (size * 0x8000 + 0x4000) / (1 << (width - 1));
            return value < 0 ? -wide : wide;
        }
        if (width >= 15 || value == 0) return value;
        return value == (1 << width) - 1 ? 0xffff : (value * 0x10000 + 0x8000) / (1 << width);
    };
    std::array<int, 3> result{};
    const std::string names = "rgb";
    for (std::size_t c = 0; c < 3; ++c) {
        const auto end = [&](char which) {
            const int own = values[std::string{names[c], which}];
            if (which == 'w' || !delta) return own;
            return (values[std::string{names[c], 'w'}] + signed_value(own, deltas[c])) & ((1 << first_width) - 1);
        };
        const bool upper = parts.subset_of(texel) != 0;
        const int mixed =
            blend(widen(end(upper ? 'y' : 'w')), widen(end(upper ? 'z' : 'x')), indices[texel], two ? 3 : 4);
        if (!with_sign)
            result[c] = mixed * 31 / 64;
        else
            result[c] = mixed < 0 ? 0x8000 + -mixed * 31 / 32 : mixed * 31 / 32;
    }
    return result;
}

TEST(texture_block, bc7_in_all_modes_and_partitions)
{
    std::mt19937 engine(3);
    for (unsigned mode = 0; mode < 8; ++mode)
        for (unsigned i = 0; i < 80; ++i) {
            block bytes = random_block(engine);
            bytes[0] = static_cast<std::uint8_t>((unsigned{bytes[0]} >> (mode + 1) << (mode + 1)) | 1U << mode);
            for (unsigned t = 0; t < 16; ++t) {
                const auto got = texture::decode_bc7(bytes.data(), t % 4, t / 4);
                const auto expected = reference_bc7(bytes, t);
                for (unsigned c = 0; c < 4; ++c)
                    ASSERT_EQ(int{got[c]}, expected[c]) << "mode " << mode << ", block " << i << ", texel " << t;
            }
        }
    EXPECT_EQ(texture::decode_bc7(block{}.data(), 1, 1), (std::array<std::uint8_t, 4>{}));
}

TEST(texture_block, bc6_in_all_modes_with_and_without_sign)
{
    std::mt19937 engine(4);
    for (unsigned low = 0; low < 32; ++low)
        for (unsigned i = 0; i < 25; ++i) {
            block bytes = random_block(engine);
            bytes[0] = static_cast<std::uint8_t>((bytes[0] & 0xe0U) | low);
            for (unsigned t = 0; t < 16; ++t)
                for (const bool with_sign : {false, true}) {
                    const auto got = texture::decode_bc6(bytes.data(), t % 4, t / 4, with_sign);
                    const auto expected = reference_bc6(bytes, t, with_sign);
                    for (unsigned c = 0; c < 3; ++c)
                        ASSERT_EQ(int{got[c]}, expected[c])
                            << "mode " << low << ", block " << i << ", texel " << t << ", sign " << with_sign;
                }
        }
}

/// FNV-1a over small numbers.
class number_hash {
public:
    void add(unsigned value) { hash_ = (hash_ ^ value) * 0x01000193U; }
    std::uint32_t value() const { return hash_; }

private:
    std::uint32_t hash_ = 0x811c9dc5U;
};

TEST(texture_block, subsets_and_anchors_are_those_of_another_decoder)
{
    // Hashes of the tables in Microsoft's DirectXTex (BC6HBC7.cpp), texel by texel.
    constexpr std::uint32_t subset_hashes[] = {0, 0, 0x01485e09, 0x6dd293c7};
    constexpr std::uint32_t anchor_hashes[] = {0, 0, 0x05296b69, 0x61e45ca2};
    for (unsigned subsets = 2; subsets <= 3; ++subsets) {
        number_hash members;
        number_hash anchors;
        for (unsigned number = 0; number < 64; ++number) {
            const texture::partition parts{subsets, number};
            for (unsigned texel = 0; texel < 16; ++texel) members.add(parts.subset_of(texel));
            for (unsigned subset = 1; subset < subsets; ++subset) anchors.add(parts.anchor(subset));
        }
        EXPECT_EQ(members.value(), subset_hashes[subsets]);
        EXPECT_EQ(anchors.value(), anchor_hashes[subsets]);
    }
}

TEST(texture_block, bc7_mode_6_by_hand)
{
    // Mode 6: seven zeros and a one backwards, 7 bits of each of r0 r1 g0 g1 b0 b1 a0 a1, two parity bits, 4-bit
    // indices.
    block bytes{};
    unsigned place = 0;
    const auto put = [&](unsigned value, unsigned count) {
        for (unsigned i = 0; i < count; ++i, ++place)
            bytes[place / 8] = static_cast<std::uint8_t>(bytes[place / 8] | (value >> i & 1U) << (place % 8));
    };
    put(1U << 6, 7);
    for (const unsigned value : {0U, 127U, 10U, 20U, 64U, 64U, 127U, 0U}) put(value, 7);
    put(0, 1);
    put(1, 1);
    put(7, 3); // the anchor
    for (unsigned t = 1; t < 16; ++t) put(t, 4);
    EXPECT_EQ(texture::decode_bc7(bytes.data(), 0, 0), (std::array<std::uint8_t, 4>{120, 30, 128, 135}));
    EXPECT_EQ(texture::decode_bc7(bytes.data(), 3, 3), (std::array<std::uint8_t, 4>{255, 41, 129, 1}));
}

} // namespace
} // namespace isbesim::test

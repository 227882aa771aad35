// SPDX-License-Identifier: Apache-2.0
// Compressed blocks against formulas in double, blocks made by hand, and hashes of other decoders' results.
#include <array>
#include <cstdint>
#include <random>

#include <gtest/gtest.h>

#include "models/texture/block_codec.h"
#include "models/texture/bptc_partition.h"

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

/// FNV-1a over small numbers.
class number_hash {
public:
    void add(unsigned value) { hash_ = (hash_ ^ value) * 0x01000193U; }
    std::uint32_t value() const { return hash_; }

private:
    std::uint32_t hash_ = 0x811c9dc5U;
};

/// A random block that begins with these bits.
block block_of_mode(std::mt19937& engine, unsigned mode, unsigned bits)
{
    block bytes = random_block(engine);
    bytes[0] = static_cast<std::uint8_t>(unsigned{bytes[0]} >> bits << bits | mode);
    return bytes;
}

// What bcdec (github.com/iOrange/bcdec, bcdec_bc7 and bcdec_bc6h_half) makes of the same random blocks, as hashes.

TEST(texture_block, bc7_in_all_modes_and_partitions)
{
    constexpr std::uint32_t hashes[] = {0xb7a8528e, 0x284d2c73, 0xe653efd5, 0x11608229,
                                        0x64a372ef, 0xd44fe59c, 0xb0c9cf88, 0xfa2b800f};
    std::mt19937 engine(3);
    for (unsigned mode = 0; mode < 8; ++mode) {
        number_hash texels;
        for (unsigned i = 0; i < 80; ++i) {
            const block bytes = block_of_mode(engine, 1U << mode, mode + 1);
            for (unsigned t = 0; t < 16; ++t)
                for (const unsigned channel : texture::decode_bc7(bytes.data(), t % 4, t / 4)) texels.add(channel);
        }
        EXPECT_EQ(texels.value(), hashes[mode]) << "mode " << mode;
    }
    EXPECT_EQ(texture::decode_bc7(block{}.data(), 1, 1), (std::array<std::uint8_t, 4>{}));
}

TEST(texture_block, bc6_in_all_modes_with_and_without_sign)
{
    struct hashed_mode {
        unsigned mode;
        std::uint32_t hashes[2]; ///< without sign, with sign
    };
    constexpr hashed_mode modes[] = {
        {0x00, {0x84410eb6, 0x2a6fb87e}}, {0x01, {0x84bf70a7, 0x29766969}}, {0x02, {0x33be76ab, 0xc3d18084}},
        {0x06, {0x24174ad1, 0x812ee8ff}}, {0x0a, {0x50b3c9ad, 0xc673d9c6}}, {0x0e, {0x639774f9, 0x7b366273}},
        {0x12, {0xe3b639cb, 0x38159f86}}, {0x16, {0xe8de8a66, 0x49340698}}, {0x1a, {0x507f930e, 0x8f95bb53}},
        {0x1e, {0xc1278a8b, 0xf2ea6de8}}, {0x03, {0x3675f4ee, 0x93ebe030}}, {0x07, {0xce021876, 0xd6b4a644}},
        {0x0b, {0xbd8d185e, 0x5044d057}}, {0x0f, {0xccf2b6b2, 0x5e4bf896}}};
    for (const auto& [mode, hashes] : modes)
        for (const bool with_sign : {false, true}) {
            std::mt19937 engine(4 + mode);
            number_hash texels;
            for (unsigned i = 0; i < 100; ++i) {
                const block bytes = block_of_mode(engine, mode, mode < 2 ? 2 : 5);
                for (unsigned t = 0; t < 16; ++t)
                    for (const unsigned channel : texture::decode_bc6(bytes.data(), t % 4, t / 4, with_sign))
                        texels.add(channel);
            }
            EXPECT_EQ(texels.value(), hashes[with_sign ? 1 : 0]) << "mode " << mode << ", sign " << with_sign;
        }
    std::mt19937 engine(4);
    for (const unsigned reserved : {0x13U, 0x17U, 0x1bU, 0x1fU})
        for (const bool with_sign : {false, true})
            EXPECT_EQ(texture::decode_bc6(block_of_mode(engine, reserved, 5).data(), 2, 1, with_sign),
                      (std::array<std::uint16_t, 3>{}));
}

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

// SPDX-License-Identifier: Apache-2.0
// Compressed blocks against decoders written another way: bits as a list, formulas in double, blocks made by hand.
#include <random>

#include <gtest/gtest.h>

#include "models/texture/block_codec.h"
#include "models/texture/number.h"
#include "tests/texture/reference_bptc.h"

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

TEST(texture_block, bc7_in_all_modes_and_partitions)
{
    std::mt19937 engine(3);
    for (unsigned mode = 0; mode < 8; ++mode)
        for (unsigned i = 0; i < 80; ++i) {
            block bytes = random_block(engine);
            bytes[0] = static_cast<std::uint8_t>((unsigned{bytes[0]} >> (mode + 1) << (mode + 1)) | 1U << mode);
            for (unsigned t = 0; t < 16; ++t) {
                const auto got = texture::decode_bc7(bytes.data(), t % 4, t / 4);
                const auto wanted = reference_bc7(bytes, t);
                for (unsigned c = 0; c < 4; ++c)
                    ASSERT_EQ(int{got[c]}, wanted[c]) << "mode " << mode << ", block " << i << ", texel " << t;
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
                    const auto wanted = reference_bc6(bytes, t, with_sign);
                    for (unsigned c = 0; c < 3; ++c)
                        ASSERT_EQ(int{got[c]}, wanted[c])
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

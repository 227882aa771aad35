// SPDX-License-Identifier: Apache-2.0
// Pairs of half floats against an account of their own: a half is an integer multiple of 2^-24, so sums and products
// are integers, rounded by comparing distances to all candidates around. Then flushing, saturation, zeros that win,
// selected halves, lane by lane.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "tests/isa/lab.h"

namespace isbesim::isa {
namespace {

/// A finite half; one in four is 0, denormal or near the limits.
word some_half(std::mt19937& random)
{
    static constexpr word special[] = {0, 1, 0x3ff, 0x400, 0x3c00, 0x7bff, 0x8001, 0xbc00};
    const word value = random() % 4 == 0 ? special[random() % 8] : random() & 0xffffU;
    return (value & 0x7c00U) == 0x7c00U ? value & 0xbfffU : value;
}

TEST(half, ISA_03_sums_products_and_fused_ones)
{
    std::mt19937 random{16};
    for (int round = 0; round < 400; ++round) {
        lab bench("HADD2 R10, R1, -R2; HMUL2 R11, R1, R2; HFMA2 R12, R1, R2, R3; HFMA2 R13, R1.H1_H1, |R2|.H0_H0, -R3;",
                  architecture::sm75);
        for (unsigned r = 1; r <= 3; ++r)
            for (auto& w : bench[r]) w = some_half(random) | some_half(random) << 16;
        const words a = bench[1], b = bench[2], c = bench[3];
        bench.run();
        for (unsigned i = 0; i < warp_lanes; ++i)
            for (const unsigned shift : {0U, 16U}) {
                const auto of = [&](const words& w, unsigned s) { return units(w[i] >> s & 0xffffU); };
                const auto result = [&](unsigned r) { return bench[r][i] >> shift & 0xffffU; };
                const auto check = [&](word got, wide_integer exact, unsigned scale, const char* what) {
                    const word expected = nearest_half(exact, scale);
                    // The sign of an exact zero is checked below.
                    if (exact != 0)
                        EXPECT_EQ(got, expected) << what << std::hex << " " << a[i] << " " << b[i] << " " << c[i];
                    else
                        EXPECT_EQ(got & 0x7fffU, 0U) << what;
                };
                check(result(10), wide_integer{of(a, shift)} - of(b, shift), 0, "HADD2");
                check(result(11), wide_integer{of(a, shift)} * of(b, shift), 24, "HMUL2");
                check(result(12), wide_integer{of(a, shift)} * of(b, shift) + wide_integer{of(c, shift)} * (1 << 24),
                      24, "HFMA2");
                const wide_integer second = of(b, 0) < 0 ? -wide_integer{of(b, 0)} : wide_integer{of(b, 0)};
                check(result(13), of(a, 16) * second - wide_integer{of(c, shift)} * (1 << 24), 24, "selected");
            }
    }
}

word half_pair_of(const std::string& text, word a, word b, word c = 0)
{
    return lab(text, architecture::sm75).fill(1, {a, b, c}).run()[10][17];
}

TEST(half, ISA_03_specials_and_modifiers)
{
    EXPECT_EQ(half_pair_of("HADD2 R10, R1, R2;", 0x7c00'8000, 0xfc00'8000), 0x7fff'8000U); // inf - inf; -0 + -0
    EXPECT_EQ(half_pair_of("HADD2.FTZ R10, R1, R2;", 0x0001'83ff, 0x3c00'0000), 0x3c00'0000U);
    EXPECT_EQ(half_pair_of("HADD2 R10, R1, R2;", 0x0001'83ff, 0x0000'0000), 0x0001'83ffU);
    EXPECT_EQ(half_pair_of("HADD2.SAT R10, R1, R2;", 0x4000'bc00, 0), 0x3c00'0000U);
    EXPECT_EQ(half_pair_of("HADD2.SAT R10, R1, R2;", 0x7e00'3800, 0), 0x0000'3800U); // NaN becomes 0
    EXPECT_EQ(half_pair_of("HADD2.F32 R10, -RZ, R1.H1_H1;", 0xc100'1234, 0), to_bits(-2.5F));
    EXPECT_EQ(half_pair_of("HADD2.F32 R10, -RZ, R1.H0_H0;", 0xc100'0001, 0), to_bits(std::ldexp(1.0F, -24)));
    EXPECT_EQ(half_pair_of("HMUL2.FMZ R10, R1, R2;", 0x7c00'7c00, 0x0000'3c00), 0x0000'7c00U); // 0 wins over infinity
    EXPECT_EQ(half_pair_of("HMUL2 R10, R1, R2;", 0x7c00'7c00, 0x0000'3c00), 0x7fff'7c00U);
    EXPECT_EQ(half_pair_of("HFMA2.FMZ R10, R1, R2, R3;", 0x7c00'7c00, 0, 0x3c00'4000), 0x3c00'4000U);
    // The upper number is said first.
    EXPECT_EQ(half_pair_of("HFMA2 R10, -RZ, RZ, 1.875, 5.9604644775390625e-08;", 0, 0), 0x3f80'0001U);
    EXPECT_EQ(half_pair_of("HFMA2 R10, R1, 2, -1, RZ;", 0x3c00'3c00, 0), 0x4000'bc00U);
    EXPECT_EQ(half_pair_of("HFMA2 R10, R1, 2, -1, R3.H1_H1;", 0x3c00'3c00, 0, 0x3c00'0000), 0x4200'0000U);
    EXPECT_THROW(assemble("HFMA2 R10, R1, 0.1, 1, RZ;", architecture::sm75), program_error);
}

TEST(half_rules, ISA_03_denormal_results_flush_with_ftz)
{
    // 2^-14 * 0.5 is denormal, 2^-14 * 1 is not; 2^-13 - 1.5 * 2^-14 neither.
    EXPECT_EQ(half_pair_of("HMUL2 R10, R1, R2;", 0x8400'0400, 0x3800'3c00), 0x8200'0400U);
    EXPECT_EQ(half_pair_of("HMUL2.FTZ R10, R1, R2;", 0x8400'0400, 0x3800'3c00), 0x8000'0400U);
    EXPECT_EQ(half_pair_of("HMUL2.FTZ R10, R1, R2;", 0x3c00'0400, 0x3c00'3800), 0x3c00'0000U);
    EXPECT_EQ(half_pair_of("HADD2.FTZ R10, R1, -R2;", 0x0800'0600, 0x0600'0800), 0x0000'8000U);
    EXPECT_EQ(half_pair_of("HADD2 R10, R1, -R2;", 0x0800'0600, 0x0600'0800), 0x0200'8200U);
    EXPECT_EQ(half_pair_of("HFMA2.FTZ R10, R1, R2, R3;", 0x0400'0400, 0x3c00'3c00, 0x83ff'8200), 0x0400'0400U);
    EXPECT_EQ(half_pair_of("HMUL2.FTZ R10, R1, R2;", 0x8402'0402, 0x3800'3800), 0x8000'0000U);
    // A source of exactly 2^-14 or more stays.
    EXPECT_EQ(half_pair_of("HADD2.FTZ R10, R1, RZ;", 0x0400'8400, 0), 0x0400'8400U);
    EXPECT_EQ(half_pair_of("HADD2.FTZ R10, R1, RZ;", 0x0401'83ff, 0), 0x0401'0000U);
}

TEST(half_rules, ISA_03_single_sources_flush_with_ftz)
{
    // 3/4 of the smallest normal float is more than 0, and two of them are normal.
    constexpr word denormal = 0x0060'0000;
    EXPECT_EQ(half_pair_of("HSET2.GT.AND R10, R1.F32, R2, PT;", denormal, 0), 0xffff'ffffU);
    EXPECT_EQ(half_pair_of("HSET2.FTZ.GT.AND R10, R1.F32, R2, PT;", denormal, 0), 0U);
    EXPECT_EQ(half_pair_of("HADD2.F32 R10, R1.F32, R2.F32;", denormal, denormal), 0x00c0'0000U);
    EXPECT_EQ(half_pair_of("HADD2.F32.FTZ R10, R1.F32, R2.F32;", denormal, denormal), 0U);
}

TEST(half_rules, ISA_03_saturation_keeps_values_in_range)
{
    for (word first = 0; first < 0x10000; first += 7 * 32) {
        lab bench("HADD2.SAT R10, R1, -RZ;", architecture::sm75);
        for (unsigned i = 0; i < warp_lanes; ++i) bench[1][i] = 0x38000000U | ((first + 7 * i) & 0xffffU);
        bench.run();
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const word half = bench[1][i] & 0xffffU;
            const bool negative = (half & 0x8000U) != 0, nan = (half & 0x7fffU) > 0x7c00U;
            EXPECT_EQ(bench[10][i], (negative || nan ? 0 : std::min(half, word{0x3c00})) | 0x38000000U);
        }
    }
    EXPECT_EQ(half_pair_of("HADD2.SAT R10, R1, -RZ;", 0x3bff'3c01, 0), 0x3bff'3c00U);
    EXPECT_EQ(half_pair_of("HADD2.SAT R10, R1, -RZ;", 0x8000'8001, 0), 0U);
    EXPECT_EQ(half_pair_of("HADD2.F32.SAT R10, R1, R2;", 0x8000, 0x8000), 0U);
    const auto single = [](const std::string& how, word a, word b) {
        return half_pair_of("HADD2.F32" + how + " R10, R1, R2;", a, b);
    };
    EXPECT_EQ(single(".SAT", 0x4000, 0), to_bits(1.0F));
    EXPECT_EQ(single(".SAT", 0xc000, 0), 0U);
    EXPECT_EQ(single(".SAT", 0x3800, 0x3400), to_bits(0.75F));
    EXPECT_EQ(single(".SAT", 0x0001, 0), to_bits(0x1p-24F));
    EXPECT_EQ(single(".SAT", 0x7e00, 0), 0U);
    EXPECT_EQ(single("", 0x7e00, 0), 0x7fffffffU);
    EXPECT_EQ(single("", 0x7c00, 0), 0x7f800000U);
    EXPECT_EQ(single("", 0xc000, 0x3800), to_bits(-1.5F));
}

TEST(half_rules, ISA_03_zero_wins_on_either_side)
{
    for (const word other : {0x7c00U, 0xfe00U, 0x4200U})
        for (const bool first : {true, false}) {
            const word a = first ? 0x3c008000U : other << 16 | other, b = first ? other << 16 | other : 0x3c000000U;
            const word low = half_pair_of("HMUL2.FMZ R10, R1, R2;", a, b) & 0xffffU;
            EXPECT_EQ(low, 0U);
            EXPECT_EQ(half_pair_of("HFMA2.FMZ R10, R1, R2, R3;", a, b, 0xc500) & 0xffffU, 0xc500U);
        }
    EXPECT_EQ(half_pair_of("HFMA2.FMZ R10, R1, R2, R3;", 0x4000'3c00, 0x4200'4000, 0x3c00'3c00), 0x4700'4200U);
    EXPECT_EQ(half_pair_of("HMUL2.FMZ R10, R1, R2;", 0x3c00'3c00, 0x3c00'bc00), 0x3c00'bc00U);
}

TEST(half_rules, ISA_03_halves_of_every_source)
{
    // 1, 2 and 4, 8 and 16, 32: each selection gives sums of its own.
    const word a = 0x4000'3c00, b = 0x4800'4400, c = 0x5000'4c00;
    const auto pair = [](float upper, float lower) {
        const auto half = [](float v) { return static_cast<word>(std::ilogb(v) + 15) << 10; };
        return half(upper) << 16 | half(lower);
    };
    EXPECT_EQ(half_pair_of("HMUL2 R10, R1.H0_H0, R2;", a, b), pair(8, 4));
    EXPECT_EQ(half_pair_of("HMUL2 R10, R1.H1_H1, R2;", a, b), pair(16, 8));
    EXPECT_EQ(half_pair_of("HMUL2 R10, R1, R2.H0_H0;", a, b), pair(8, 4));
    EXPECT_EQ(half_pair_of("HMUL2 R10, R1, R2.H1_H1;", a, b), pair(16, 8));
    EXPECT_EQ(half_pair_of("HFMA2 R10, RZ, R2, R3.H0_H0;", a, b, c), pair(16, 16));
    EXPECT_EQ(half_pair_of("HFMA2 R10, R1, RZ, R3.H1_H1;", a, b, c), pair(32, 32));
    EXPECT_EQ(half_pair_of("HFMA2 R10, R1, RZ, R3;", a, b, c), pair(32, 16));
}

} // namespace
} // namespace isbesim::isa

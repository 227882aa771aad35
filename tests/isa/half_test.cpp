// SPDX-License-Identifier: Apache-2.0
// Pairs of half floats against an account of their own: a half is an integer multiple of 2^-24, so sums and products
// are integers, rounded by comparing distances to all candidates around.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "tests/isa/lab.h"

namespace isbesim::isa {
namespace {

__extension__ using wide = __int128; // products of three halves have 80 bits

/// The half nearest to value * 2^-(24 + scale), even at a tie; found by search, not by shifting.
word nearest(wide value, unsigned scale)
{
    const bool negative = value < 0;
    const wide magnitude = negative ? -value : value;
    // 0x7c00 stands for 2^16, from half way to which the result is infinite.
    word low = 0, high = 0x7c00;
    const auto at = [&](word half) { return (half == 0x7c00 ? wide{1} << 40 : wide{units(half)}) << scale; };
    if (magnitude >= at(high)) return (negative ? 0x8000U : 0U) | 0x7c00U;
    while (high - low > 1) {
        const word middle = (low + high) / 2;
        (at(middle) <= magnitude ? low : high) = middle;
    }
    const wide below = magnitude - at(low), above = at(high) - magnitude;
    const word chosen = below < above || (below == above && low % 2 == 0) ? low : high;
    return (negative ? 0x8000U : 0U) | chosen;
}

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
                  all_lanes, 0, architecture::sm75);
        for (unsigned r = 1; r <= 3; ++r)
            for (auto& w : bench[r]) w = some_half(random) | some_half(random) << 16;
        const words a = bench[1], b = bench[2], c = bench[3];
        bench.run();
        for (unsigned i = 0; i < warp_lanes; ++i)
            for (const unsigned shift : {0U, 16U}) {
                const auto of = [&](const words& w, unsigned s) { return units(w[i] >> s & 0xffffU); };
                const auto result = [&](unsigned r) { return bench[r][i] >> shift & 0xffffU; };
                const auto check = [&](word got, wide exact, unsigned scale, const char* what) {
                    const word expected = nearest(exact, scale);
                    // The sign of an exact zero is checked below.
                    if (exact != 0)
                        EXPECT_EQ(got, expected) << what << std::hex << " " << a[i] << " " << b[i] << " " << c[i];
                    else
                        EXPECT_EQ(got & 0x7fffU, 0U) << what;
                };
                check(result(10), wide{of(a, shift)} - of(b, shift), 0, "HADD2");
                check(result(11), wide{of(a, shift)} * of(b, shift), 24, "HMUL2");
                check(result(12), wide{of(a, shift)} * of(b, shift) + wide{of(c, shift)} * (1 << 24), 24, "HFMA2");
                const wide second = of(b, 0) < 0 ? -wide{of(b, 0)} : wide{of(b, 0)};
                check(result(13), of(a, 16) * second - wide{of(c, shift)} * (1 << 24), 24, "selected");
            }
    }
}

TEST(half, ISA_03_specials_and_modifiers)
{
    const auto result = [](const std::string& text, word a, word b, word c = 0) {
        lab bench(text, all_lanes, 0, architecture::sm75);
        bench.fill(1, a);
        bench.fill(2, b);
        bench.fill(3, c);
        return bench.run()[10][5];
    };
    EXPECT_EQ(result("HADD2 R10, R1, R2;", 0x7c00'8000, 0xfc00'8000), 0x7fff'8000U); // inf - inf; -0 + -0
    EXPECT_EQ(result("HADD2.FTZ R10, R1, R2;", 0x0001'83ff, 0x3c00'0000), 0x3c00'0000U);
    EXPECT_EQ(result("HADD2 R10, R1, R2;", 0x0001'83ff, 0x0000'0000), 0x0001'83ffU);
    EXPECT_EQ(result("HADD2.SAT R10, R1, R2;", 0x4000'bc00, 0), 0x3c00'0000U);
    EXPECT_EQ(result("HADD2.SAT R10, R1, R2;", 0x7e00'3800, 0), 0x0000'3800U); // NaN becomes 0
    EXPECT_EQ(result("HADD2.F32 R10, -RZ, R1.H1_H1;", 0xc100'1234, 0), to_bits(-2.5F));
    EXPECT_EQ(result("HADD2.F32 R10, -RZ, R1.H0_H0;", 0xc100'0001, 0), to_bits(std::ldexp(1.0F, -24)));
    EXPECT_EQ(result("HMUL2.FMZ R10, R1, R2;", 0x7c00'7c00, 0x0000'3c00), 0x0000'7c00U); // 0 wins over infinity
    EXPECT_EQ(result("HMUL2 R10, R1, R2;", 0x7c00'7c00, 0x0000'3c00), 0x7fff'7c00U);
    EXPECT_EQ(result("HFMA2.FMZ R10, R1, R2, R3;", 0x7c00'7c00, 0, 0x3c00'4000), 0x3c00'4000U);
    // The upper number is said first.
    EXPECT_EQ(result("HFMA2 R10, -RZ, RZ, 1.875, 5.9604644775390625e-08;", 0, 0), 0x3f80'0001U);
    EXPECT_EQ(result("HFMA2 R10, R1, 2, -1, RZ;", 0x3c00'3c00, 0), 0x4000'bc00U);
    EXPECT_EQ(result("HFMA2 R10, R1, 2, -1, R3.H1_H1;", 0x3c00'3c00, 0, 0x3c00'0000), 0x4200'0000U);
    EXPECT_THROW(assemble("HFMA2 R10, R1, 0.1, 1, RZ;", architecture::sm75), program_error);
}

} // namespace
} // namespace isbesim::isa

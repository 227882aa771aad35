// SPDX-License-Identifier: Apache-2.0
// Pairs of half floats against an account of their own: a half is an integer multiple of 2^-24, so sums and products
// are integers, rounded by comparing distances to all candidates around. Saturation; the rest is cases/halves.txt.
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
}

} // namespace
} // namespace isbesim::isa

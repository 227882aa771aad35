// SPDX-License-Identifier: Apache-2.0
// Single and double precision in all rounding modes, with zeros, infinities, NaNs and denormals, against the host's
// arithmetic in the same mode.
#include <cfenv>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "tests/isa/lab.h"

namespace isbesim::isa {
namespace {

struct rounding_mode {
    const char* name;
    int host;
};
constexpr rounding_mode modes[] = {
    {"", FE_TONEAREST}, {".RM", FE_DOWNWARD}, {".RP", FE_UPWARD}, {".RZ", FE_TOWARDZERO}};

/// The host's result in a mode, with one NaN. Operands are volatile so that nothing is computed beforehand.
template <typename Number, typename Function>
auto on_host(int mode, Number a, Number b, Number c, Function f)
{
    volatile Number x = a, y = b, z = c;
    std::fesetround(mode);
    const volatile Number result = f(x, y, z);
    std::fesetround(FE_TONEAREST);
    const Number value = result;
    const auto nan = sizeof value == 4 ? 0x7fffffffU : 0x7fffffffffffffffU;
    return std::isnan(value) ? static_cast<decltype(to_bits(value))>(nan) : to_bits(value);
}

word awkward_float(std::mt19937& random)
{
    static constexpr word special[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000,
                                       0xff800000, 0x7fc00001, 0xffc12345, 1,          0x807fffff,
                                       0x00800000, 0x7f7fffff, 0x40000000, 0x80800000};
    const word close = 0x3f000000U + static_cast<word>(random() & 0x1ffffffU); // sums and products of these round
    return random() % 2 == 0 ? special[random() % 14] : close | static_cast<word>(random() % 2 << 31);
}

word flushed(word bits)
{
    return (bits & 0x7f800000U) == 0 ? bits & 0x80000000U : bits;
}

TEST(rounding, ISA_03_floats_in_every_mode)
{
    std::mt19937 random{5};
    for (const auto arch : {architecture::sm50, architecture::sm75})
        for (const auto& mode : modes)
            for (const bool ftz : {false, true})
                for (unsigned round = 0; round < 4; ++round) {
                    const std::string how = (ftz ? ".FTZ" : "") + std::string(mode.name);
                    lab bench("FADD" + how + " R10, R0, -R1; FMUL" + how + " R11, R0, R1; FFMA" + how +
                                  " R12, R0, -R1, R2; FFMA" + how + " R13, R0, -R1, -R2; FADD" + how +
                                  " R14, |R0|, -|R1|;",
                              arch);
                    for (unsigned r = 0; r < 3; ++r)
                        for (auto& w : bench[r]) w = awkward_float(random);
                    const words a = bench[0], b = bench[1], c = bench[2];
                    bench.run();
                    for (unsigned i = 0; i < warp_lanes; ++i) {
                        const auto in = [&](word w) { return to_float(ftz ? flushed(w) : w); };
                        const float x = in(a[i]), y = in(b[i]), z = in(c[i]);
                        const auto expect = [&](unsigned r, auto f) {
                            const word bits = on_host(mode.host, x, y, z, f);
                            EXPECT_EQ(bench[r][i], ftz ? flushed(bits) : bits)
                                << how << " R" << r << std::hex << " of " << a[i] << " " << b[i] << " " << c[i];
                        };
                        expect(10, [](float p, float q, float) { return p - q; });
                        expect(11, [](float p, float q, float) { return p * q; });
                        expect(12, [](float p, float q, float s) { return std::fma(p, -q, s); });
                        expect(13, [](float p, float q, float s) { return std::fma(p, -q, -s); });
                        expect(14, [](float p, float q, float) { return std::fabs(p) - std::fabs(q); });
                    }
                }
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

std::uint64_t awkward_double(std::mt19937& random)
{
    static constexpr std::uint64_t special[] = {0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000,
                                                0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000001,
                                                0xfff8000000012345, 0x0000000000000001, 0x800fffffffffffff,
                                                0x0010000000000000, 0x7fefffffffffffff, 0xbff0000000000000};
    const std::uint64_t close = 0x3fe0000000000000ULL + (std::uint64_t{random() & 0x3fffffU} << 32) + random();
    return random() % 2 == 0 ? special[random() % 12] : close | std::uint64_t{random() % 2} << 63;
}

double double_of(std::uint64_t bits)
{
    return to_double(static_cast<word>(bits), static_cast<word>(bits >> 32));
}

/// Doubles in R0, R2, R4 of each lane.
struct double_lab : lab {
    double_lab(const std::string& text, std::mt19937& random, architecture arch) : lab(text, arch)
    {
        for (unsigned r = 0; r < 6; r += 2)
            for (unsigned i = 0; i < warp_lanes; ++i) set_pair(r, i, awkward_double(random));
    }
};

TEST(rounding, ISA_03_doubles_in_every_mode)
{
    std::mt19937 random{6};
    for (const auto arch : {architecture::sm50, architecture::sm75})
        for (const auto& mode : modes)
            for (unsigned round = 0; round < 6; ++round) {
                const std::string how = mode.name;
                double_lab bench("DADD" + how + " R10, R0, -R2; DMUL" + how + " R12, R0, -R2; DFMA" + how +
                                     " R14, R0, R2, -R4; DADD" + how + " R16, -|R0|, |R2|; DADD" + how +
                                     " R18, R0, RZ; DADD RZ, R0, R2;",
                                 random, arch);
                bench.run();
                for (unsigned i = 0; i < warp_lanes; ++i) {
                    const double x = double_of(bench.pair(0, i)), y = double_of(bench.pair(2, i)),
                                 z = double_of(bench.pair(4, i));
                    const auto expect = [&](unsigned r, auto f) {
                        EXPECT_EQ(bench.pair(r, i), on_host(mode.host, x, y, z, f)) << how << " " << x << " " << y;
                    };
                    expect(10, [](double p, double q, double) { return p - q; });
                    expect(12, [](double p, double q, double) { return p * -q; });
                    expect(14, [](double p, double q, double s) { return std::fma(p, q, -s); });
                    expect(16, [](double p, double q, double) { return -std::fabs(p) + std::fabs(q); });
                    expect(18, [](double p, double, double) { return p + 0.0; });
                }
            }
}

TEST(rounding, ISA_03_minima_of_negative_zero_and_nan)
{
    // PTX ISA, min and max: the number where the other is NaN, NaN where both are; -0 is less than +0.
    const auto choose = [](double x, double y, bool minimum) {
        if (std::isnan(x)) return y;
        if (std::isnan(y)) return x;
        if (x == 0 && y == 0) return std::signbit(x) == minimum ? x : y;
        return (x < y) == minimum ? x : y;
    };
    const auto bits = [](auto value, auto nan) { return std::isnan(value) ? nan : to_bits(value); };
    std::mt19937 random{7};
    constexpr lane_mask minimum = 0x5555'3333U;
    for (unsigned round = 0; round < 8; ++round) {
        double_lab bench("DMNMX R10, R0, R2, P0; DMNMX R12, -|R0|, R2, !P0; FMNMX R14, R6, R7, P0;"
                         "FMNMX.FTZ R15, R6, -R7, P0; DSET.LE.AND R16, R0, R2, P0; DSET.BF.NEU.OR R17, -R0, |R2|, P0;"
                         "DSETP.GTU.XOR P1, P2, R0, R2, P0;",
                         random, architecture::sm50);
        if (round % 2 == 0) {
            bench[2] = bench[0];
            bench[3] = bench[1]; // equal ones
        }
        for (unsigned r = 6; r < 8; ++r)
            for (auto& w : bench[r]) w = awkward_float(random);
        for (unsigned r = 0; r < 4; ++r)
            for (unsigned i = 0; i < 2; ++i) bench[r][i] = r == 2 * i + 1 ? 0x80000000U : 0U;
        bench[6][2] = bench[7][2] = 0x7f800001U;
        bench[6][0] = 0x80000000U, bench[7][0] = 0;
        bench[6][1] = 0, bench[7][1] = 0x80000000U;
        bench.warp.predicates[0] = minimum;
        bench.run();
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const double x = double_of(bench.pair(0, i)), y = double_of(bench.pair(2, i));
            const bool least = (minimum >> i & 1U) != 0;
            constexpr std::uint64_t nan = 0x7fffffffffffffffULL;
            EXPECT_EQ(bench.pair(10, i), bits(choose(x, y, least), nan)) << x << " " << y;
            EXPECT_EQ(bench.pair(12, i), bits(choose(-std::fabs(x), y, !least), nan)) << x << " " << y;
            const float p = to_float(bench[6][i]), q = to_float(bench[7][i]);
            const auto single = [&](double value) { return bits(static_cast<float>(value), word{0x7fffffffU}); };
            EXPECT_EQ(bench[14][i], single(choose(static_cast<double>(p), static_cast<double>(q), least)));
            const float pf = to_float(flushed(bench[6][i])), qf = to_float(flushed(bench[7][i]));
            EXPECT_EQ(bench[15][i], single(choose(static_cast<double>(pf), static_cast<double>(-qf), least)));
            EXPECT_EQ(bench[16][i], x <= y && least ? 0xffffffffU : 0U);
            const bool differ = !(-x == std::fabs(y)); // unordered too
            EXPECT_EQ(bench[17][i], differ || least ? 0x3f800000U : 0U);
            const bool greater = !(x <= y);
            EXPECT_EQ(bench.warp.predicates[1] >> i & 1U, greater != least ? 1U : 0U);
            EXPECT_EQ(bench.warp.predicates[2] >> i & 1U, !greater != least ? 1U : 0U);
        }
    }
}

// Pairs of half floats against an account of their own: a half is an integer multiple of 2^-24, so sums and products
// are integers, rounded by comparing distances to all candidates around. Saturation; the rest is cases/halves.txt.

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
                const auto units_of = [&](const words& w, unsigned s) { return units(w[i] >> s & 0xffffU); };
                const auto result = [&](unsigned r) { return bench[r][i] >> shift & 0xffffU; };
                const auto check = [&](word got, wide_integer exact, unsigned scale, const char* what) {
                    const word expected = nearest_half(exact, scale);
                    // The sign of an exact zero is checked below.
                    if (exact != 0)
                        EXPECT_EQ(got, expected) << what << std::hex << " " << a[i] << " " << b[i] << " " << c[i];
                    else
                        EXPECT_EQ(got & 0x7fffU, 0U) << what;
                };
                check(result(10), wide_integer{units_of(a, shift)} - units_of(b, shift), 0, "HADD2");
                check(result(11), wide_integer{units_of(a, shift)} * units_of(b, shift), 24, "HMUL2");
                check(result(12),
                      wide_integer{units_of(a, shift)} * units_of(b, shift) +
                          wide_integer{units_of(c, shift)} * (1 << 24),
                      24, "HFMA2");
                const wide_integer second =
                    units_of(b, 0) < 0 ? -wide_integer{units_of(b, 0)} : wide_integer{units_of(b, 0)};
                check(result(13), units_of(a, 16) * second - wide_integer{units_of(c, shift)} * (1 << 24), 24,
                      "selected");
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

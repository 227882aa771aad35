// SPDX-License-Identifier: Apache-2.0
// Conversions of all 65536 halves, and to halves in all modes, against halves as multiples of 2^-24.
#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

#include "tests/isa/conversion_lab.h"

namespace isbesim::isa {
namespace {

double half_value(word half)
{
    if ((half & 0x7c00U) != 0x7c00U) {
        const double value = std::ldexp(static_cast<double>(std::abs(units(half))), -24);
        return (half & 0x8000U) != 0 ? -value : value;
    }
    if ((half & 0x3ffU) != 0) return std::nan("");
    return (half & 0x8000U) != 0 ? -HUGE_VAL : HUGE_VAL;
}

/// The half that a mode makes of a number, found by search among all of them.
word half_of(double number, int mode)
{
    if (std::isnan(number)) return 0x7fffU;
    const word sign = std::signbit(number) ? 0x8000U : 0;
    const double magnitude = std::fabs(number);
    if (std::isinf(magnitude)) return sign | 0x7c00U;
    // 0x7c00 stands for 2^16 where it is a question of distance.
    const auto at = [](word half) { return half == 0x7c00U ? 65536.0 : half_value(half); };
    word low = 0, high = 0x7c00;
    if (magnitude >= 65536.0) {
        low = 0x7bff;
    } else {
        while (high - low > 1) {
            const word middle = (low + high) / 2;
            (at(middle) <= magnitude ? low : high) = middle;
        }
        if (at(low) == magnitude) return sign | low;
    }
    const bool away = (mode == FE_UPWARD && sign == 0) || (mode == FE_DOWNWARD && sign != 0);
    if (mode == FE_TONEAREST) {
        const double below = magnitude - at(low), above = at(low + 1) - magnitude;
        return sign | (below < above || (below == above && low % 2 == 0) ? low : low + 1);
    }
    return sign | (away ? low + 1 : low);
}

TEST(half_conversion, ISA_03_every_half_to_float_and_double)
{
    lab benches[] = {lab("F2F.F32.F16 R10, R0; F2F.F32.F16 R11, -|R1.H1|; F2F.F64.F16 R12, R0;"),
                     lab("F2F.F32.F16 R10, R0; F2F.F32.F16 R11, -|R1.H1|; F2F.F64.F16 R12, R0;", architecture::sm75)};
    for (word first = 0; first < 0x10000; first += 32)
        for (lab& bench : benches) {
            bench.warp.code = &bench.code;
            bench.warp.launch(bench.code, all_lanes, 0);
            for (unsigned i = 0; i < warp_lanes; ++i) {
                bench[0][i] = (first + i) | 0x55aa0000U;
                bench[1][i] = (first + i) << 16 | 0x1234U;
            }
            bench.run();
            for (unsigned i = 0; i < warp_lanes; ++i) {
                const double value = half_value(first + i);
                const auto single = [](double v) {
                    return std::isnan(v) ? 0x7fffffffU : to_bits(static_cast<float>(v));
                };
                const std::uint64_t whole = bench.pair(12, i);
                const bool right = bench[10][i] == single(value) && bench[11][i] == single(-std::fabs(value)) &&
                                   whole == (std::isnan(value) ? 0x7fffffffffffffffU : to_bits(value));
                ASSERT_TRUE(right) << std::hex << first + i;
            }
        }
}

TEST(half_conversion, ISA_03_floats_to_halves_in_every_mode)
{
    std::vector<float> numbers = {
        0.0F,         -0.0F,        65504.0F,     65519.0F, 65520.0F,   -65520.0F,  65536.0F,    70000.0F, -1e6F,
        INFINITY,     -INFINITY,    NAN,          0x1p-24F, 0x1p-25F,   -0x1p-25F,  0x1.8p-25F,  0x1p-26F, 0x1p-14F,
        0x1.ffcp-15F, 0x1.ffep-15F, 0x1.fffp-15F, 1.0F,     0x1.002p0F, 0x1.006p0F, -0x1.0021p0F};
    std::mt19937 random{11};
    for (unsigned k = 0; k < 400; ++k)
        numbers.push_back(
            std::ldexp(static_cast<float>(static_cast<int>(random())), static_cast<int>(random() % 44) - 58));
    std::vector<std::uint64_t> bits;
    bits.reserve(numbers.size());
    for (const float x : numbers) bits.push_back(to_bits(x));
    for (const auto arch : {architecture::sm50, architecture::sm75})
        for (const auto& mode : modes)
            for (const bool ftz : {false, true}) {
                const std::string text = std::string("F2F") + (ftz ? ".FTZ" : "") + ".F16.F32" + mode.name + " R4, R0;";
                const auto results = converted(text, bits, arch);
                for (std::size_t k = 0; k < numbers.size(); ++k)
                    EXPECT_EQ(results[k].low, half_of(static_cast<double>(numbers[k]), mode.host))
                        << text << std::hexfloat << numbers[k];
            }
}

TEST(half_conversion, ISA_03_doubles_to_narrow_floats_round_once)
{
    // Just above the middle of two halves and of two floats: a rounding to float before would lose that.
    for (const auto& mode : modes) {
        const double near_half = 0x1.002p0 + 0x1p-40, near_float = 0x1.000001p0 + 0x1p-50;
        const std::string name = mode.name;
        for (const auto arch : {architecture::sm50, architecture::sm75}) {
            EXPECT_EQ(converted("F2F.F16.F64" + name + " R4, R0;", to_bits(near_half), arch).low,
                      half_of(near_half, mode.host));
            EXPECT_EQ(converted("F2F.F16.F64" + name + " R4, -R0;", to_bits(near_half), arch).low,
                      half_of(-near_half, mode.host));
            std::fesetround(mode.host);
            volatile double number = near_float;
            volatile float expected = static_cast<float>(number);
            std::fesetround(FE_TONEAREST);
            EXPECT_EQ(converted("F2F.F32.F64" + name + " R4, R0;", to_bits(near_float), arch).low, to_bits(expected));
        }
    }
    EXPECT_EQ(both(converted("F2F.F64.F64 R4, -R0;", to_bits(0.1), architecture::sm50)), to_bits(-0.1));
    EXPECT_EQ(both(converted("F2F.F64.F64.SAT R4, R0;", to_bits(7.5), architecture::sm50)), to_bits(1.0));
    EXPECT_EQ(both(converted("F2F.F64.F32 R4, R0;", 0x7fc00000U, architecture::sm50)), 0x7fffffffffffffffU);
    EXPECT_EQ(converted("F2F.F32.F64 R4, R0;", to_bits(0x1p-140), architecture::sm50).low, to_bits(0x1p-140F));
    EXPECT_EQ(converted("F2F.FTZ.F32.F64 R4, R0;", to_bits(0x1p-140), architecture::sm50).low, to_bits(0x1p-140F));
}

TEST(half_conversion, ISA_03_saturated_conversions)
{
    for (const float x : {-1.0F, -0.0F, 0.0F, 0.25F, 1.0F, 1.25F, NAN}) {
        const float expected = x > 0.0F ? std::fmin(x, 1.0F) : 0.0F;
        EXPECT_EQ(converted("F2F.F32.F32.SAT R4, R0;", to_bits(x), architecture::sm50).low, to_bits(expected)) << x;
        EXPECT_EQ(converted("F2F.F16.F32.SAT R4, R0;", to_bits(x), architecture::sm50).low,
                  half_of(static_cast<double>(expected), FE_TONEAREST))
            << x;
    }
}

TEST(half_conversion, ISA_03_integers_to_halves)
{
    for (const auto& mode : modes)
        for (const std::int64_t x : {0LL, 1LL, -2047LL, 2049LL, 2051LL, -4098LL, 65504LL, 65519LL, 65520LL, -70000LL,
                                     (1LL << 62) + 1, -(1LL << 62)})
            for (const auto arch : {architecture::sm50, architecture::sm75}) {
                const std::string type = x == static_cast<std::int32_t>(x) ? ".S32" : ".S64";
                const std::string text =
                    "I2F.F16" + (arch == architecture::sm75 && type == ".S32" ? "" : type) + mode.name + " R4, R0;";
                EXPECT_EQ(converted(text, static_cast<std::uint64_t>(x), arch).low,
                          half_of(static_cast<double>(x), mode.host))
                    << text << x;
            }
}

} // namespace
} // namespace isbesim::isa

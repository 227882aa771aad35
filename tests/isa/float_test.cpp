// SPDX-License-Identifier: Apache-2.0
// Comparisons and functions of floats over their values: zeros that win, saturation, quads, reciprocals of upper words.
#include <cmath>

#include <gtest/gtest.h>

#include "tests/isa/lab.h"

namespace isbesim::isa {
namespace {

constexpr word one = 0x3f800000U, infinity = 0x7f800000U, nan_bits = 0x7fffffffU, minus = 0x80000000U;
constexpr word denormal = 0x00345678U;

/// R3 after running `text` with R0, R1, R2 = a, b, c in every lane.
word result(const std::string& text, word a, word b = 0, word c = 0, architecture arch = architecture::sm50)
{
    return lab(text, arch).fill(0, {a, b, c}).run()[3][9];
}

TEST(floating, ISA_03_comparisons_ordered_and_unordered)
{
    const float values[] = {-1.0F, 0.0F, 1.0F, std::numeric_limits<float>::quiet_NaN()};
    struct row {
        const char* name;
        bool less, equal, greater, unordered;
    };
    const row rows[] = {
        {"F", false, false, false, false}, {"LT", true, false, false, false}, {"EQ", false, true, false, false},
        {"LE", true, true, false, false},  {"GT", false, false, true, false}, {"NE", true, false, true, false},
        {"GE", false, true, true, false},  {"NUM", true, true, true, false},  {"NAN", false, false, false, true},
        {"LTU", true, false, false, true}, {"EQU", false, true, false, true}, {"LEU", true, true, false, true},
        {"GTU", false, false, true, true}, {"NEU", true, false, true, true},  {"GEU", false, true, true, true},
        {"T", true, true, true, true}};
    for (const auto& row : rows)
        for (const float x : values)
            for (const float y : values) {
                const bool expected = std::isunordered(x, y) ? row.unordered
                                      : x < y                ? row.less
                                      : x > y                ? row.greater
                                                             : row.equal;
                const std::string name = row.name;
                EXPECT_EQ(result("FSET." + name + ".AND R3, R0, R1, PT;", to_bits(x), to_bits(y)),
                          expected ? 0xffffffffU : 0U);
                EXPECT_EQ(result("FSET.BF." + name + ".OR R3, R0, R1, !PT;", to_bits(x), to_bits(y)),
                          expected ? one : 0U);
                EXPECT_EQ(
                    result("FSETP." + name + ".AND P1, P2, R0, R1, PT; SEL R4, RZ, 0x1, P1; SEL R3, R4, 0x8, !P2;",
                           to_bits(x), to_bits(y)),
                    expected ? 0U : 8U);
            }
}

TEST(special_float, ISA_03_zero_wins_over_infinity_and_nan)
{
    for (const auto arch : {architecture::sm50, architecture::sm75})
        for (const word other : {infinity, nan_bits, one, infinity | minus})
            for (const word zero : {word{0}, minus, denormal}) // .FMZ flushes first
                for (const bool first : {true, false}) {
                    const word a = first ? zero : other, b = first ? other : zero;
                    EXPECT_EQ(result("FMUL.FMZ R3, R0, R1;", a, b, 0, arch), 0U);
                    EXPECT_EQ(result("FFMA.FMZ R3, R0, R1, R2;", a, b, to_bits(-2.5F), arch), to_bits(-2.5F));
                    const word plain = result("FFMA.FTZ R3, R0, R1, R2;", a, b, one, arch);
                    EXPECT_EQ(plain, other == one ? one : nan_bits);
                }
    EXPECT_EQ(result("FMUL.FMZ R3, R0, R1;", to_bits(1.5F), to_bits(-2.0F)), to_bits(-3.0F));
    EXPECT_EQ(result("FFMA.FMZ R3, R0, R1, R2;", to_bits(1.5F), to_bits(2.0F), one), to_bits(4.0F));
    EXPECT_EQ(result("FMUL32I.FMZ R3, R0, +INF;", 0), 0U);
    EXPECT_EQ(result("FMUL32I.SAT R3, R0, 3;", one), one);
    EXPECT_EQ(result("FFMA32I.FMZ R3, R0, +INF, R3;", minus), 0U); // adds R3, which is 0
}

TEST(special_float, ISA_03_saturation_keeps_values_in_range)
{
    const auto between = [](float value) { return value > 0.0F ? std::fmin(value, 1.0F) : 0.0F; };
    for (const float x : {-2.0F, -0.0F, 0.0F, 0x1p-140F, 0.25F, 0.75F, 1.0F, 1.5F, INFINITY}) {
        EXPECT_EQ(result("FADD.SAT R3, R0, R1;", to_bits(x), 0), to_bits(between(x))) << x;
        EXPECT_EQ(result("FMUL.SAT R3, R0, R1;", to_bits(x), one), to_bits(between(x))) << x;
        EXPECT_EQ(result("FFMA.SAT R3, R0, R1, R2;", to_bits(x), one, minus), to_bits(between(x))) << x;
    }
}

TEST(special_float, ISA_03_products_scale_by_eighths_to_eight)
{
    const std::pair<const char*, float> scales[] = {{".D2", 0.5F}, {".D4", 0.25F}, {".D8", 0.125F}, {".M2", 2.0F},
                                                    {".M4", 4.0F}, {".M8", 8.0F},  {"", 1.0F}};
    for (const auto arch : {architecture::sm50, architecture::sm75})
        for (const auto& [name, factor] : scales)
            EXPECT_EQ(result("FMUL" + std::string(name) + " R3, R0, -R1;", to_bits(1.7F), to_bits(3.0F), 0, arch),
                      to_bits(static_cast<float>(double{1.7F} * -3.0 * static_cast<double>(factor))));
}

TEST(special_float, ISA_03_sums_in_quads_of_every_sign)
{
    // P both plus, N... names of two signs for each lane of a quad: PP, NP, PN and ZP, which takes the second alone.
    for (const auto arch : {architecture::sm50, architecture::sm75}) {
        lab bench("FSWZADD R10, R1, R2, PPPNNPZP; FSWZADD.FTZ R11, R3, R4, NPZPPPPN; FSWZADD R12, R3, R4, NPZPPPPN;"
                  "FSWZADD.RM R13, R5, R6, PPPPPPPP; FSWZADD R14, R7, R8, PPPPPPPP;",
                  arch);
        for (unsigned i = 0; i < warp_lanes; ++i) {
            bench[1][i] = to_bits((i < 16 ? 1.0F : -1.0F) + static_cast<float>(i) * (i < 16 ? 1.0F : -1.0F));
            bench[2][i] = to_bits(-0.25F * static_cast<float>(i) * (i % 8 < 4 ? 1.0F : -1.0F));
            bench[3][i] = (i % 8 < 4 ? 0x00000400U : 0x00800000U) + i; // differences of normal numbers are denormal
            bench[4][i] = i < 16 ? 0x00800010U : 0x00000010U;
            bench[5][i] = one;
            bench[6][i] = minus | 0x00800000U;
            bench[7][i] = i % 2 == 0 ? infinity : nan_bits - 5;
            bench[8][i] = i < 16 ? infinity : infinity | minus;
        }
        bench.run();
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const float x = to_float(bench[1][i]), y = to_float(bench[2][i]);
            const float sums[] = {x + y, x - y, y - x, y};
            EXPECT_EQ(to_float(bench[10][i]), sums[i % 4]) << i;
            const auto flushed = [](word bits) { return (bits & infinity) == 0 ? bits & minus : bits; };
            const auto sum = [&](word a, word b) {
                const float p = to_float(a), q = to_float(b);
                const float results[] = {q - p, q, p + q, p - q};
                return to_bits(results[i % 4]);
            };
            EXPECT_EQ(bench[11][i], flushed(sum(flushed(bench[3][i]), flushed(bench[4][i])))) << i;
            EXPECT_EQ(bench[12][i], sum(bench[3][i], bench[4][i])) << i;
            EXPECT_EQ(bench[13][i], one - 1);
            EXPECT_EQ(bench[14][i], i % 2 == 0 && i < 16 ? infinity : nan_bits);
        }
    }
}

TEST(special_float, ISA_03_reciprocals_of_upper_words)
{
    // PTX ISA, rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64: the upper word of a double in, the upper word out;
    // denormals count as zero.
    struct row {
        word in, reciprocal, root;
    };
    for (const auto arch : {architecture::sm50, architecture::sm75}) {
        for (const row& each :
             {row{0x40000000U, 0x3fe00000U, 0x3fe6a09eU}, // 2
              row{0x40100000U, 0x3fd00000U, 0x3fe00000U}, // 4
              row{0xc0100000U, 0xbfd00000U, 0x7fffffffU}, // -4
              row{0, 0x7ff00000U, 0x7ff00000U}, row{minus, 0xfff00000U, 0xfff00000U},
              row{0x000fffffU, 0x7ff00000U, 0x7ff00000U}, row{0x800fffffU, 0xfff00000U, 0xfff00000U},
              row{0x7ff00000U, 0, 0}, row{0xfff00000U, minus, 0x7fffffffU},
              row{0x7fefffffU, 0, 0x1ff00000U}, // its reciprocal is denormal
              row{0x7ff80001U, 0x7fffffffU, 0x7fffffffU}, row{0x00345678U, 0x7fa92cc2U, 0x5fcc620cU}}) {
            lab bench("MUFU.RCP64H R3, R0; MUFU.RSQ64H R4, R0; MUFU.RCP64H R5, -R0; MUFU.RSQ64H R6, |R0|;", some, 0,
                      arch);
            bench.fill(0, each.in);
            bench.run();
            EXPECT_EQ(bench[3][0], each.reciprocal) << std::hex << each.in;
            EXPECT_EQ(bench[4][0], each.root) << std::hex << each.in;
            EXPECT_EQ(bench[5][0], each.reciprocal == nan_bits ? nan_bits : each.reciprocal ^ minus)
                << std::hex << each.in;
            EXPECT_EQ(bench[3][1], 0U) << "a lane that takes no part";
        }
    }
}

TEST(special_float, ISA_03_functions_against_the_host)
{
    // Errors that PTX ISA allows: sin, cos 2^-20.5 up to half a turn; ex2, rcp, rsqrt, sqrt 2 ulp and less; lg2 2^-22;
    // tanh 2^-11.
    struct row {
        const char* name;
        double (*function)(double);
        double relative, absolute;
    };
    constexpr double turn = 6.283185307179586;
    const row rows[] = {{"COS", [](double x) { return std::cos(x * turn); }, 0, 2e-6},
                        {"SIN", [](double x) { return std::sin(x * turn); }, 0, 2e-6},
                        {"EX2", [](double x) { return std::exp2(x); }, 1.2e-7, 0},
                        {"LG2", [](double x) { return std::log2(x); }, 0, 2e-7},
                        {"RCP", [](double x) { return 1 / x; }, 1.2e-7, 0},
                        {"RSQ", [](double x) { return 1 / std::sqrt(x); }, 1.2e-7, 0},
                        {"SQRT", [](double x) { return std::sqrt(x); }, 1.2e-7, 0},
                        {"TANH", [](double x) { return std::tanh(x); }, 1.2e-7, 0}};
    for (const auto& each : rows)
        for (const float x : {0.0625F, 0.3F, 0.5F, 0.7F, 1.9F, 5.3F}) {
            const double expected = each.function(static_cast<double>(x));
            const float got =
                to_float(result("MUFU." + std::string(each.name) + " R3, R0;", to_bits(x), 0, 0, architecture::sm75));
            EXPECT_NEAR(static_cast<double>(got), expected, std::fabs(expected) * each.relative + each.absolute)
                << each.name << " of " << x;
        }
}

} // namespace
} // namespace isbesim::isa

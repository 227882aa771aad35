// SPDX-License-Identifier: Apache-2.0
// Comparisons and functions of floats at exact points, long immediates, and doubles in pairs of registers.
#include <cmath>

#include <gtest/gtest.h>

#include "tests/isa/lab.h"

namespace isbesim::isa {
namespace {

constexpr word nan_result = 0x7fffffffU;
constexpr word one = 0x3f800000U, minus_one = 0xbf800000U, infinity = 0x7f800000U;
constexpr word denormal = 0x00000123U;

/// R3 after running `text` with R0, R1, R2 = a, b, c in every lane.
word result(const std::string& text, word a, word b = 0, word c = 0)
{
    lab bench(text);
    bench.fill(0, a);
    bench.fill(1, b);
    bench.fill(2, c);
    bench.run();
    return bench[3][7];
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

TEST(floating, ISA_03_long_sum_and_set)
{
    lab bench("FADD32I R10, -|R1|, 0.1; FADD32I.FTZ R11, R2, 1e-40; FSET.BF.LT.AND R12, R1, R3, PT;"
              "FSET.GEU.FTZ.OR R13, R1, |R3|, !PT; FSET.BF.EQ.XOR R14, R1, R1, P0; NOP;");
    bench.fill(1, to_bits(-2.5F));
    bench.fill(2, 7);
    bench.fill(3, to_bits(-1.0F));
    bench.warp.predicates[0] = 0xffffU;
    bench.run();
    EXPECT_EQ(bench[10][0], to_bits(-2.5F + 0.1F));
    EXPECT_EQ(bench[11][0], 0U);
    EXPECT_EQ(bench[12][0], to_bits(1.0F));
    EXPECT_EQ(bench[13][0], 0U);
    EXPECT_EQ(bench[14][0], 0U);
    EXPECT_EQ(bench[14][16], to_bits(1.0F));
}

TEST(floating, ISA_03_mufu_exact_points)
{
    EXPECT_EQ(result("MUFU.RCP R3, R0;", to_bits(4.0F)), to_bits(0.25F));
    EXPECT_EQ(result("MUFU.RCP R3, -R0;", to_bits(3.0F)), to_bits(-1.0F / 3.0F));
    EXPECT_EQ(result("MUFU.RCP R3, R0;", 0x80000000U), infinity | 0x80000000U);
    EXPECT_EQ(result("MUFU.RCP R3, R0;", denormal), infinity);
    EXPECT_EQ(result("MUFU.RSQ R3, |R0|;", to_bits(-16.0F)), to_bits(0.25F));
    EXPECT_EQ(result("MUFU.RSQ R3, R0;", minus_one), nan_result);
    EXPECT_EQ(result("MUFU.LG2 R3, R0;", to_bits(1024.0F)), to_bits(10.0F));
    EXPECT_EQ(result("MUFU.LG2 R3, R0;", 0), infinity | 0x80000000U);
    EXPECT_EQ(result("MUFU.SQRT R3, R0;", to_bits(49.0F)), to_bits(7.0F));
    EXPECT_EQ(result("RRO.EX2 R4, R0; MUFU.EX2 R3, R4;", to_bits(-3.0F)), to_bits(0.125F));
    EXPECT_EQ(result("RRO.EX2 R4, R0; MUFU.EX2 R3, R4;", to_bits(-130.0F)), 0U); // no denormals
    EXPECT_EQ(result("RRO.SINCOS R4, R0; MUFU.COS R3, R4;", 0), one);
    EXPECT_EQ(result("RRO.SINCOS R4, -R0; MUFU.SIN R3, R4;", to_bits(1.0F)), to_bits(-0.84147098480789650F));
    EXPECT_EQ(result("RRO.SINCOS R4, R0; MUFU.SIN R3, R4;", to_bits(100.0F)), to_bits(-0.50636564110975879F));
}

/// The double in R4,R5 after running `text` with doubles a, b, c in R0, R2, R6.
double double_result(const std::string& text, double a, double b = 0, double c = 0)
{
    lab bench(text);
    const double values[] = {a, b, c};
    const unsigned registers[] = {0, 2, 6};
    for (unsigned k = 0; k < 3; ++k) {
        bench.fill(registers[k], static_cast<word>(to_bits(values[k])));
        bench.fill(registers[k] + 1, static_cast<word>(to_bits(values[k]) >> 32));
    }
    bench.run();
    return to_double(bench[4][3], bench[5][3]);
}

TEST(floating, ISA_03_doubles_live_in_register_pairs)
{
    EXPECT_EQ(double_result("DADD R4, R0, R2;", 0.1, 0.2), 0.1 + 0.2);
    EXPECT_EQ(double_result("DADD R4, R0, -R2;", 0.1, 0.2), 0.1 - 0.2);
    EXPECT_EQ(double_result("DADD R4, |R0|, 3;", -0.1), 3.1);
    EXPECT_EQ(double_result("DMUL R4, R0, -R2;", 1e200, 1e-7), -1e200 * 1e-7);
    EXPECT_EQ(double_result("DFMA R4, R0, R2, R6;", 0.1, 0.2, -0.02), std::fma(0.1, 0.2, -0.02));
    EXPECT_EQ(double_result("DMNMX R4, R0, R2, PT;", 0.1, -0.2), -0.2);
    EXPECT_EQ(double_result("DMNMX R4, R0, R2, !PT;", 0.1, -0.2), 0.1);
    EXPECT_EQ(double_result("DADD.RP R4, R0, R2;", 1, 1e-30), std::nextafter(1.0, 2.0));
    EXPECT_EQ(double_result("DSETP.LT.AND P0, PT, R0, R2, PT; DADD R4, R0, R2; @P0 DADD R4, R2, R2;", 1, 2), 4.0);
}

} // namespace
} // namespace isbesim::isa

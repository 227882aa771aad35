// SPDX-License-Identifier: Apache-2.0
// Conversions: rounding, saturation, byte selection.
#include <cmath>

#include <gtest/gtest.h>

#include "tests/isa/lab.h"

namespace isbesim::isa {
namespace {

word result(const std::string& text, word a, word high = 0)
{
    lab bench(text);
    bench.fill(0, a);
    bench.fill(1, high);
    bench.run();
    return bench[3][31];
}

TEST(convert, ISA_03_f2i_rounds)
{
    const auto to = [](const std::string& mode, float value) {
        return static_cast<std::int32_t>(result("F2I.FTZ.S32.F32" + mode + " R3, R0;", bits_of(value)));
    };
    EXPECT_EQ(to(".TRUNC", -2.75F), -2);
    EXPECT_EQ(to(".FLOOR", -2.25F), -3);
    EXPECT_EQ(to(".CEIL", 2.25F), 3);
    EXPECT_EQ(to("", 2.5F), 2); // nearest even
    EXPECT_EQ(to("", 3.5F), 4);
}

TEST(convert, ISA_03_f2i_saturates)
{
    EXPECT_EQ(result("F2I.S32.F32.TRUNC R3, R0;", bits_of(3e9F)), 0x7fffffffU);
    EXPECT_EQ(result("F2I.S32.F32.TRUNC R3, R0;", bits_of(-3e9F)), 0x80000000U);
    EXPECT_EQ(result("F2I.U32.F32.TRUNC R3, R0;", bits_of(-5.0F)), 0U);
    EXPECT_EQ(result("F2I.U32.F32.TRUNC R3, R0;", bits_of(3e9F)), 3000000000U);
    EXPECT_EQ(result("F2I.U32.F32.TRUNC R3, R0;", 0x7f800000U), 0xffffffffU);
    EXPECT_EQ(result("F2I.S32.F32.TRUNC R3, R0;", 0x7fc00000U), 0U);
    EXPECT_EQ(result("F2I.U32.F32.TRUNC R3, |R0|;", bits_of(-7.5F)), 7U);
    EXPECT_EQ(result("F2I.S8.F32 R3, R0;", bits_of(-1000.0F)), 0xffffff80U);
}

TEST(convert, ISA_03_f2i_of_doubles)
{
    const std::uint64_t bits = bits_of(-123456789.75);
    EXPECT_EQ(static_cast<std::int32_t>(
                  result("F2I.S32.F64.TRUNC R3, R0;", static_cast<word>(bits), static_cast<word>(bits >> 32))),
              -123456789);
}

TEST(convert, ISA_03_i2f)
{
    EXPECT_EQ(result("I2F.F32.S32 R3, R0;", 0xffffffffU), bits_of(-1.0F));
    EXPECT_EQ(result("I2F.F32.U32 R3, R0;", 0xffffffffU), bits_of(4294967296.0F));
    EXPECT_EQ(result("I2F.F32.U32.RZ R3, R0;", 0xffffffffU), bits_of(4294967040.0F));
    EXPECT_EQ(result("I2F.F32.S32 R3, |R0|;", 0xfffffff0U), bits_of(16.0F));
    EXPECT_EQ(result("I2F.F32.S32 R3, R0;", 16777217), bits_of(16777216.0F)); // tie to even
    EXPECT_EQ(result("I2F.F32.U8 R3, R0.B1;", 0x0000c800), bits_of(200.0F));
    EXPECT_EQ(result("I2F.F32.S8 R3, R0.B3;", 0xff000000U), bits_of(-1.0F));
    EXPECT_EQ(result("I2F.F32.U16 R3, R0.H1;", 0x12340000), bits_of(4660.0F));
    EXPECT_EQ(result("I2F.F64.S32 R2, R0;", 0xfffffffdU), static_cast<word>(bits_of(-3.0) >> 32));
}

TEST(convert, ISA_03_f2f_to_integral_values)
{
    const auto to = [](const std::string& mode, float value) {
        return float_of(result("F2F.FTZ.F32.F32" + mode + " R3, R0;", bits_of(value)));
    };
    EXPECT_EQ(to(".FLOOR", -1.5F), -2.0F);
    EXPECT_EQ(to(".CEIL", -1.5F), -1.0F);
    EXPECT_EQ(to(".TRUNC", -1.5F), -1.0F);
    EXPECT_EQ(to(".ROUND", 2.5F), 2.0F);
    EXPECT_EQ(to(".ROUND", -0.25F), 0.0F);
    EXPECT_TRUE(std::signbit(to(".ROUND", -0.25F)));
    EXPECT_EQ(to("", 2.5F), 2.5F);
    EXPECT_EQ(to(".SAT", 2.5F), 1.0F);
}

TEST(convert, ISA_03_f2f_between_formats)
{
    const std::uint64_t third = bits_of(1.0 / 3.0);
    EXPECT_EQ(result("F2F.F32.F64 R3, R0;", static_cast<word>(third), static_cast<word>(third >> 32)),
              bits_of(1.0F / 3.0F));
    EXPECT_EQ(result("F2F.FTZ.F64.F32 R2, -R0;", bits_of(1.5F)), static_cast<word>(bits_of(-1.5) >> 32));
    EXPECT_EQ(result("F2F.F16.F32 R3, R0;", bits_of(1.0F)), 0x3c00U);
    EXPECT_EQ(result("F2F.F16.F32 R3, R0;", bits_of(65504.0F)), 0x7bffU);
    EXPECT_EQ(result("F2F.F16.F32 R3, R0;", bits_of(1e6F)), 0x7c00U);
    EXPECT_EQ(result("F2F.F16.F32 R3, R0;", bits_of(std::ldexp(3.0F, -24))), 3U); // denormal half
    EXPECT_EQ(result("F2F.F32.F16 R3, R0.H1;", 0xc0000000U), bits_of(-2.0F));
}

TEST(convert, ISA_03_i2i)
{
    EXPECT_EQ(result("I2I.S32.S32 R3, |R0|;", 0xfffffffbU), 5U);
    EXPECT_EQ(result("I2I.S32.S32 R3, -|R0|;", 5), 0xfffffffbU);
    EXPECT_EQ(result("I2I.S32.S8 R3, R0.B2;", 0x00800000), 0xffffff80U);
    EXPECT_EQ(result("I2I.U32.U16 R3, R0.H1;", 0xabcd1234U), 0xabcdU);
    EXPECT_EQ(result("I2I.U8.S32.SAT R3, R0;", 300), 255U);
    EXPECT_EQ(result("I2I.U8.S32.SAT R3, R0;", 0xffffffffU), 0U);
    EXPECT_EQ(result("I2I.U8.S32 R3, R0;", 300), 44U);
}

} // namespace
} // namespace isbesim::isa

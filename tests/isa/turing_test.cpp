// SPDX-License-Identifier: Apache-2.0
// SM75 arithmetic against closed forms, and its attribute instructions.
#include <cmath>
#include <tuple>

#include <gtest/gtest.h>

#include "tests/isa/listed_word.h"
#include "tests/isa/turing_lab.h"

namespace isbesim::isa {
namespace {

TEST(turing, ISA_03_rounding_to_integral_values)
{
    lab bench =
        turing("FRND.FTZ R10, R1; FRND.FTZ.FLOOR R11, R1; FRND.FTZ.CEIL R12, R1; FRND.FTZ.TRUNC R13, -|R1|;"
               "FRND R14, R2; F2I.FTZ.TRUNC R15, R1; F2I.FTZ.U32.TRUNC R16, |R1|; I2F R17, R15; I2F.U32 R18, R15;");
    for (unsigned i = 0; i < warp_lanes; ++i) bench[1][i] = to_bits((static_cast<float>(i) - 16.0F) * 0.75F);
    bench.fill(2, 0x7f800001);
    const words x = bench[1];
    bench.run();
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const float value = to_float(x[i]);
        EXPECT_EQ(to_float(bench[10][i]), std::nearbyint(value));
        EXPECT_EQ(to_float(bench[11][i]), std::floor(value));
        EXPECT_EQ(to_float(bench[12][i]), std::ceil(value));
        EXPECT_EQ(to_float(bench[13][i]), -std::trunc(std::fabs(value)));
        EXPECT_EQ(bench[14][i], 0x7fffffffU);
        EXPECT_EQ(as_signed(bench[15][i]), static_cast<std::int64_t>(value));
        EXPECT_EQ(bench[16][i], static_cast<word>(std::fabs(value)));
        EXPECT_EQ(to_float(bench[17][i]), std::trunc(value));
        EXPECT_EQ(to_float(bench[18][i]), static_cast<float>(static_cast<word>(static_cast<std::int32_t>(value))));
    }
}

TEST(turing, ISA_03_sine_takes_turns)
{
    lab bench = turing("FMUL R2, R1, 0.15915493667125701904; MUFU.SIN R3, R2; MUFU.COS R4, R2;");
    for (unsigned i = 0; i < warp_lanes; ++i) bench[1][i] = to_bits((static_cast<float>(i) - 16.0F) * 0.3F);
    const words x = bench[1];
    bench.run();
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const double angle = static_cast<double>(to_float(x[i]));
        EXPECT_NEAR(static_cast<double>(to_float(bench[3][i])), std::sin(angle), 4e-7);
        EXPECT_NEAR(static_cast<double>(to_float(bench[4][i])), std::cos(angle), 4e-7);
    }
}

TEST(turing, ISA_02_additions_of_later_chips)
{
    const listed_word words[] = {
        // Words that NAK made for GA102.
        {"LDG.E.128.CONSTANT R8, [R4.64+URZ]", 0xc1e8d00, 0x0000003f04087981},
        {"LDG.E.128.STRONG.GPU R4, [R0.U32+UR0]", 0x81eed00, 0x0000000000047981},
        {"STG.E.128.STRONG.GPU [R1.U32+UR0], R12", 0x810ed00, 0x0000000c01007986},
        {"ATOMG.E.EXCH.STRONG.GPU PT, R2, [UR0+0x48], R3", 0xc1ee100, 0x00004803ff0279a8},
        {"F2FP.RZ.PACK_AB R12, R1, R0", 0x180ff, 0x00000000010c723e},
        {"F2FP.PACK_AB R0, R1, R0", 0xff, 0x000000000100723e},
        {"HMNMX2 R0, R0, R1, !PT", 0x7800000, 0x0000000100007240},
        {"BRA.U !UP0, 0xc0", 0xb800000, 0x000000b108007547},
        // Of a public assembler, compared with hardware there.
        {"REDUX UR16, R2", 0x0, 0x00000000021073c4},
        {"REDUX.OR UR16, R2", 0x4000, 0x00000000021073c4},
        {"REDUX.XOR UR16, R2", 0x8000, 0x00000000021073c4},
        {"REDUX.SUM UR16, R2", 0xc000, 0x00000000021073c4},
        {"REDUX.MIN UR16, R2", 0x10000, 0x00000000021073c4},
        {"REDUX.MAX UR16, R2", 0x14000, 0x00000000021073c4},
        {"REDUX.MIN.S32 UR16, R2", 0x10200, 0x00000000021073c4},
        {"REDUX.MAX.S32 UR16, R2", 0x14200, 0x00000000021073c4},
    };
    for (const auto arch : {architecture::sm86, architecture::sm89}) {
        for (const auto& each : words) expect_both_ways(arch, each);
        EXPECT_THROW(assemble("LDG.E.SYS R0, [R2];", arch), program_error) << "SM75 has a scope of its own";
    }
    for (const char* text :
         {"F2FP.PACK_AB R0, R1, R0;", "HMNMX2 R0, R0, R1, !PT;", "BRA.U UP0, 0x0;", "REDUX.SUM UR4, R2;"})
        EXPECT_THROW(assemble(text, architecture::sm75), program_error) << text;
}

} // namespace
} // namespace isbesim::isa

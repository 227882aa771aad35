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

TEST(turing, ISA_03_doubles_and_float_sets)
{
    lab bench = turing(R"(
        DADD R10, R2, R4; DMUL R12, R2, R4; DFMA R14, R2, R4, -R2; DADD R16, R2, 3;
        DSETP.LT.AND P0, PT, R2, R4, PT;
        F2F.F32.F64 R18, R4; F2F.F64.F32 R20, R18; F2I.F64.TRUNC R22, R4;
        FSET.BF.GT.FTZ.AND R23, R18, 2, PT;)");
    bench.fill_pair(2, to_bits(1.5));
    bench.fill_pair(4, to_bits(2.25));
    bench.run();
    const auto pair = [&](unsigned r) { return bench.pair(r, 7); };
    EXPECT_EQ(pair(10), to_bits(3.75));
    EXPECT_EQ(pair(12), to_bits(3.375));
    EXPECT_EQ(pair(14), to_bits(1.875));
    EXPECT_EQ(pair(16), to_bits(4.5));
    EXPECT_EQ(bench.warp.predicates[0], all_lanes);
    EXPECT_EQ(bench[18][7], to_bits(2.25F));
    EXPECT_EQ(pair(20), to_bits(2.25));
    EXPECT_EQ(bench[22][7], 2U);
    EXPECT_EQ(bench[23][7], to_bits(1.0F));
}

TEST(turing, ISA_03_raw_access_and_physical_addresses)
{
    lab bench("ISBEWR.O.ATTR.SKEW.32 [R2+0x42], R1;", architecture::sm86);
    bench.fill(1, {11, 22});
    ASSERT_EQ(bench.issue().kind, step_kind::attribute);
    const warp_op& op = bench.op;
    EXPECT_EQ(std::tuple(op.op, op.space, op.region, op.skew, op.size, op.immediate, op.address[5], op.data[0][5]),
              std::tuple(opcode::isbewr, space::output, region::attr, true, 4, 0x42, 22U, 11U));

    lab phys = turing("ALD.PHYS R3, a[R1], R2;");
    ASSERT_EQ(phys.issue().kind, step_kind::attribute);
    EXPECT_EQ(phys.op.form, address_form::phys);

    // Without the .PHYS bit an address register means nothing: the word exists, the text is refused (B.4).
    lab logical = turing("ALD R3, a[R1], R2 ?word=0x201037321;");
    const step trapped = logical.issue();
    EXPECT_EQ(trapped.kind, step_kind::trap);
    EXPECT_EQ(trapped.trap, 0x09);
}

TEST(turing, OUT_07_final_out_is_an_instruction)
{
    lab bench = turing("OUT.FINAL R5;");
    bench.fill(5, 1234);
    ASSERT_EQ(bench.issue().kind, step_kind::attribute);
    EXPECT_EQ(bench.op.type, out_type::final);
    EXPECT_EQ(bench.op.handle[9], 1234U);
    warp_result answer;
    answer.data[0].fill(99);
    const auto before = bench.warp.registers;
    write_back(bench.warp, bench.code.code[0], bench.op, answer);
    EXPECT_EQ(bench.warp.registers, before); // it has no result
}

TEST(turing, ISA_02_what_later_chips_add)
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

// The numbers are those that a GPU gives.
TEST(turing, ISA_03_reductions_of_the_lanes_that_take_part)
{
    lab bench("REDUX UR0, R1; REDUX.OR UR1, R1; REDUX.XOR UR2, R1; REDUX.SUM UR3, R1; REDUX.MIN UR4, R1;"
              "REDUX.MAX UR5, R1; REDUX.MIN UR6, R2; REDUX.MAX UR7, R2; REDUX.MIN.S32 UR8, R2; REDUX.MAX.S32 UR9, R2;"
              "@P1 REDUX.SUM UR10, R1; @P2 REDUX.SUM UR11, R1; REDUX.SUM.S32 UR12, R2; REDUX.MIN.S32 UR13, R3;",
              all_lanes, 64, architecture::sm86);
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
        bench.warp.registers[1][lane] = lane + 1;
        bench.warp.registers[2][lane] = lane == 0 ? 0x8000'0000U : lane;
        bench.warp.registers[3][lane] = lane == 9 ? static_cast<word>(-3) : lane;
    }
    bench.warp.predicates[1] = 0xffff'ff00U;
    bench.warp.predicates[2] = 0; // no lane: the register stays
    bench.warp.uniform[11] = 77;
    bench.run();
    const word expected[] = {
        0, 0x3f, 32, 528, 1, 32, 1, 0x8000'0000U, 0x8000'0000U, 31, 492, 77, 0x8000'01f0U, static_cast<word>(-3)};
    for (unsigned i = 0; i < std::size(expected); ++i) EXPECT_EQ(bench.warp.uniform[i], expected[i]) << i;
}

TEST(turing, ISA_03_what_later_chips_add)
{
    lab bench("F2FP.PACK_AB R3, -R1, -R2; F2FP.RZ.PACK_AB R4, R1, R2; HMNMX2 R5, R3, R4, PT; HMNMX2 R6, R3, R4, P1;"
              "UISETP.EQ.AND UP1, UPT, URZ, URZ, UPT; BRA.U UP1, 0x70; MOV R7, 0x1; BRA.U !UP1, 0x90; MOV R8, 0x1;",
              all_lanes, 64, architecture::sm86);
    bench.fill(1, 0x3f801000U); // 1 + 2^-11, half way between 1 and the next half: to even
    bench.fill(2, 0x3f803000U); // 1 + 3 * 2^-11, half way between the next two
    bench.warp.predicates[1] = 0;
    bench.run();
    EXPECT_EQ(bench.values(3, 6, 5), (word_list{0xbc00'bc02U, 0x3c00'3c01U, 0xbc00'bc02U, 0x3c00'3c01U, 0U, 1U}));
}

/// A number beats NaN, and -0 is less than 0; the predicate chooses lane by lane.
TEST(turing, ISA_03_minima_of_halves_on_later_chips)
{
    lab bench("HMNMX2 R3, R1, R2, PT; HMNMX2 R4, R1, R2, !PT; HMNMX2 R5, R1, R2, P1; F2FP.PACK_AB R7, |R6|, R6;",
              all_lanes, 64, architecture::sm86);
    const struct {
        word a, b, least, greatest;
    } cases[] = {{0x3c00, 0xbc00, 0xbc00, 0x3c00}, {0x0000, 0x8000, 0x8000, 0x0000}, {0x8000, 0x0000, 0x8000, 0x0000},
                 {0x7e00, 0x3c00, 0x3c00, 0x3c00}, {0x3c00, 0x7e00, 0x3c00, 0x3c00}, {0x4000, 0x3c00, 0x3c00, 0x4000}};
    for (unsigned lane = 0; lane < std::size(cases); ++lane) {
        bench[1][lane] = cases[lane].a << 16 | cases[lane].b;
        bench[2][lane] = cases[lane].b << 16 | cases[lane].a;
    }
    bench.fill(6, to_bits(-2.0F));
    bench.warp.predicates[1] = 0x55555555U;
    bench.run();
    for (unsigned lane = 0; lane < std::size(cases); ++lane) {
        const word least = cases[lane].least * 0x10001U, greatest = cases[lane].greatest * 0x10001U;
        EXPECT_EQ(bench[3][lane], least) << lane;
        EXPECT_EQ(bench[4][lane], greatest) << lane;
        EXPECT_EQ(bench[5][lane], lane % 2 == 0 ? least : greatest) << lane;
    }
    EXPECT_EQ(bench[7][0], 0x4000'c000U);
}

} // namespace
} // namespace isbesim::isa

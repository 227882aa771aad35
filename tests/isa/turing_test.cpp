// SPDX-License-Identifier: Apache-2.0
// SM75 arithmetic against closed forms, and its attribute instructions.
#include <bitset>
#include <cmath>
#include <tuple>

#include <gtest/gtest.h>

#include "tests/isa/lab.h"
#include "tests/isa/listed_word.h"

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
        // Words of a public assembler, which compares them with hardware.
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

// Words that NAK made for GB202, and what it calls them.
TEST(turing, ISA_02_blackwell_encodings)
{
    const listed_word words[] = {
        {"LDCU UR3, c[0x18][0x4]", 0x8000800, 0x06000080ff0377ac},
        {"R2UR UR3, R5", 0xe0000, 0x00000000050372ca},
        {"UIMAD.U32 UR2, UR2, UR3, URZ", 0x80e00ff, 0x00000003020272a4},
        {"ULEA UR5, UR3, 0x80000000, 0x1f", 0x80ef8ff, 0x8000000003057891},
        {"ULEA.HI.X UR6, UR5, UR6, UR6, 0x1, UP0", 0x80f0c06, 0x0000000605067291},
        {"IMNMX R0, R1, -0x64, !PT", 0x7ffe200, 0xffffff9c01007817},
        {"STG.E.STRONG.GPU [R1.U32+UR0], R0", 0x810e900, 0x0000000001007986},
        {"LDG.E.STRONG.GPU R0, [R2.64+UR72]", 0xc1ee900, 0x0000004802007981},
        {"ATOMG.E.ADD.STRONG.GPU PT, R1, [R2.64+UR4], R0", 0x81ee104, 0x80000000020179a8},
        {"ATOMG.E.MAX.S32.STRONG.GPU PT, R7, [UR0+0x410], R7", 0x91ee300, 0x00041007ff0779a8},
        {"ATOMG.E.MIN.S64.STRONG.GPU PT, R10, [R9.U32+UR0], R0", 0x89ee700, 0x00000000090a79a8},
        {"ATOMG.E.ADD.F32.FTZ.RN.STRONG.GPU PT, R1, [R3.U32+UR0], R1", 0x81ef300, 0x00000001030179a3},
        {"RED.E.ADD.F32.FTZ.RN.STRONG.GPU [R3.U32+UR0], R1", 0x810f300, 0x0000000103ff79a6},
        {"RED.E.MAX.S64.STRONG.GPU [R3.U32+UR0], R10", 0x910e700, 0x0000000a03ff798e},
        {"LDS R0, [R0.X4+URZ]", 0x8004800, 0x000000ff00007984},
        {"STS.64 [R0.X8+URZ+0x100], R0", 0x8008aff, 0x0001000000007988},
        {"ATOMS.EXCH.64 R6, [R0.X8+URZ+0x100], R16", 0xc0084ff, 0x000100100006798c},
        {"TEX.B.LL.AOFFI.DXY R10, R16, R0, R12, 2D", 0x89e3f0a, 0x29ffff0c00107d61},
        {"TEX.B.LL.DC.DXY RZ, R7, R12, R16, ARRAY_2D, 0x1", 0x89e71ff, 0xa8ffff100c077d61},
        {"TLD.B.LL.AOFFI R10, R16, R4, R12, 2D", 0x89e0f0a, 0x29ffff0c04107d67},
        {"TLD.B.LZ.MS R16, R18, R4, R10, 2D", 0x81e2f10, 0x28ffff0a04127d67},
        {"TLD4.A.B.PTP R14, R20, R0, R16, 2D", 0x99e2f0e, 0x20ffff1000147d64},
        {"TXD.B.AOFFI R10, R16, R12, R24, 2D", 0x81e0f0a, 0x21ffff180c107d6d},
        {"TXQ.B RZ, R9, R9, TEX_HEADER_TEXTURE_TYPE, 0x4", 0x4ff, 0x4800ff0009097370},
        {"SULD.P.2D.STRONG.GPU.IGN R8, [R4], R6", 0x1eef06, 0x60ff000004087998},
        {"SUST.P.2D.STRONG.GPU.IGN [R4], R12, R0", 0x10ef00, 0x60ff000c0400799c},
        {"SUATOM.D.2D.CAS.STRONG.GPU.IGN R1, [R4], R2, R1", 0x1ee001, 0x60ff000204017396},
    };
    for (const auto& each : words) expect_both_ways(architecture::sm120, each);
    // Words 0x21, 0x121 and -0x41 after the next instruction: their low eight bits are apart (NAK's OpBra).
    expect_both_ways(architecture::sm120, {"@!P0 BRA 0x40", 0x3800000, 0x00000000000c8947});
    expect_both_ways(architecture::sm120, {"BRA 0x500", 0x3800000, 0x00000004003c7947}, 0);
    expect_both_ways(architecture::sm120, {"BRA 0x0", 0x383ffff, 0xfffffffc00bc7947}, 0x100);
    for (const char* text : {"FADD R0, R1, c[0x0][0x10];", "MOV R0, cx[UR4][0x0];", "ULDC UR0, c[0x0][0x0];",
                             "TEX.LL R0, R4, R0, R6, 0x0, 0x0, 2D;", "MOV R0, UR80;", "BRA.U UP0, 0x2;"})
        EXPECT_THROW(assemble(text, architecture::sm120), program_error) << text;
    for (const char* text : {"LDCU UR0, c[0x0][0x0];", "MOV R0, UR63;", "TEX.B.LL.DXY R0, R4, R0, R6, 2D;"})
        EXPECT_THROW(assemble(text, architecture::sm86), program_error) << text;
}

// SM75: bits, predicates, exchanges between lanes, and what only the second code generator emits, against loops over
// bits and host arithmetic of another width.

/// Bit k of the result is f(k).
template <typename Function>
word bits_where(Function f)
{
    std::bitset<32> result;
    for (unsigned k = 0; k < 32; ++k) result[k] = f(k);
    return static_cast<word>(result.to_ulong());
}

TEST(turing_bits, ISA_03_masks_and_extension)
{
    // All positions and widths up to 40, and one far beyond.
    for (unsigned position = 0; position <= 41; ++position) {
        lab bench = turing("BMSK R10, R1, R2; BMSK.W R11, R1, R2; SGXT R12, R3, R2; SGXT.U32 R13, R3, R2;"
                           "SGXT.W R14, R3, R2; SGXT.W.U32 R15, R3, R2; BMSK R16, R1, 0x3;");
        const word start = position == 41 ? 0xffffff21U : position;
        bench.fill(1, start);
        for (unsigned i = 0; i < warp_lanes; ++i) bench[2][i] = i == 31 ? 0xffffffffU : i + 8 * (position % 3);
        std::mt19937 random{position};
        bench[3] = awkward_words(random);
        const words width = bench[2], a = bench[3];
        bench.run();
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const auto mask = [](std::uint64_t first, std::uint64_t count) {
                return bits_where([&](unsigned k) { return k >= first && k < first + count; });
            };
            const auto extended = [&](unsigned kept, bool is_signed) {
                return bits_where([&](unsigned k) {
                    if (kept == 0) return false;
                    return k < kept ? (a[i] >> k & 1U) != 0 : is_signed && (a[i] >> (kept - 1) & 1U) != 0;
                });
            };
            const unsigned clamped = std::min(width[i], 32U), wrapped = width[i] % 32;
            EXPECT_EQ(bench[10][i], mask(start, width[i]));
            EXPECT_EQ(bench[11][i], mask(start % 32, wrapped));
            EXPECT_EQ(bench[12][i], extended(clamped, true));
            EXPECT_EQ(bench[13][i], extended(clamped, false));
            EXPECT_EQ(bench[14][i], extended(wrapped, true));
            EXPECT_EQ(bench[15][i], extended(wrapped, false));
            EXPECT_EQ(bench[16][i], mask(start, 3));
        }
    }
}

TEST(turing_bits, ISA_03_all_truth_tables_of_three_predicates)
{
    for (unsigned table = 0; table < 256; ++table) {
        char text[96];
        std::snprintf(text, sizeof text, "PLOP3.LUT P3, P4, P0, !P1, P2, 0x%x, 0x%x;", table, table ^ 0xa5U);
        lab bench = turing(text);
        bench.warp.predicates[0] = 0xaaaaaaaaU;
        bench.warp.predicates[1] = 0xccccccccU;
        bench.warp.predicates[2] = 0xf0f0f0f0U;
        bench.run();
        for (unsigned i = 0; i < 8; ++i) {
            const unsigned row = (i & 1U) << 2 | ((i & 2U) != 0 ? 0U : 2U) | (i >> 2 & 1U);
            EXPECT_EQ(bench.warp.predicates[3] >> i & 1U, table >> row & 1U);
            EXPECT_EQ(bench.warp.predicates[4] >> i & 1U, (table ^ 0xa5U) >> row & 1U);
        }
    }
}

TEST(turing_bits, ISA_03_sums_in_quads)
{
    // Codes 0x99 and 0x66: plus and minus are the other way round on SM50 (CodeEmitterGV100::emitFSWZADD).
    const auto pattern = [](architecture arch, unsigned low) {
        return assemble("FSWZADD R0, R1, R2, NPPNNPPN;", arch).code[0].word[0] >> low & 0xffU;
    };
    EXPECT_EQ(pattern(architecture::sm50, 28), 0x66U);
    EXPECT_EQ(pattern(architecture::sm75, 32), 0x99U);
    // nouveau's derivative in x: the neighbour's value minus the own one, in both lanes of a row.
    for (const architecture arch : {architecture::sm50, architecture::sm75}) {
        lab bench("FSWZADD.NDV R10, R1, R2, NPPNZPPP; FSWZADD.FTZ.RP R11, R3, R4, PPPPPPPP;", arch);
        for (unsigned i = 0; i < warp_lanes; ++i) {
            bench[1][i] = to_bits(3.5F * static_cast<float>(i));
            bench[2][i] = to_bits(0.25F);
            bench[3][i] = i == 0 ? 1 : to_bits(1.0F);
            bench[4][i] = i == 0 ? 0 : to_bits(std::ldexp(1.0F, -30));
        }
        bench.run();
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const float x = 3.5F * static_cast<float>(i);
            const float expected[] = {0.25F - x, x - 0.25F, 0.25F, x + 0.25F};
            EXPECT_EQ(bench[10][i], to_bits(expected[i % 4]));
            EXPECT_EQ(bench[11][i], i == 0 ? 0 : to_bits(std::nextafter(1.0F, 2.0F)));
        }
    }
}

TEST(turing_rules, ISA_03_logic_leaves_a_predicate)
{
    // Every truth table of three words; bits of equal position select a bit of the table.
    for (unsigned table = 0; table < 256; table += 3) {
        char text[160];
        std::snprintf(text, sizeof text,
                      "LOP3.LUT P0, R10, R1, R2, R3, 0x%x, !PT; LOP3.LUT P1, R11, R1, R2, R3, 0x%x, P6;", table, table);
        lab bench = with_numbers(text, table);
        std::snprintf(text, sizeof text, "LOP3.LUT R10, R1, R2, R3, 0x%x;", table);
        lab old(text);
        for (unsigned i = 0; i < 8; ++i)
            for (unsigned r = 1; r <= 3; ++r) bench[r][i] = (i >> (r - 1) & 1U) != 0 ? ~0U : 0U; // all bits alike
        bench.warp.predicates[6] = 0x5555'00ffU;
        for (unsigned r = 1; r <= 3; ++r) old[r] = bench[r];
        bench.run();
        old.run();
        for (unsigned i = 0; i < warp_lanes; ++i) {
            word expected = 0;
            for (unsigned k = 0; k < 32; ++k) {
                const unsigned row =
                    (bench[1][i] >> k & 1U) * 4 + (bench[2][i] >> k & 1U) * 2 + (bench[3][i] >> k & 1U);
                expected |= (table >> row & 1U) << k;
            }
            EXPECT_EQ(bench[10][i], expected) << table;
            EXPECT_EQ(old[10][i], expected) << table;
            EXPECT_EQ(bench.warp.predicates[0] >> i & 1U, expected != 0 ? 1U : 0U) << table;
            EXPECT_EQ(bench.warp.predicates[1] >> i & 1U, expected != 0 ? 1U : 0x5555'00ffU >> i & 1U) << table;
        }
    }
}

} // namespace
} // namespace isbesim::isa

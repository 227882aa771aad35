// SPDX-License-Identifier: Apache-2.0
// SM75: bits, predicates, what lanes tell each other, and what only the second code generator emits, against loops over
// bits and host arithmetic of another width.
#include <bitset>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/isa/turing_lab.h"

namespace isbesim::isa {
namespace {

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
            const auto mask = [](std::uint64_t from, std::uint64_t count) {
                return bits_where([&](unsigned k) { return k >= from && k < from + count; });
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

TEST(turing_bits, ISA_03_predicates_in_a_register)
{
    lab bench = with_numbers("P2R R10, PR, R1, 0x35; P2R.B2 R11, PR, R2, 0x7f; R2P PR, R3, 0xa; R2P PR, R4.B3, 0x40;"
                             "@P0 R2P PR, R5, 0x1;",
                             9);
    std::mt19937 random{7};
    for (unsigned p = 0; p < 7; ++p) bench.warp.predicates[p] = static_cast<lane_mask>(random());
    const auto before = bench.warp.predicates;
    const words a = bench[1], b = bench[2], c = bench[3], d = bench[4], e = bench[5];
    bench.run();
    for (unsigned i = 0; i < warp_lanes; ++i) {
        word packed = 0;
        for (unsigned p = 0; p < 7; ++p) packed += (before[p] >> i & 1U) * (1U << p);
        EXPECT_EQ(bench[10][i], (a[i] & 0xffffffcaU) + (packed & 0x35U));
        EXPECT_EQ(bench[11][i], (b[i] & 0xff80ffffU) + packed * 0x10000);
        const bool first = (before[0] >> i & 1U) != 0;
        const unsigned expected[] = {first ? e[i] & 1U : 0U, c[i] >> 1 & 1U,      before[2] >> i & 1U, c[i] >> 3 & 1U,
                                     before[4] >> i & 1U,    before[5] >> i & 1U, d[i] >> 30 & 1U};
        for (unsigned p = 0; p < 7; ++p) EXPECT_EQ(bench.warp.predicates[p] >> i & 1U, expected[p]) << p;
    }
    // The scheduler knows which predicates these are.
    EXPECT_EQ(bench.code.code[0].issue.predicate_reads, 0x35);
    EXPECT_EQ(bench.code.code[2].issue.predicate_writes, 0xa);
    EXPECT_EQ(turing("R2P PR, R1;").code.code[0].issue.predicate_writes, 0x7f);
}

TEST(turing_bits, ISA_03_lanes_that_match)
{
    constexpr lane_mask some = 0x0ff0ff0fU;
    lab bench = turing(R"(
        MATCH.ANY R11, R2; MATCH.ALL P6, R12, R3; MATCH.ALL PT, R13, R2; MATCH.ANY.U64 R14, R4;)",
                       some);
    for (unsigned i = 0; i < warp_lanes; ++i) {
        bench[2][i] = i % 3;
        bench[3][i] = ((some >> i) & 1U) != 0 ? 7 : i; // alike where it counts
        bench[4][i] = i % 2;
        bench[5][i] = i % 4;
    }
    bench.run();
    EXPECT_EQ(bench.warp.predicates[6] & some, some);
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const bool on = ((some >> i) & 1U) != 0;
        EXPECT_EQ(bench[11][i], on ? some & bits_where([&](unsigned k) { return k % 3 == i % 3; }) : 0);
        EXPECT_EQ(bench[12][i], on ? some : 0);
        EXPECT_EQ(bench[13][i], 0U);
        EXPECT_EQ(bench[14][i], on ? some & bits_where([&](unsigned k) { return k % 4 == i % 4; }) : 0);
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

TEST(turing_bits, ISA_03_wide_comparisons_and_addresses)
{
    for (unsigned seed = 0; seed < 8; ++seed) {
        lab bench = with_numbers(R"(
            ISETP.LT.U32.AND P0, PT, R1, R3, PT; ISETP.LT.AND.EX P1, PT, R2, R4, PT, P0;
            ISETP.GE.U32.AND P0, PT, R1, R3, PT; ISETP.GE.U32.AND.EX P2, PT, R2, R4, PT, P0;
            ISETP.NE.U32.AND P0, PT, R1, R3, PT; ISETP.NE.AND.EX P3, PT, R2, R2, PT, P0;
            LEA R10, P4, R1, R3, 0x5; LEA.HI.X R11, R1, R4, R2, 0x5, P4;
            LEA.HI R12, R1, -R3, R2, 0x7; LEA.X R13, R1, ~R3, 0x2, P4;
            IMNMX R14, R1, R2, PT; IMNMX.U32 R15, R1, R2, !PT; VABSDIFF.U32 R17, R1, R2, RZ;)",
                                 seed);
        if (seed % 2 == 0) bench[4] = bench[2]; // equal upper words
        const words a = bench[1], b = bench[2], c = bench[3], d = bench[4];
        bench.run();
        const auto& p = bench.warp.predicates;
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const std::uint64_t x = std::uint64_t{b[i]} << 32 | a[i], y = std::uint64_t{d[i]} << 32 | c[i];
            EXPECT_EQ(p[1] >> i & 1U, static_cast<std::int64_t>(x) < static_cast<std::int64_t>(y) ? 1U : 0U);
            EXPECT_EQ(p[2] >> i & 1U, x >= y ? 1U : 0U);
            EXPECT_EQ(p[3] >> i & 1U, a[i] != c[i] ? 1U : 0U);
            EXPECT_EQ(bench.pair(10, i), (x << 5) + y);
            EXPECT_EQ(bench[12][i], static_cast<word>(x << 7 >> 32) - c[i]);
            EXPECT_EQ(bench[13][i], (a[i] << 2) + ~c[i] + (p[4] >> i & 1U));
            EXPECT_EQ(bench[14][i], static_cast<word>(std::min(as_signed(a[i]), as_signed(b[i]))));
            EXPECT_EQ(bench[15][i], std::max(a[i], b[i]));
            EXPECT_EQ(bench[17][i], std::max(a[i], b[i]) - std::min(a[i], b[i]));
        }
    }
}

TEST(turing_bits, ISA_03_selecting_floats_and_reading_clocks)
{
    lab bench = turing("FSEL R10, -|R1|, +INF, P0; FSEL.FTZ R11, R2, R1, P0; CS2R R12, SR_CLOCKLO; CS2R R14, SRZ; "
                       "CS2R.32 R18, SR_CLOCKHI;"
                       "MUFU.TANH R16, R1; NANOSLEEP 0x64; NANOSLEEP R1; FFMA R17, |R1|, -|R3|, |R3|;");
    bench.warp.predicates[0] = 0x0000ffffU;
    bench.warp.clock = 0x500000007;
    bench.fill(1, {to_bits(0.5F), 5, to_bits(-2.0F)});
    bench.fill(14, {1, 1});
    bench.run();
    EXPECT_EQ(bench[10][0], to_bits(-0.5F));
    EXPECT_EQ(bench[10][16], 0x7f800000U);
    EXPECT_EQ(bench[11][0], 0U); // a denormal
    EXPECT_EQ(bench[11][16], to_bits(0.5F));
    EXPECT_EQ(bench[12][3], 7U);
    EXPECT_EQ(bench[13][3], 5U);
    EXPECT_EQ(bench[18][3], 5U);
    EXPECT_EQ(bench[14][0] | bench[15][0], 0U);
    EXPECT_NEAR(to_float(bench[16][9]), 0.46211716F, 1e-6F);
    EXPECT_EQ(bench[17][0], to_bits(1.0F));
}

TEST(turing_bits, ISA_03_conversions_with_parts_and_to_integral_doubles)
{
    lab bench = turing(R"(
        F2F.F32.F16 R10, R1.H1; F2F.F32.F16 R11, -|R1|; I2F.U8 R12, R2.B3; I2F.S16 R13, R2.H1; I2F.F64.S8 R14, R2.B1;
        FRND.F64 R16, R4; FRND.F64.FLOOR R18, R4; FRND.F64.CEIL R20, -R4; FRND.F16 R22, R1; FRND.TRUNC R23, R3;
        FRND.F16.CEIL R24, -|R6.H1|; F2I.F16.FLOOR R25, R6.H1; F2I.U8.F16.TRUNC R26, |R6.H1|; F2I.S64.F16.CEIL R28, R6.H1;
        F2I.S64.F16.CEIL R30, R6;)");
    bench.fill(6, 0xc580'4300U); // -5.5 and 3.5
    bench.fill(1, 0xc000'3e00U); // -2 and 1.5
    bench.fill(2, {0xf234'80ffU, to_bits(-2.75F)});
    const std::uint64_t number = to_bits(2.5);
    bench.fill_pair(4, number);
    bench.run();
    const auto pair = [&](unsigned r) { return bench.pair(r, 0); };
    EXPECT_EQ(bench.values(10, 4, 0), (word_list{to_bits(-2.0F), to_bits(-1.5F), to_bits(242.0F), to_bits(-3532.0F)}));
    EXPECT_EQ(pair(14), to_bits(-128.0));
    EXPECT_EQ(pair(16), to_bits(2.0));
    EXPECT_EQ(pair(18), to_bits(2.0));
    EXPECT_EQ(pair(20), to_bits(-2.0));
    EXPECT_EQ(bench[22][0], 0x4000U); // 1.5 to even
    EXPECT_EQ(bench.values(23, 4, 0), (word_list{to_bits(-2.0F), 0xc500U, static_cast<word>(-6), 5U}));
    EXPECT_EQ(pair(28), ~std::uint64_t{4});
    EXPECT_EQ(pair(30), 4U);
}

} // namespace
} // namespace isbesim::isa

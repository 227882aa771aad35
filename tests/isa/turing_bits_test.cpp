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
    // Every truth table of three words: the table says what the three bits of a place give.
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

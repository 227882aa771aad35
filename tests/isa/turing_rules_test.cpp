// SPDX-License-Identifier: Apache-2.0
// SM75's sums, products and logic where signs, carries and upper words show, against numbers of 64 and 128 bits.
#include <cstdlib>

#include <gtest/gtest.h>

#include "tests/isa/turing_lab.h"

namespace isbesim::isa {
namespace {

__extension__ using wide = __int128;

TEST(turing_rules, ISA_03_products_plus_pairs_of_registers)
{
    for (unsigned seed = 0; seed < 8; ++seed) {
        lab bench = with_numbers(R"(
            MOV R6, R3; MOV R7, R4;
            IMAD.WIDE R10, P0, R1, R2, -R6; IMAD.HI R12, P1, R1, R2, R6; IMAD.HI.U32 R13, P2, R1, R2, -R6;
            IMAD.WIDE R14, R1, R2, -0x5; IMAD.WIDE.U32 R16, R1, R2, 0x80000001; IMAD R18, R1, R2, -R3;
            IMAD.WIDE.U32 R20, P3, R1, R2, RZ; IMAD.HI R22, R1, R2, -0x3; IMAD.WIDE R24, R1, R2, c[0x3][0x8];
            IMAD.U32 R26, R1, R2, 0x7;)",
                                 seed);
        bench.constants[3] = {1, 2, 0x89abcdefU, 0x76543210U};
        const words ra = bench[1], rb = bench[2], rc = bench[3], rd = bench[4];
        bench.run();
        const auto& p = bench.warp.predicates;
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const std::uint64_t c = std::uint64_t{rd[i]} << 32 | rc[i];
            const auto product = static_cast<std::uint64_t>(as_signed(ra[i]) * as_signed(rb[i]));
            const std::uint64_t natural = std::uint64_t{ra[i]} * rb[i];
            const auto pair = [&](unsigned r) { return bench.pair(r, i); };
            const auto carries = [](std::uint64_t x, std::uint64_t y) {
                return static_cast<word>((wide{x} + y) >> 64);
            };
            EXPECT_EQ(pair(10), product - c);
            EXPECT_EQ(p[0] >> i & 1U, carries(product, 0 - c));
            EXPECT_EQ(bench[12][i], (product + c) >> 32);
            EXPECT_EQ(p[1] >> i & 1U, carries(product, c));
            EXPECT_EQ(bench[13][i], (natural - c) >> 32);
            EXPECT_EQ(p[2] >> i & 1U, carries(natural, 0 - c));
            EXPECT_EQ(pair(14), product - 5);
            EXPECT_EQ(pair(16), natural + 0x80000001U);
            EXPECT_EQ(bench[18][i], ra[i] * rb[i] - rc[i]);
            EXPECT_EQ(pair(20), natural);
            EXPECT_EQ(p[3] >> i & 1U, 0U);
            EXPECT_EQ(bench[22][i], static_cast<word>((product - 3) >> 32));
            EXPECT_EQ(pair(24), product + 0x7654321089abcdefULL);
            EXPECT_EQ(bench[26][i], ra[i] * rb[i] + 7);
        }
    }
}

TEST(turing_rules, ISA_03_scaled_sums_of_either_sign)
{
    for (unsigned seed = 0; seed < 8; ++seed) {
        lab bench = with_numbers(R"(
            LEA R10, P0, -R1, R2, 0x3; LEA R11, P1, R1, -R2, 0x1; LEA.X R12, P2, ~R1, R2, 0x4, P6;
            LEA.X R13, P3, R1, ~R2, 0x0, P6; LEA.HI R14, P4, -R1, R2, R3, 0x9; LEA.HI.X R15, P5, ~R1, R2, R3, 0x1f, P6;
            LEA R16, R1, R2, 0x1f;)",
                                 seed);
        bench.warp.predicates[6] = 0x6699aa55U;
        const words ra = bench[1], rb = bench[2], rc = bench[3];
        bench.run();
        const auto& p = bench.warp.predicates;
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const word a = ra[i], b = rb[i];
            const std::uint64_t pair = std::uint64_t{rc[i]} << 32 | a;
            const word carry = 0x6699aa55U >> i & 1U;
            const auto expect = [&](unsigned r, unsigned predicate, word x, word y, word one) {
                // Minus is ~x + 1, so that a carry says "no borrow".
                const std::uint64_t sum = std::uint64_t{x} + y + one;
                EXPECT_EQ(bench[r][i], static_cast<word>(sum)) << "R" << r;
                EXPECT_EQ(p[predicate] >> i & 1U, sum >> 32) << "R" << r;
            };
            expect(10, 0, ~(a << 3), b, 1);
            expect(11, 1, a << 1, ~b, 1);
            expect(12, 2, ~(a << 4), b, carry);
            expect(13, 3, a, ~b, carry);
            expect(14, 4, ~static_cast<word>(pair << 9 >> 32), b, 1);
            expect(15, 5, ~static_cast<word>(pair << 31 >> 32), b, carry);
            EXPECT_EQ(bench[16][i], (a << 31) + b);
        }
    }
}

TEST(turing_rules, ISA_03_sums_of_three_with_signs_and_carries)
{
    for (unsigned seed = 0; seed < 8; ++seed) {
        lab bench = with_numbers(R"(
            IADD3 R10, P0, P1, -R1, R2, R3; IADD3 R11, P2, P3, R1, -R2, -R3; IADD3.X R12, P4, P5, ~R1, ~R2, ~R3, P6, !P6;
            IADD3.X R13, R1, R2, R3, P6, P6;)",
                                 seed);
        constexpr lane_mask carries = 0x0ff035caU;
        bench.warp.predicates[6] = carries;
        const words ra = bench[1], rb = bench[2], rc = bench[3];
        bench.run();
        const auto& p = bench.warp.predicates;
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const auto expect = [&](unsigned r, unsigned first, std::uint64_t sum) {
                EXPECT_EQ(bench[r][i], static_cast<word>(sum)) << "R" << r;
                // Two carries count up to 2: at least one, and two.
                EXPECT_EQ((p[first] >> i & 1U) + (p[first + 1] >> i & 1U), sum >> 32) << "R" << r;
                EXPECT_LE(p[first + 1] >> i & 1U, p[first] >> i & 1U) << "R" << r;
            };
            const std::uint64_t a = ra[i], b = rb[i], c = rc[i];
            const auto inverted = [](std::uint64_t v) { return std::uint64_t{~static_cast<word>(v)}; };
            expect(10, 0, inverted(a) + 1 + b + c);
            expect(11, 2, a + inverted(b) + 1 + inverted(c) + 1);
            expect(12, 4, inverted(a) + inverted(b) + inverted(c) + 1); // one of the two carries
            EXPECT_EQ(bench[13][i], static_cast<word>(a + b + c + 2 * (carries >> i & 1U)));
        }
    }
}

TEST(turing_rules, ISA_03_dot_products_and_differences)
{
    for (unsigned seed = 0; seed < 8; ++seed) {
        lab bench = with_numbers(
            "IDP.4A.U8.U8 R10, R1, R2, R3; IDP.4A.S8.U8 R11, R1, R2, R3; IDP.4A.U8.S8 R12, R1, R2, R3;"
            "IDP.4A.S8.S8 R13, R1, R2, R3; VABSDIFF R14, R1, R2, R3; VABSDIFF.U32 R15, R1, R2, R3;"
            "IABS R16, R1; VABSDIFF R17, R4, R5, RZ; VABSDIFF R18, R6, R7, RZ; VABSDIFF.U32 R19, R7, R6, RZ;",
            seed);
        bench.fill(4, {0x80000000U, 0x7fffffffU, 4, 5});
        const words ra = bench[1], rb = bench[2], rc = bench[3];
        bench.run();
        for (unsigned i = 0; i < warp_lanes; ++i) {
            for (unsigned signs = 0; signs < 4; ++signs) {
                std::int64_t sum = rc[i];
                for (unsigned k = 0; k < 32; k += 8) {
                    const auto byte = [&](word v, bool is_signed) {
                        const auto bits = static_cast<std::uint8_t>(v >> k);
                        return is_signed ? std::int64_t{static_cast<std::int8_t>(bits)} : std::int64_t{bits};
                    };
                    sum += byte(ra[i], signs % 2 != 0) * byte(rb[i], signs / 2 != 0);
                }
                EXPECT_EQ(bench[10 + signs][i], static_cast<word>(sum)) << signs;
            }
            const std::int64_t a = ra[i], b = rb[i];
            EXPECT_EQ(bench[14][i], static_cast<word>(std::abs(as_signed(ra[i]) - as_signed(rb[i]))) + rc[i]);
            EXPECT_EQ(bench[15][i], static_cast<word>(std::abs(a - b)) + rc[i]);
            EXPECT_EQ(bench[16][i], static_cast<word>(std::abs(as_signed(ra[i]))));
            EXPECT_EQ(bench[17][i], 0xffffffffU);
            EXPECT_EQ(bench[18][i], 1U);
            EXPECT_EQ(bench[19][i], 1U);
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

// SPDX-License-Identifier: Apache-2.0
// Integer instructions where their tables, limits and signs show, against closed forms.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/isa/turing_lab.h"

namespace isbesim::isa {
namespace {

std::uint64_t both(word high, word low)
{
    return std::uint64_t{high} << 32 | low;
}

TEST(integer_rules, ISA_03_named_byte_permutations)
{
    // PTX ISA, prmt: bytes of b:a that each mode takes for a selector's two low bits, lowest first.
    const auto byte_of = [](const std::string& mode, unsigned selector, unsigned k) -> unsigned {
        if (mode == "F4E") return selector + k;
        if (mode == "B4E") return (selector + 8 - k) % 8;
        if (mode == "RC8") return selector;
        if (mode == "ECL") return std::max(k, selector);
        if (mode == "ECR") return std::min(k, selector);
        return 2 * (selector % 2) + k % 2; // RC16
    };
    for (const auto arch : {architecture::sm50, architecture::sm75})
        for (const std::string mode : {"F4E", "B4E", "RC8", "ECL", "ECR", "RC16"})
            for (unsigned selector = 0; selector < 8; ++selector) { // only two bits count
                lab bench("PRMT." + mode + " R10, R1, R2, R3;", arch);
                bench.fill(1, {0x33221100U, selector | 0xfff0U, 0x77665544U});
                bench.run();
                for (unsigned k = 0; k < 4; ++k)
                    EXPECT_EQ(bench[10][5] >> (8 * k) & 0xffU, 0x11 * byte_of(mode, selector % 4, k))
                        << mode << selector;
            }
}

TEST(integer_rules, ISA_03_shift_counts_around_the_width)
{
    for (const word count : {0U, 1U, 31U, 32U, 33U, 63U, 64U, 65U, 127U, 0x80000000U, 0xffffffffU}) {
        lab bench(
            "SHL R10, R1, R3; SHL.W R11, R1, R3; SHR.U32 R12, R1, R3; SHR R13, R1, R3; SHR.W R14, R1, R3;"
            "SHR.U32.BREV R15, R1, R3; SHF.L R16, R1, R3, R2; SHF.L.W R17, R1, R3, R2; SHF.L.U64 R18, R1, R3, R2;"
            "SHF.R R19, R1, R3, R2; SHF.R.U64 R20, R1, R3, R2; SHF.R.S64 R21, R1, R3, R2; SHF.R.W.S64 R22, R1, R3, R2;"
            "SHF.R.HI R23, R1, R3, R2; SHF.R.U64.HI R24, R1, R3, R2; SHF.R.S64.HI R25, R1, R3, R2;");
        bench.fill_awkward(1, 2, count);
        bench.fill(3, count);
        bench.run();
        const auto left = [](std::uint64_t v, word n) { return n < 64 ? v << n : 0; };
        const auto right = [](std::uint64_t v, word n) { return n < 64 ? v >> n : 0; };
        const auto right_signed = [](std::uint64_t v, word n) {
            return static_cast<std::uint64_t>(static_cast<std::int64_t>(v) >> std::min(n, 63U));
        };
        const word clamped = std::min(count, 32U), wrapped = count % 32, wide = std::min(count, 64U);
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const word a = bench[1][i];
            const std::uint64_t pair = both(bench[2][i], a);
            EXPECT_EQ(bench[10][i], static_cast<word>(left(a, count)));
            EXPECT_EQ(bench[11][i], static_cast<word>(left(a, wrapped)));
            EXPECT_EQ(bench[12][i], static_cast<word>(right(a, count)));
            EXPECT_EQ(bench[13][i], static_cast<word>(as_signed(a) >> std::min(count, 31U)));
            EXPECT_EQ(bench[14][i], static_cast<word>(as_signed(a) >> wrapped));
            word reversed = 0;
            for (unsigned k = 0; k < 32; ++k) reversed |= (a >> k & 1U) << (31 - k);
            EXPECT_EQ(bench[15][i], static_cast<word>(right(reversed, count)));
            EXPECT_EQ(bench[16][i], static_cast<word>(left(pair, clamped) >> 32));
            EXPECT_EQ(bench[17][i], static_cast<word>(left(pair, wrapped) >> 32));
            EXPECT_EQ(bench[18][i], static_cast<word>(left(pair, wide) >> 32));
            EXPECT_EQ(bench[19][i], static_cast<word>(right(pair, clamped)));
            EXPECT_EQ(bench[20][i], static_cast<word>(right(pair, wide)));
            EXPECT_EQ(bench[21][i], static_cast<word>(right_signed(pair, wide)));
            EXPECT_EQ(bench[22][i], static_cast<word>(right_signed(pair, count % 64)));
            EXPECT_EQ(bench[23][i], static_cast<word>(right(pair, clamped) >> 32));
            EXPECT_EQ(bench[24][i], static_cast<word>(right(pair, wide) >> 32));
            EXPECT_EQ(bench[25][i], static_cast<word>(right_signed(pair, wide) >> 32));
        }
    }
}

TEST(integer_rules, ISA_03_funnel_shifts_of_all_types)
{
    for (const word count : {0U, 1U, 31U, 32U, 33U, 63U, 64U, 65U, 96U, 0xffffffffU}) {
        lab bench = turing("SHF.L.U32 R10, R1, R3, R2; SHF.L.U32.HI R11, R1, R3, R2; SHF.L.U64 R12, R1, R3, R2; "
                           "SHF.L.U64.HI R13, R1, R3, R2;"
                           "SHF.L.W.U64.HI R14, R1, R3, R2; SHF.L.S32.HI R15, R1, R3, R2; SHF.L.S64.HI R16, R1, R3, R2;"
                           "SHF.R.U32 R17, R1, R3, R2; SHF.R.S32 R18, R1, R3, R2; SHF.R.U64 R19, R1, R3, R2; SHF.R.S64 "
                           "R20, R1, R3, R2;"
                           "SHF.R.S64.HI R21, R1, R3, R2; SHF.R.W.S64 R22, R1, R3, R2; SHF.R.W.S32.HI R23, R1, R3, R2;"
                           "SHF.L.W.S32.HI R24, R1, R3, R2; SHF.R.U64.HI R25, R1, R3, R2;");
        bench.fill_awkward(1, 2, count);
        bench.fill(3, count);
        bench.run();
        const auto left = [](std::uint64_t v, word n) { return n < 64 ? v << n : 0; };
        const auto right = [](std::uint64_t v, word n) { return n < 64 ? v >> n : 0; };
        const auto right_signed = [](std::uint64_t v, word n) {
            return static_cast<std::uint64_t>(static_cast<std::int64_t>(v) >> std::min(n, 63U));
        };
        const word narrow = std::min(count, 32U), wide = std::min(count, 64U);
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const std::uint64_t pair = both(bench[2][i], bench[1][i]);
            const std::uint64_t expected[] = {left(pair, narrow),
                                              left(pair, narrow) >> 32,
                                              left(pair, wide),
                                              left(pair, wide) >> 32,
                                              left(pair, count % 64) >> 32,
                                              left(pair, narrow) >> 32,
                                              left(pair, wide) >> 32,
                                              right(pair, narrow),
                                              right_signed(pair, narrow),
                                              right(pair, wide),
                                              right_signed(pair, wide),
                                              right_signed(pair, wide) >> 32,
                                              right_signed(pair, count % 64),
                                              right_signed(pair, count % 32) >> 32,
                                              left(pair, count % 32) >> 32,
                                              right(pair, wide) >> 32};
            for (unsigned k = 0; k < 16; ++k)
                EXPECT_EQ(bench[10 + k][i], static_cast<word>(expected[k])) << "R" << 10 + k << " by " << count;
        }
    }
}

TEST(integer_rules, ISA_03_fields_of_every_place_and_width)
{
    std::vector<unsigned> positions{0x85}; // eight bits of the register count, and eight more for the length
    for (unsigned position = 0; position <= 34; ++position) positions.push_back(position);
    for (const unsigned position : positions) {
        lab bench("BFE R10, R1, R3; BFE.U32 R11, R1, R3; BFI R12, R1, R3, R2; BFE.BREV R13, R1, R3;");
        bench.fill_awkward(1, 2, position);
        for (unsigned i = 0; i < warp_lanes; ++i)
            bench[3][i] = 0x5a0000U | position | (i == 31 ? 0x85U : i + 3 * (position % 2)) << 8;
        bench.run();
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const unsigned length = bench[3][i] >> 8 & 0xffU;
            const auto bit = [](word v, unsigned k) { return k < 32 && (v >> k & 1U) != 0; };
            word reversed = 0;
            for (unsigned k = 0; k < 32; ++k) reversed |= (bit(bench[1][i], k) ? 1U : 0U) << (31 - k);
            // PTX ISA, bfe and bfi, bit by bit.
            const auto extracted = [&](word a, bool is_signed) {
                const bool sign = is_signed && length != 0 && bit(a, std::min(position + length - 1, 31U));
                word value = 0;
                for (unsigned k = 0; k < 32; ++k)
                    value |= ((k < length && position + k <= 31 ? bit(a, position + k) : sign) ? 1U : 0U) << k;
                return value;
            };
            word inserted = bench[2][i];
            for (unsigned k = 0; k < length && position + k < 32; ++k)
                inserted = (inserted & ~(1U << (position + k))) | (bit(bench[1][i], k) ? 1U : 0U) << (position + k);
            EXPECT_EQ(bench[10][i], extracted(bench[1][i], true)) << position << " " << length;
            EXPECT_EQ(bench[11][i], extracted(bench[1][i], false)) << position << " " << length;
            EXPECT_EQ(bench[12][i], inserted) << position << " " << length;
            EXPECT_EQ(bench[13][i], extracted(reversed, true)) << position << " " << length;
        }
    }
}

TEST(integer_rules, ISA_03_signs_of_products_and_of_what_is_added)
{
    for (unsigned seed = 0; seed < 6; ++seed) {
        lab bench("IMUL.HI R10, R1, R2; IMUL.S32.U32.HI R11, R1, R2; IMUL.U32.S32.HI R12, R1, R2; IMUL.U32.U32.HI R13, "
                  "R1, R2;"
                  "IMAD R14, R1, -R2, R3; IMAD.HI R15, R1, -R2, -R3; ISCADD.PO R16, R1, R2, 0x3; IADD.PO R17, R1, R2;"
                  "XMAD.CSFU R18, R1, R2, R3; XMAD.S16.U16.CSFU R19, R1, R2, R3; XMAD.U16.S16.CSFU R20, R1.H1, R2, R3;"
                  "XMAD.S16.S16.CSFU R21, R1, R2.H1, R3; ICMP.LT R22, R1, R2, R3; ICMP.LT.U32 R23, R1, R2, R3;"
                  "ICMP.GE.U32 R24, R1, R2, R3; ICMP.GT.U32 R25, R1, R2, R3; IMAD.S32.U32.HI R26, R1, R2, R3;"
                  "ICMP.GT R27, R1, R2, R3; IADD.SAT R28, R4, R4;");
        bench.fill_awkward(1, 3, seed);
        bench.fill(4, 0x50000000U);
        const words ra = bench[1], rb = bench[2], rc = bench[3];
        bench.run();
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const word a = ra[i], b = rb[i], c = rc[i];
            const auto high = [](std::int64_t x, std::int64_t y) {
                return static_cast<word>((static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y)) >> 32);
            };
            const std::int64_t ua = a, ub = b;
            EXPECT_EQ(bench[10][i], high(as_signed(a), as_signed(b)));
            EXPECT_EQ(bench[11][i], high(as_signed(a), ub));
            EXPECT_EQ(bench[12][i], high(ua, as_signed(b)));
            EXPECT_EQ(bench[13][i], static_cast<word>((std::uint64_t{a} * b) >> 32));
            EXPECT_EQ(bench[14][i], c - a * b);
            EXPECT_EQ(bench[15][i], static_cast<word>((0 - as_signed(a) * as_signed(b)) >> 32) - c);
            EXPECT_EQ(bench[16][i], (a << 3) + b + 1);
            EXPECT_EQ(bench[17][i], a + b + 1);
            const auto csfu = [&](word x, bool sx, word y, bool sy) {
                // The sum for c less 0x10000 for each negative factor, when both are there.
                const auto factor = [](word v, bool s) {
                    return s ? static_cast<std::int32_t>(static_cast<std::int16_t>(v))
                             : static_cast<std::int32_t>(v & 0xffffU);
                };
                const std::int32_t p = factor(x, sx), q = factor(y, sy);
                const word less = p != 0 && q != 0 ? (p < 0 ? 0x10000U : 0) + (q < 0 ? 0x10000U : 0) : 0;
                return static_cast<word>(p) * static_cast<word>(q) + c - less;
            };
            EXPECT_EQ(bench[18][i], csfu(a, false, b, false));
            EXPECT_EQ(bench[19][i], csfu(a, true, b, false));
            EXPECT_EQ(bench[20][i], csfu(a >> 16, false, b, true));
            EXPECT_EQ(bench[21][i], csfu(a, true, b >> 16, true));
            EXPECT_EQ(bench[22][i], as_signed(c) < 0 ? a : b);
            EXPECT_EQ(bench[23][i], b) << "nothing is below 0";
            EXPECT_EQ(bench[27][i], as_signed(c) > 0 ? a : b);
            EXPECT_EQ(bench[28][i], 0x7fffffffU) << "the largest number";
            EXPECT_EQ(bench[24][i], a);
            EXPECT_EQ(bench[25][i], c != 0 ? a : b);
            EXPECT_EQ(bench[26][i], high(as_signed(a), ub) + c);
        }
    }
}

} // namespace
} // namespace isbesim::isa

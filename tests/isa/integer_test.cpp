// SPDX-License-Identifier: Apache-2.0
// Integer semantics against plain C++ arithmetic.
#include <tuple>

#include <gtest/gtest.h>

#include "tests/isa/lab.h"

namespace isbesim::isa {
namespace {

std::mt19937 make_random()
{
    return std::mt19937{20240607};
}

/// Runs `text` on random R0, R1, R2 and compares R3 with `expected(r0, r1, r2)`.
template <typename Function>
void check(const std::string& text, Function expected)
{
    auto random = make_random();
    for (int round = 0; round < 20; ++round) {
        lab bench(text);
        for (unsigned r = 0; r < 3; ++r) bench[r] = awkward_words(random);
        const words a = bench[0], b = bench[1], c = bench[2];
        bench.run();
        for (unsigned i = 0; i < warp_lanes; ++i)
            ASSERT_EQ(bench[3][i], static_cast<word>(expected(a[i], b[i], c[i])))
                << text << " of " << std::hex << a[i] << " " << b[i] << " " << c[i];
    }
}

std::int64_t sx(word value)
{
    return static_cast<std::int32_t>(value);
}
std::uint64_t zx(word value)
{
    return value;
}

TEST(integer, ISA_03_isetp_x_compares_64_bits)
{
    // (R1:R0) against (R2:R0 + 1): the lower words decide when the upper ones are equal.
    const auto wide = [](word low, word high) { return (zx(high) << 32) | low; };
    check("IADD R4, R0, 0x1; IADD RZ.CC, R0, -R4; ISETP.LT.U32.X.AND P0, PT, R1, R2, PT; SEL R3, R1, RZ, P0;",
          [=](word a, word b, word c) { return wide(a, b) < wide(a + 1, c) ? b : 0; });
    check("IADD R4, R0, 0x1; IADD RZ.CC, R0, -R4; ISETP.GE.X.AND P0, PT, R1, R2, PT; SEL R3, R1, RZ, P0;",
          [=](word a, word b, word c) {
              return static_cast<std::int64_t>(wide(a, b)) >= static_cast<std::int64_t>(wide(a + 1, c)) ? b : 0;
          });
    check("IADD RZ.CC, R0, -R2; ISETP.EQ.X.AND P0, PT, R1, R1, PT; SEL R3, R0, R1, P0;",
          [](word a, word b, word c) { return a == c ? a : b; });
}

TEST(integer, ISA_03_minimum_and_maximum)
{
    check("IMNMX R3, R0, R1, PT;", [](word a, word b, word) { return std::min(sx(a), sx(b)); });
    check("IMNMX R3, R0, R1, !PT;", [](word a, word b, word) { return std::max(sx(a), sx(b)); });
    check("IMNMX.U32 R3, R0, R1, PT;", [](word a, word b, word) { return std::min(a, b); });
    check("IMNMX.U32 R3, R0, 0xff, !PT;", [](word a, word, word) { return std::max(a, 0xffU); });
}

TEST(integer, ISA_03_multiplication)
{
    check("IMUL R3, R0, R1;", [](word a, word b, word) { return a * b; });
    check("IMUL.HI R3, R0, R1;", [](word a, word b, word) { return (sx(a) * sx(b)) >> 32; });
    check("IMUL.U32.U32.HI R3, R0, R1;", [](word a, word b, word) { return (zx(a) * zx(b)) >> 32; });
    check("IMUL32I.U32.U32.HI R3, R0, -0x66666666;", [](word a, word, word) { return (zx(a) * 0x9999999aU) >> 32; });
    check("IMAD R3, R0, R1, R2;", [](word a, word b, word c) { return a * b + c; });
    check("IMAD.HI R3, R0, R1, R2;",
          [](word a, word b, word c) { return static_cast<word>((sx(a) * sx(b)) >> 32) + c; });
    check("IMAD.U32.U32.HI R3, R0, R1, -R2;",
          [](word a, word b, word c) { return static_cast<word>((zx(a) * zx(b)) >> 32) - c; });
}

TEST(integer, ISA_03_xmad_sequences_are_32_bit_multiplications)
{
    // The sequences that compilers write for a * b + c, with a register, a constant and an immediate.
    check("XMAD R4, R0, R1, R2; XMAD.MRG R5, R0, R1.H1, RZ; XMAD.PSL.CBCC R3, R0.H1, R5.H1, R4;",
          [](word a, word b, word c) { return a * b + c; });
    check("XMAD R4, R0, 0x1234, R2; XMAD.PSL R3, R0.H1, 0x1234, R4;",
          [](word a, word, word c) { return a * 0x1234U + c; });

    auto random = make_random();
    lab bench("XMAD R4, R0, c[0x1] [0x8], RZ; XMAD.MRG R5, R0, c[0x1] [0x8].H1, RZ;"
              "XMAD.PSL.CBCC R3, R0.H1, R5.H1, R4;");
    bench.constants[1] = {1, 2, 0x89abcdefU};
    bench[0] = awkward_words(random);
    const words a = bench[0];
    bench.run();
    for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(bench[3][i], a[i] * 0x89abcdefU);
}

TEST(integer, ISA_03_every_comparison)
{
    const auto select = [](bool condition) { return condition ? 0xffffffffU : 0U; };
    check("ISET.LT.AND R3, R0, R1, PT;", [=](word a, word b, word) { return select(sx(a) < sx(b)); });
    check("ISET.LT.U32.AND R3, R0, R1, PT;", [=](word a, word b, word) { return select(a < b); });
    check("ISET.EQ.AND R3, R0, R1, PT;", [=](word a, word b, word) { return select(a == b); });
    check("ISET.LE.AND R3, R0, R1, PT;", [=](word a, word b, word) { return select(sx(a) <= sx(b)); });
    check("ISET.GT.U32.AND R3, R0, R1, PT;", [=](word a, word b, word) { return select(a > b); });
    check("ISET.NE.AND R3, R0, R1, PT;", [=](word a, word b, word) { return select(a != b); });
    check("ISET.GE.AND R3, R0, R1, PT;", [=](word a, word b, word) { return select(sx(a) >= sx(b)); });
    check("ISET.T.AND R3, R0, R1, PT;", [=](word, word, word) { return select(true); });
    check("ISET.F.OR R3, R0, R1, !PT;", [=](word, word, word) { return select(false); });
    check("ISET.BF.NE.AND R3, R0, R1, PT;", [](word a, word b, word) { return a != b ? 0x3f800000U : 0U; });
}

TEST(integer, ISA_03_isetp_writes_both_predicates)
{
    for (const char* op : {"AND", "OR", "XOR"}) {
        const std::string text = std::string("ISETP.NE.AND P2, PT, R2, RZ, PT; ISETP.GE.") + op +
                                 " P0, P1, R0, R1, !P2; SEL R4, R0, RZ, P0; SEL R5, R1, RZ, P1; LOP.XOR R3, R4, R5;";
        const auto join = [&](bool x, bool y) { return op[0] == 'A' ? x && y : op[0] == 'O' ? x || y : x != y; };
        check(text, [=](word a, word b, word c) {
            const bool ge = sx(a) >= sx(b), other = c == 0;
            return (join(ge, other) ? a : 0) ^ (join(!ge, other) ? b : 0);
        });
    }
}

TEST(integer, ISA_03_logic)
{
    check("LOP.AND R3, R0, R1;", [](word a, word b, word) { return a & b; });
    check("LOP.OR R3, ~R0, R1;", [](word a, word b, word) { return ~a | b; });
    check("LOP.XOR R3, R0, ~R1;", [](word a, word b, word) { return a ^ ~b; });
    check("LOP.PASS_B R3, RZ, ~R1;", [](word, word b, word) { return ~b; });
    check("LOP32I.AND R3, ~R0, 0x3f800000;", [](word a, word, word) { return ~a & 0x3f800000U; });
    check("LOP.AND.NZ P1, R4, R0, R1; SEL R3, R0, R1, P1;", [](word a, word b, word) { return (a & b) != 0 ? a : b; });
    // Majority and multiplexer by truth table: bit index is a*4 + b*2 + c.
    check("LOP3.LUT R3, R0, R1, R2, 0xe8;", [](word a, word b, word c) { return (a & b) | (a & c) | (b & c); });
    check("LOP3.LUT R3, R0, R1, R2, 0xca;", [](word a, word b, word c) { return (a & b) | (~a & c); });
}

TEST(integer, ISA_03_counting)
{
    const auto top_bit = [](word v) {
        for (int i = 31; i >= 0; --i)
            if ((v >> i & 1U) != 0) return static_cast<word>(i);
        return 0xffffffffU;
    };
    check("FLO.U32 R3, R0;", [=](word a, word, word) { return top_bit(a); });
    check("FLO.U32 R3, ~R0;", [=](word a, word, word) { return top_bit(~a); });
    check("FLO R3, R0;", [=](word a, word, word) { return top_bit(sx(a) < 0 ? ~a : a); });
    check("FLO.U32.SH R3, R0;", [=](word a, word, word) { return a == 0 ? 0xffffffffU : 31 - top_bit(a); });
    check("POPC R3, R0;", [](word a, word, word) {
        word count = 0;
        for (; a != 0; a &= a - 1) ++count;
        return count;
    });
}

TEST(integer, ISA_03_byte_permutation)
{
    const auto permute = [](word a, word selector, word c) {
        word value = 0;
        for (unsigned k = 0; k < 4; ++k) {
            const unsigned pick = selector >> (4 * k) & 15U;
            const word byte = ((pick & 7U) < 4 ? a >> (8 * (pick & 3U)) : c >> (8 * (pick & 3U))) & 0xffU;
            value |= (pick < 8 ? byte : (byte & 0x80U) != 0 ? 0xffU : 0U) << (8 * k);
        }
        return value;
    };
    check("PRMT R3, R0, R1, R2;", permute);
    check("PRMT R3, R0, 0x4442, RZ;", [](word a, word, word) { return a >> 16 & 0xffU; });
    check("PRMT R3, R0, 0x4440, RZ;", [](word a, word, word) { return a & 0xffU; });
    check("PRMT.F4E R3, R0, 0x1, R2;", [](word a, word, word c) { return a >> 8 | c << 24; });
    check("PRMT.RC16 R3, R0, 0x1, R2;", [](word a, word, word) { return a >> 16 | (a >> 16) << 16; });
}

TEST(integer, ISA_03_minima_of_two_and_three_words)
{
    for (unsigned seed = 0; seed < 8; ++seed) {
        lab bench(R"(
            IMNMX.XHI R10.CC, R2, R4, PT; IMNMX.XLO R11, R1, R3, PT;
            IMNMX.U32.XHI R12.CC, R2, R4, !PT; IMNMX.U32.XLO R13, R1, R3, !PT;
            IMNMX.XHI R14.CC, R2, R4, !PT; IMNMX.XMED R15.CC, R5, R6, !PT; IMNMX.XLO R16, R1, R3, !PT;)");
        bench.fill_awkward(1, 6, seed);
        if (seed % 2 == 0) bench[4] = bench[2]; // the lower words decide
        if (seed % 4 == 0) bench[6] = bench[5];
        const words a = bench[1], a2 = bench[2], b = bench[3], b2 = bench[4], a1 = bench[5], b1 = bench[6];
        bench.run();
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const std::uint64_t x = std::uint64_t{a2[i]} << 32 | a[i], y = std::uint64_t{b2[i]} << 32 | b[i];
            const auto smaller = std::min(static_cast<std::int64_t>(x), static_cast<std::int64_t>(y));
            EXPECT_EQ(std::uint64_t{bench[10][i]} << 32 | bench[11][i], static_cast<std::uint64_t>(smaller));
            EXPECT_EQ(std::uint64_t{bench[12][i]} << 32 | bench[13][i], std::max(x, y));
            const auto three = [](word high, word middle, word low) {
                return std::make_tuple(static_cast<std::int32_t>(high), middle, low);
            };
            const bool second = three(a2[i], a1[i], a[i]) < three(b2[i], b1[i], b[i]);
            EXPECT_EQ(bench[14][i], second ? b2[i] : a2[i]);
            EXPECT_EQ(bench[15][i], second ? b1[i] : a1[i]);
            EXPECT_EQ(bench[16][i], second ? b[i] : a[i]);
        }
        const auto& code = bench.code.code;
        EXPECT_EQ(code[0].issue.predicate_reads >> 7, 0); // the highest word takes nothing in
        EXPECT_EQ(code[1].issue.predicate_reads >> 7, 1);
        EXPECT_EQ(code[5].issue.predicate_reads >> 7, 1);
    }
}

TEST(integer, ISA_03_zero_of_several_words)
{
    lab bench("LOP.AND R10.CC, R1, R2; LOP.X.AND RZ.CC, R3, R4; @P0 IADD R0, R0, R0;");
    const word cases[4][4] = {{1, 2, 4, 8}, {1, 1, 4, 8}, {1, 2, 4, 4}, {1, 1, 4, 4}};
    for (unsigned i = 0; i < 4; ++i)
        for (unsigned r = 0; r < 4; ++r) bench[r + 1][i] = cases[i][r];
    bench.run();
    EXPECT_EQ(bench.warp.condition[0] & 0xfU, 0x1U);
}

} // namespace
} // namespace isbesim::isa

// SPDX-License-Identifier: Apache-2.0
// Integer instructions against plain C++ arithmetic and, where their tables, limits and signs show, closed forms.
#include <algorithm>
#include <bitset>
#include <tuple>

#include <gtest/gtest.h>

#include "tests/isa/turing_lab.h"

namespace isbesim::isa {
namespace {

std::uint64_t wide_word(word value)
{
    return value;
}

TEST(integer, ISA_03_isetp_x_compares_64_bits)
{
    // (R1:R0) against (R2:R0 + 1): the lower words decide when the upper ones are equal.
    const auto wide = [](word low, word high) { return (wide_word(high) << 32) | low; };
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
    check("IMNMX R3, R0, R1, PT;", [](word a, word b) { return std::min(as_signed(a), as_signed(b)); });
    check("IMNMX R3, R0, R1, !PT;", [](word a, word b) { return std::max(as_signed(a), as_signed(b)); });
    check("IMNMX.U32 R3, R0, R1, PT;", [](word a, word b) { return std::min(a, b); });
    check("IMNMX.U32 R3, R0, 0xff, !PT;", [](word a) { return std::max(a, 0xffU); });
}

TEST(integer, ISA_03_multiplication)
{
    check("IMUL R3, R0, R1;", [](word a, word b) { return a * b; });
    check("IMUL.HI R3, R0, R1;", [](word a, word b) { return (as_signed(a) * as_signed(b)) >> 32; });
    check("IMUL.U32.U32.HI R3, R0, R1;", [](word a, word b) { return (wide_word(a) * wide_word(b)) >> 32; });
    check("IMUL32I.U32.U32.HI R3, R0, -0x66666666;", [](word a) { return (wide_word(a) * 0x9999999aU) >> 32; });
    check("IMAD R3, R0, R1, R2;", [](word a, word b, word c) { return a * b + c; });
    check("IMAD.HI R3, R0, R1, R2;",
          [](word a, word b, word c) { return static_cast<word>((as_signed(a) * as_signed(b)) >> 32) + c; });
    check("IMAD.U32.U32.HI R3, R0, R1, -R2;",
          [](word a, word b, word c) { return static_cast<word>((wide_word(a) * wide_word(b)) >> 32) - c; });
}

TEST(integer, ISA_03_xmad_sequences_are_32_bit_multiplications)
{
    // The sequences that compilers write for a * b + c, with a register, a constant and an immediate.
    check("XMAD R4, R0, R1, R2; XMAD.MRG R5, R0, R1.H1, RZ; XMAD.PSL.CBCC R3, R0.H1, R5.H1, R4;",
          [](word a, word b, word c) { return a * b + c; });
    check("XMAD R4, R0, 0x1234, R2; XMAD.PSL R3, R0.H1, 0x1234, R4;",
          [](word a, word, word c) { return a * 0x1234U + c; });

    std::mt19937 random{20240607};
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
    check("ISET.LT.AND R3, R0, R1, PT;", [=](word a, word b) { return select(as_signed(a) < as_signed(b)); });
    check("ISET.LT.U32.AND R3, R0, R1, PT;", [=](word a, word b) { return select(a < b); });
    check("ISET.EQ.AND R3, R0, R1, PT;", [=](word a, word b) { return select(a == b); });
    check("ISET.LE.AND R3, R0, R1, PT;", [=](word a, word b) { return select(as_signed(a) <= as_signed(b)); });
    check("ISET.GT.U32.AND R3, R0, R1, PT;", [=](word a, word b) { return select(a > b); });
    check("ISET.NE.AND R3, R0, R1, PT;", [=](word a, word b) { return select(a != b); });
    check("ISET.GE.AND R3, R0, R1, PT;", [=](word a, word b) { return select(as_signed(a) >= as_signed(b)); });
    check("ISET.T.AND R3, R0, R1, PT;", [=](word, word, word) { return select(true); });
    check("ISET.F.OR R3, R0, R1, !PT;", [=](word, word, word) { return select(false); });
    check("ISET.BF.NE.AND R3, R0, R1, PT;", [](word a, word b) { return a != b ? 0x3f800000U : 0U; });
}

TEST(integer, ISA_03_isetp_writes_both_predicates)
{
    for (const char* op : {"AND", "OR", "XOR"}) {
        const std::string text = std::string("ISETP.NE.AND P2, PT, R2, RZ, PT; ISETP.GE.") + op +
                                 " P0, P1, R0, R1, !P2; SEL R4, R0, RZ, P0; SEL R5, R1, RZ, P1; LOP.XOR R3, R4, R5;";
        const auto join = [&](bool x, bool y) { return op[0] == 'A' ? x && y : op[0] == 'O' ? x || y : x != y; };
        check(text, [=](word a, word b, word c) {
            const bool ge = as_signed(a) >= as_signed(b), other = c == 0;
            return (join(ge, other) ? a : 0) ^ (join(!ge, other) ? b : 0);
        });
    }
}

TEST(integer, ISA_03_logic)
{
    check("LOP.AND R3, R0, R1;", [](word a, word b) { return a & b; });
    check("LOP.OR R3, ~R0, R1;", [](word a, word b) { return ~a | b; });
    check("LOP.XOR R3, R0, ~R1;", [](word a, word b) { return a ^ ~b; });
    check("LOP.PASS_B R3, RZ, ~R1;", [](word, word b, word) { return ~b; });
    check("LOP32I.AND R3, ~R0, 0x3f800000;", [](word a) { return ~a & 0x3f800000U; });
    check("LOP.AND.NZ P1, R4, R0, R1; SEL R3, R0, R1, P1;", [](word a, word b) { return (a & b) != 0 ? a : b; });
    // Majority and multiplexer by truth table: bit index is a*4 + b*2 + c.
    check("LOP3.LUT R3, R0, R1, R2, 0xe8;", [](word a, word b, word c) { return (a & b) | (a & c) | (b & c); });
    check("LOP3.LUT R3, R0, R1, R2, 0xca;", [](word a, word b, word c) { return (a & b) | (~a & c); });
}

TEST(integer, ISA_03_counting_and_reversing)
{
    const auto top_bit = [](word v) {
        for (int i = 31; i >= 0; --i)
            if ((v >> i & 1U) != 0) return static_cast<word>(i);
        return 0xffffffffU;
    };
    const auto from_top = [=](word v) { return v == 0 ? 0xffffffffU : 31 - top_bit(v); };
    const auto magnitude = [](word v) { return as_signed(v) < 0 ? ~v : v; };
    const auto count = [](word v) { return std::bitset<32>(v).count(); };
    for (const auto arch : {architecture::sm50, architecture::sm75}) {
        check("FLO.U32 R3, R0;", top_bit, arch);
        check(
            "FLO.U32 R3, ~R0;", [=](word a) { return top_bit(~a); }, arch);
        check(
            "FLO R3, R0;", [=](word a) { return top_bit(magnitude(a)); }, arch);
        check(
            "FLO R3, ~R0;", [=](word a) { return top_bit(magnitude(a)); }, arch);
        check("FLO.U32.SH R3, R0;", from_top, arch);
        check(
            "FLO.SH R3, R0;", [=](word a) { return from_top(magnitude(a)); }, arch);
        check("POPC R3, R0;", count, arch);
        check(
            "POPC R3, ~R0;", [=](word a) { return 32 - count(a); }, arch);
        check(
            "POPC R3, 0xf0f;", [](word) { return 8; }, arch);
    }
    const auto reversed = [](word a) {
        std::bitset<32> bits;
        for (unsigned k = 0; k < 32; ++k) bits[k] = (a >> (31 - k) & 1U) != 0;
        return bits.to_ulong();
    };
    check("BREV R3, R0;", reversed, architecture::sm75);
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
    check("PRMT R3, R0, 0x4442, RZ;", [](word a) { return a >> 16 & 0xffU; });
    check("PRMT R3, R0, 0x4440, RZ;", [](word a) { return a & 0xffU; });
    check("PRMT.F4E R3, R0, 0x1, R2;", [](word a, word, word c) { return a >> 8 | c << 24; });
    check("PRMT.RC16 R3, R0, 0x1, R2;", [](word a) { return a >> 16 | (a >> 16) << 16; });
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

using pair = std::uint64_t; ///< R2 and R1, the lower word

pair left(pair v, word n)
{
    return n < 64 ? v << n : 0;
}
pair right(pair v, word n)
{
    return n < 64 ? v >> n : 0;
}
pair right_signed(pair v, word n)
{
    return static_cast<pair>(static_cast<std::int64_t>(v) >> std::min(n, 63U));
}
word low(pair v)
{
    return static_cast<word>(v);
}
word narrow(word n)
{
    return std::min(n, 32U);
}
word wide(word n)
{
    return std::min(n, 64U);
}

/// `name` with counts around 32 and 64 gives the lower word of `expected`.
template <typename Function>
void expect_shift(architecture arch, const std::string& name, Function expected)
{
    for (const word n : {0U, 1U, 31U, 32U, 33U, 63U, 64U, 65U, 96U, 127U, 0x80000000U, 0xffffffffU}) {
        lab bench(name + " R10, R1, R3" + (name.rfind("SHF", 0) == 0 ? ", R2;" : ";"), arch);
        bench.fill_awkward(1, 2, n);
        bench.fill(3, n);
        bench.run();
        for (unsigned i = 0; i < warp_lanes; ++i)
            EXPECT_EQ(bench[10][i], static_cast<word>(expected(bench.pair(1, i), n))) << name << " by " << n;
    }
}

TEST(integer_rules, ISA_03_shift_counts_around_the_width)
{
    const auto expect = [](const char* name, auto f) { expect_shift(architecture::sm50, name, f); };
    const auto reversed = [](word a) {
        word value = 0;
        for (unsigned k = 0; k < 32; ++k) value |= (a >> k & 1U) << (31 - k);
        return value;
    };
    expect("SHL", [](pair v, word n) { return left(v, n); });
    expect("SHL.W", [](pair v, word n) { return left(v, n % 32); });
    expect("SHR.U32", [](pair v, word n) { return right(low(v), n); });
    expect("SHR", [](pair v, word n) { return as_signed(low(v)) >> std::min(n, 31U); });
    expect("SHR.W", [](pair v, word n) { return as_signed(low(v)) >> n % 32; });
    expect("SHR.U32.BREV", [=](pair v, word n) { return right(reversed(low(v)), n); });
    expect("SHF.L", [](pair v, word n) { return left(v, narrow(n)) >> 32; });
    expect("SHF.L.W", [](pair v, word n) { return left(v, n % 32) >> 32; });
    expect("SHF.L.U64", [](pair v, word n) { return left(v, wide(n)) >> 32; });
    expect("SHF.R", [](pair v, word n) { return right(v, narrow(n)); });
    expect("SHF.R.U64", [](pair v, word n) { return right(v, wide(n)); });
    expect("SHF.R.S64", [](pair v, word n) { return right_signed(v, wide(n)); });
    expect("SHF.R.W.S64", [](pair v, word n) { return right_signed(v, n % 64); });
    expect("SHF.R.HI", [](pair v, word n) { return right(v, narrow(n)) >> 32; });
    expect("SHF.R.U64.HI", [](pair v, word n) { return right(v, wide(n)) >> 32; });
    expect("SHF.R.S64.HI", [](pair v, word n) { return right_signed(v, wide(n)) >> 32; });
}

TEST(integer_rules, ISA_03_funnel_shifts_of_all_types)
{
    const auto expect = [](const char* name, auto f) { expect_shift(architecture::sm75, name, f); };
    expect("SHF.L.U32", [](pair v, word n) { return left(v, narrow(n)); });
    expect("SHF.L.U32.HI", [](pair v, word n) { return left(v, narrow(n)) >> 32; });
    expect("SHF.L.U64", [](pair v, word n) { return left(v, wide(n)); });
    expect("SHF.L.U64.HI", [](pair v, word n) { return left(v, wide(n)) >> 32; });
    expect("SHF.L.W.U64.HI", [](pair v, word n) { return left(v, n % 64) >> 32; });
    expect("SHF.L.S32.HI", [](pair v, word n) { return left(v, narrow(n)) >> 32; });
    expect("SHF.L.S64.HI", [](pair v, word n) { return left(v, wide(n)) >> 32; });
    expect("SHF.R.U32", [](pair v, word n) { return right(v, narrow(n)); });
    expect("SHF.R.S32", [](pair v, word n) { return right_signed(v, narrow(n)); });
    expect("SHF.R.U64", [](pair v, word n) { return right(v, wide(n)); });
    expect("SHF.R.S64", [](pair v, word n) { return right_signed(v, wide(n)); });
    expect("SHF.R.S64.HI", [](pair v, word n) { return right_signed(v, wide(n)) >> 32; });
    expect("SHF.R.W.S64", [](pair v, word n) { return right_signed(v, n % 64); });
    expect("SHF.R.W.S32.HI", [](pair v, word n) { return right_signed(v, n % 32) >> 32; });
    expect("SHF.L.W.S32.HI", [](pair v, word n) { return left(v, n % 32) >> 32; });
    expect("SHF.R.U64.HI", [](pair v, word n) { return right(v, wide(n)) >> 32; });
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
    const auto high = [](std::int64_t x, std::int64_t y) {
        return static_cast<word>((static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y)) >> 32);
    };
    check("IMUL.S32.U32.HI R3, R0, R1;", [=](word a, word b) { return high(as_signed(a), b); });
    check("IMUL.U32.S32.HI R3, R0, R1;", [=](word a, word b) { return high(a, as_signed(b)); });
    check("IMAD R3, R0, -R1, R2;", [](word a, word b, word c) { return c - a * b; });
    check("IMAD.HI R3, R0, -R1, -R2;",
          [](word a, word b, word c) { return static_cast<word>((0 - as_signed(a) * as_signed(b)) >> 32) - c; });
    check("IMAD.S32.U32.HI R3, R0, R1, R2;", [=](word a, word b, word c) { return high(as_signed(a), b) + c; });
    check("ISCADD.PO R3, R0, R1, 0x3;", [](word a, word b) { return (a << 3) + b + 1; });
    check("IADD.PO R3, R0, R1;", [](word a, word b) { return a + b + 1; });
    check("MOV32I R0, 0x50000000; IADD.SAT R3, R0, R0;", [](word) { return 0x7fffffffU; }); // the largest number

    const auto csfu = [](word x, bool sx, word y, bool sy, word c) {
        // The sum for c less 0x10000 for each negative factor, when both are there.
        const auto factor = [](word v, bool s) {
            return s ? static_cast<std::int32_t>(static_cast<std::int16_t>(v)) : static_cast<std::int32_t>(v & 0xffffU);
        };
        const std::int32_t p = factor(x, sx), q = factor(y, sy);
        const word less = p != 0 && q != 0 ? (p < 0 ? 0x10000U : 0) + (q < 0 ? 0x10000U : 0) : 0;
        return static_cast<word>(p) * static_cast<word>(q) + c - less;
    };
    check("XMAD.CSFU R3, R0, R1, R2;", [=](word a, word b, word c) { return csfu(a, false, b, false, c); });
    check("XMAD.S16.U16.CSFU R3, R0, R1, R2;", [=](word a, word b, word c) { return csfu(a, true, b, false, c); });
    check("XMAD.U16.S16.CSFU R3, R0.H1, R1, R2;",
          [=](word a, word b, word c) { return csfu(a >> 16, false, b, true, c); });
    check("XMAD.S16.S16.CSFU R3, R0, R1.H1, R2;",
          [=](word a, word b, word c) { return csfu(a, true, b >> 16, true, c); });

    check("ICMP.LT R3, R0, R1, R2;", [](word a, word b, word c) { return as_signed(c) < 0 ? a : b; });
    check("ICMP.GT R3, R0, R1, R2;", [](word a, word b, word c) { return as_signed(c) > 0 ? a : b; });
    check("ICMP.LT.U32 R3, R0, R1, R2;", [](word, word b) { return b; }); // nothing is below 0
    check("ICMP.GE.U32 R3, R0, R1, R2;", [](word a) { return a; });
    check("ICMP.GT.U32 R3, R0, R1, R2;", [](word a, word b, word c) { return c != 0 ? a : b; });
}

} // namespace
} // namespace isbesim::isa

// SPDX-License-Identifier: Apache-2.0
// Condition codes that .CC leaves, looked at directly, against sums of 64 bits; lanes that take no part keep theirs.
#include <gtest/gtest.h>

#include "tests/isa/lab.h"

namespace isbesim::isa {
namespace {

enum code : unsigned { zero, sign, carry, overflow };

constexpr lane_mask some = 0x3c5a'0ff1U;
constexpr lane_mask before[] = {0x523c'94f1U, 0x9abc'def0U, 0x33cc'55aaU, 0x4b5a'6978U};

/// Ran with P0 = some; the codes were `before`.
lab with_codes(const std::string& text, unsigned seed, const std::string& after = "")
{
    lab bench("@P0 " + text + " " + after);
    bench.fill_awkward(0, 7, seed);
    for (unsigned i = 0; i < warp_lanes; i += 3) bench[0][i] = bench[1][i] = 0; // zero comes with every code
    bench.warp.predicates[0] = some;
    std::copy(std::begin(before), std::end(before), bench.warp.condition.begin());
    return bench;
}

void expect_code(const lab& bench, code which, unsigned lane, bool expected, const std::string& text)
{
    const bool runs = (some >> lane & 1U) != 0;
    EXPECT_EQ(bench.warp.condition[which] >> lane & 1U, (runs ? expected : (before[which] >> lane & 1U) != 0) ? 1U : 0U)
        << text << " code " << which << " lane " << lane;
}

/// Codes of a result that cannot carry: R10 and R11, of which the second decides where there are two.
void expect_result_codes(const std::string& text, unsigned result)
{
    for (unsigned seed = 0; seed < 6; ++seed) {
        lab bench = with_codes(text, seed);
        bench.run();
        for (unsigned i = 0; i < warp_lanes; ++i) {
            expect_code(bench, zero, i, bench[result][i] == 0, text);
            expect_code(bench, sign, i, (bench[result][i] >> 31) != 0, text);
            expect_code(bench, carry, i, false, text);
            expect_code(bench, overflow, i, false, text);
        }
    }
}

TEST(condition, ISA_03_results_without_carry)
{
    for (const char* text : {"LOP.AND R10.CC, R0, R1;",
                             "LOP.XOR R10.CC, R0, R1;",
                             "LOP32I.AND R10.CC, R0, 0x80000001;",
                             "LOP3.LUT R10.CC, R0, R1, R2, 0x96;",
                             "SHL R10.CC, R0, 0x1;",
                             "SHR R10.CC, R0, 0x1;",
                             "SHF.L R10.CC, R0, 0x3, R1;",
                             "SHF.R R10.CC, R0, 0x3, R1;",
                             "BFE R10.CC, R0, 0x808;",
                             "BFI R10.CC, R0, 0x808, R1;",
                             "FLO R10.CC, R0;",
                             "IMUL R10.CC, R0, R1;",
                             "IMUL32I R10.CC, R0, 0x10000;",
                             "XMAD.MRG R10.CC, R0, R1, R2;",
                             "IMNMX R10.CC, R0, R1, PT;",
                             "ISET.LT.AND R10.CC, R0, R1, PT;",
                             "ISET.BF.LT.AND R10.CC, R0, R1, PT;",
                             "FADD R10.CC, R0, R1;",
                             "FADD32I R10.CC, R0, 1;",
                             "FMUL R10.CC, R0, R1;",
                             "FMUL32I R10.CC, R0, 0.5;",
                             "FFMA R10.CC, R0, R1, R2;",
                             "FMNMX R10.CC, R0, R1, PT;",
                             "FSET.LT.AND R10.CC, R0, R1, PT;",
                             "FSWZADD R10.CC, R0, R1, PPPPPPPP;",
                             "F2F.F32.F32 R10.CC, R0;",
                             "F2F.F16.F32 R10.CC, R0;",
                             "F2I.S32.F32 R10.CC, R0;",
                             "I2F.F32.S32 R10.CC, R0;",
                             "I2I.S32.S8 R10.CC, R0;",
                             "PSET.AND.AND R10.CC, P0, P0, PT;"})
        expect_result_codes(text, 10);
    // Of two registers the upper one decides.
    for (const char* text : {"DADD R10.CC, R0, R2;", "DMUL R10.CC, R0, R2;", "DFMA R10.CC, R0, R2, R4;",
                             "DMNMX R10.CC, R0, R2, PT;", "F2F.F64.F32 R10.CC, R0;", "I2F.F64.S32 R10.CC, R0;"})
        expect_result_codes(text, 11);
    expect_result_codes("F2I.S64.F32 R10.CC, R0;", 10); // the lower word: a choice of ours
}

TEST(condition, ISA_03_nothing_changes_without_cc)
{
    for (const char* text : {"LOP.AND R10, R0, R1;", "IADD R10, R0, R1;", "FADD R10, R0, R1;", "IMNMX R10, R0, R1, PT;",
                             "IMNMX.XHI R10, R0, R1, PT;", "LOP.AND.Z P1, R10, R0, R1;", "XMAD R10, R0, R1, R2;",
                             "LOP.AND.X R10, R0, R1;"}) {
        lab bench = with_codes(text, 1);
        bench.run();
        for (unsigned k = 0; k < 4; ++k) EXPECT_EQ(bench.warp.condition[k], before[k]) << text;
    }
}

TEST(condition, ISA_03_carry_and_overflow_of_sums)
{
    const auto zx = [](word v) { return std::uint64_t{v}; };
    const auto sx = [](word v) { return std::int64_t{static_cast<std::int32_t>(v)}; };
    struct row {
        const char* text;
        int sign_a, sign_b; ///< -1 subtracts
        unsigned shift;
        bool extended, plus_one;
    };
    for (const row& each :
         {row{"IADD R10.CC, R0, R1;", 1, 1, 0, false, false}, row{"IADD R10.CC, R0, -R1;", 1, -1, 0, false, false},
          row{"IADD R10.CC, -R0, R1;", -1, 1, 0, false, false}, row{"IADD.X R10.CC, R0, R1;", 1, 1, 0, true, false},
          row{"IADD.X R10.CC, R0, -R1;", 1, -1, 0, true, false}, row{"IADD.PO R10.CC, R0, R1;", 1, 1, 0, false, true},
          row{"ISCADD R10.CC, R0, R1, 0x3;", 1, 1, 3, false, false},
          row{"ISCADD R10.CC, R0, -R1, 0x3;", 1, -1, 3, false, false},
          row{"ISCADD.PO R10.CC, R0, R1, 0x3;", 1, 1, 3, false, true}})
        for (unsigned seed = 0; seed < 6; ++seed) {
            lab bench = with_codes(each.text, seed);
            const words a = bench[0], b = bench[1];
            bench.run();
            for (unsigned i = 0; i < warp_lanes; ++i) {
                const bool subtracts = each.sign_a < 0 || each.sign_b < 0;
                const word x = each.sign_a < 0 ? ~(a[i] << each.shift) : a[i] << each.shift,
                           y = each.sign_b < 0 ? ~b[i] : b[i];
                const word one = each.extended ? before[carry] >> i & 1U : subtracts || each.plus_one ? 1 : 0;
                const std::uint64_t sum = zx(x) + zx(y) + one;
                const std::int64_t exact = sx(x) + sx(y) + one;
                const word result = static_cast<word>(sum);
                if ((some >> i & 1U) != 0) {
                    EXPECT_EQ(bench[10][i], result) << each.text;
                }
                expect_code(bench, zero, i, result == 0 && (!each.extended || (before[zero] >> i & 1U) != 0),
                            each.text);
                expect_code(bench, sign, i, (result >> 31) != 0, each.text);
                expect_code(bench, carry, i, sum >> 32 != 0, each.text);
                expect_code(bench, overflow, i, exact != static_cast<std::int32_t>(result), each.text);
            }
        }
}

TEST(condition, ISA_03_products_take_and_leave_carries)
{
    for (unsigned seed = 0; seed < 6; ++seed) {
        lab bench = with_codes(
            "XMAD.X R10.CC, R0, R1, R2;", seed,
            "@P0 IADD RZ.CC, R3, R4; @P0 IMAD.X R11.CC, R0, R1, R2; @P0 IADD RZ.CC, R3, R4;"
            "@P0 XMAD R14, R0, R1, R2; @P0 IMAD.U32.U32.HI R12, R0, -R1, R2; @P0 IMAD.HI.SAT R13, R0, R1, R2;");
        words r[5];
        std::copy(bench.warp.registers.begin(), bench.warp.registers.begin() + 5, r);
        bench.run();
        for (unsigned i = 0; i < warp_lanes; ++i) {
            if ((some >> i & 1U) == 0) continue;
            const word a = r[0][i], b = r[1][i], c = r[2][i];
            EXPECT_EQ(bench[10][i], (a & 0xffffU) * (b & 0xffffU) + c + (before[carry] >> i & 1U));
            const word in = static_cast<word>((std::uint64_t{r[3][i]} + r[4][i]) >> 32);
            EXPECT_EQ(bench[11][i], a * b + c + in);
            EXPECT_EQ(bench[14][i], (a & 0xffffU) * (b & 0xffffU) + c);
            EXPECT_EQ(bench[12][i], static_cast<word>((0 - std::uint64_t{a} * b) >> 32) + c);
            const auto high = (std::int64_t{static_cast<std::int32_t>(a)} * static_cast<std::int32_t>(b)) >> 32;
            const std::int64_t sum = high + static_cast<std::int32_t>(c);
            EXPECT_EQ(bench[13][i],
                      static_cast<word>(std::min<std::int64_t>(std::max<std::int64_t>(sum, INT32_MIN), INT32_MAX)));
        }
    }
}

TEST(condition, ISA_03_zero_of_logic_words_accumulates)
{
    for (const char* text : {"LOP.AND.X R10.CC, R0, R1;", "LOP3.LUT.X R10.CC, R0, R1, R2, 0xc0;"}) {
        lab bench = with_codes(text, 3);
        bench.run();
        for (unsigned i = 0; i < warp_lanes; ++i)
            expect_code(bench, zero, i, bench[10][i] == 0 && (before[zero] >> i & 1U) != 0, text);
    }
}

TEST(condition, ISA_03_tests_of_logic_results)
{
    struct row {
        const char* test;
        bool if_zero, if_not;
    };
    for (const row& each :
         {row{"", false, false}, row{".T", true, true}, row{".Z", true, false}, row{".NZ", false, true}})
        for (const std::string name : {"LOP.AND", "LOP3.LUT"}) {
            const std::string text = name + each.test + " P1, R10, R0, R1" + (name == "LOP.AND" ? ";" : ", R2, 0xc0;");
            lab bench = with_codes(text, 5);
            bench.warp.predicates[1] = before[0];
            bench.run();
            for (unsigned i = 0; i < warp_lanes; ++i) {
                const bool runs = (some >> i & 1U) != 0;
                const bool expected = bench[10][i] == 0 ? each.if_zero : each.if_not;
                EXPECT_EQ((bench.warp.predicates[1] >> i & 1U) != 0, runs ? expected : (before[0] >> i & 1U) != 0)
                    << text;
            }
        }
}

TEST(condition, ISA_03_shifts_with_x_are_refused)
{
    for (const char* text :
         {"SHL.X R10, R0, R1;", "SHR.X R10, R0, R1;", "SHF.L.X R10, R0, R1, R2;", "SHF.R.X R10, R0, R1, R2;"})
        EXPECT_THROW(lab(text).run(), execution_error) << text;
}

} // namespace
} // namespace isbesim::isa

// SPDX-License-Identifier: Apache-2.0
// Forms that the sample programs lack: words as the vendor's disassembler lists them (cloudcores/CuAssembler), and what
// the forms do. Expected values are sums and comparisons of wider host types.
#include <cstdint>

#include <gtest/gtest.h>

#include "tests/isa/listed_word.h"
#include "tests/isa/turing_lab.h"

namespace isbesim::isa {
namespace {

TEST(vendor_forms, ISA_02_words_of_sm50)
{
    for (const auto& each : {listed_word{"MOV R34, R28, 0x1", 0, 0x5c98008001c70022},
                             {"LEA R12.CC, R16, c[0x0][0x140], 0x4", 0, 0x4bd782000507100c},
                             {"LEA R8.CC, R3, RZ", 0, 0x5bd780000ff70308},
                             {"LEA R100, R32, 0x2000, 0x6", 0, 0x36d7030200072064},
                             {"LEA.HI.X R3, R3, R5, R4, 0x1", 0, 0x5bdf024010570303},
                             {"LEA.HI R2, R12, c[0x2][0x0], RZ, 0x1e", 0, 0x18f77f8800070c02},
                             {"LEA.HI.X P1, R7, R0, RZ, R2", 0, 0x5bd901400ff70007},
                             {"IADD3 R15, R13, R15, R16", 0, 0x5cc0080000f70d0f},
                             {"IADD3.X R2, RZ, R2, RZ", 0, 0x5cc17f800027ff02},
                             {"IADD3 R0, R0, 0x7f, -R3", 0, 0x38c2018007f70000},
                             {"IADD3 R23.CC, -R21, c[0x0][0x140], R23", 0, 0x4cc88b8005071517},
                             {"ISCADD32I R4, R3, -0x3f800000, 0x17", 0, 0x16ec080000070304},
                             {"@!P0 CSETP.NEU.AND P1, PT, CC, PT", 0, 0x50a0038000080d0f},
                             {"CSETP.SFT.AND P0, PT, CC, PT", 0, 0x50a0038000071507},
                             {"@!P0 EXIT CC.NEU", 0, 0xe30000000008000d},
                             {"@P0 BRK CC.NEU", 0, 0xe34000000000000d},
                             {"FCHK.DIVIDE P0, R4, R2", 0, 0x5c88000000270400},
                             {"SAM", 0, 0xe370000000000000},
                             {"RAM", 0, 0xe380000000000000}})
        expect_both_ways(architecture::sm50, each);
    expect_both_ways(architecture::sm50, {"@P0 BRA CC.NEU, 0x640", 0, 0xe24000004500000d}, 0x1e8);
    // By the masks of ENV: no listing has these.
    for (const auto& each : {listed_word{"BRA c[0x2][0x10]", 0, 0xe24000200107002f},
                             {"JMX c[0x1][R2+0x8]", 0, 0xe20000100087022f},
                             {"LDG.E R4, [R2+0x10], P3", 0, 0xeecc280001070204},
                             {"IPA.PASS R0, a[0x7c]", 0, 0xe003ff87cff7ff00},
                             {"IPA R1, a[0x84], R2", 0, 0xe043ff884027ff01},
                             {"IPA.IDX.CONSTANT.CENTROID.SAT R1, a[R5], R2, R3", 0, 0xe09b81c000270501}})
        expect_both_ways(architecture::sm50, each);
}

TEST(vendor_forms, ISA_02_words_of_sm75)
{
    for (const auto& each :
         {listed_word{"MOV R37, R24, 0x1", 0x0000000000000100, 0x0000001800257202},
          {"IMAD.X R22, R25, 0x1, R3, P1", 0x00000000008e0603, 0x0000000119167824},
          {"IMAD.WIDE.U32.X R10, R45, -0x55555556, R38, P0", 0x00000000000e0426, 0xaaaaaaaa2d0a7825},
          {"LEA.HI.SX32 R45, R45, 0xffffffff, 0x1c", 0x00000000078fe2ff, 0xffffffff2d2d7811},
          {"@P2 LEA.HI.X.SX32 R8, R21, R13, 0x1, P3", 0x00000000018f0eff, 0x0000000d15082211},
          {"HMUL2.F32 R15, R14.H0_H0, R6.H0_H0", 0x0000000000004800, 0x200000060e0f7232},
          {"HFMA2.F32 R6, R11.H0_H0, R4.H0_H0, R3.H0_H0", 0x0000000000044803, 0x200000040b067231},
          {"HADD2 R8, R2.F32, -RZ.H0_H0", 0x0000000000000400, 0xa00000ff02087230},
          {"HADD2 R4, |R4|.H0_H0, -RZ.H0_H0", 0x0000000000000a00, 0xa00000ff04047230},
          {"F2I.FTZ.U32.TRUNC.NTZ R19, R18", 0x000000000021f000, 0x0000001200137305},
          {"I2I.U16.S32.SAT R10, R10", 0x0000000000002000, 0x0000000a000a7238},
          {"I2IP.S8.S32.SAT R2, R24, R19, RZ", 0x00000000000010ff, 0x0000001318027239},
          {"@P0 LDG.E.LTC128B.SYS R64, [R12]", 0x00000000001ee920, 0x000000000c400381},
          {"LDG.E.LTC128B.128.CONSTANT.GPU R132, [R144+0x800], P4", 0x00000000001e4d23, 0x0008000090847381},
          {"LDG.E.128.CONSTANT.GPU R128, [R144], P3", 0x00000000001e4d04, 0x0000000090807381},
          {"DSETP.MAX.AND P0, P3, RZ, R16, PT", 0x0000000003b0f000, 0x00000010ff00722a},
          {"FCHK P2, -R8, R5", 0x0000000000040100, 0x0000000508007302}})
        expect_both_ways(architecture::sm75, each);
    expect_both_ways(architecture::sm75, {"BRA.DIV 0x3940", 0x0000000003800000, 0x00002ad200007947}, 0xe60);
    expect_both_ways(architecture::sm75, {"BRA.CONV 0x1730", 0x0000000003800000, 0x0000003300007947}, 0x16f0);
    // NAK's OpIpa; the text is a choice.
    expect_both_ways(architecture::sm75, {"IPA.PASS R0, a[0x7c]", 0x00000000000e001f, 0x000000ff00007326});
    expect_both_ways(architecture::sm75,
                     {"IPA.CONSTANT.CENTROID R3, a[0x80], R7", 0x00000000000e5020, 0x0000000700037326});
}

TEST(vendor_forms, ISA_03_what_belongs_to_fragments_or_nobody_ends_a_run)
{
    for (const char* text : {"IPA R1, a[0x84], R2;", "FCHK.DIVIDE P0, R1, R2;", "BRA c[0x2][0x10];", "KIL;",
                             "LDG.E R0, [R2], P1; LD.E R0, [R2], P1;", "IADD3 R0.CC, R1, R2, R3;"})
        EXPECT_THROW(lab(text).run(), execution_error) << text;
    for (const char* text : {"IPA.PASS R0, a[0x7c];", "FCHK P0, R1, R2;", "DSETP.MIN.AND P0, P1, R2, R4, PT;"})
        EXPECT_THROW(turing(text).run(), execution_error) << text;
}

TEST(vendor_forms, ISA_03_moves_of_some_lanes_of_a_quad)
{
    for (const architecture arch : {architecture::sm50, architecture::sm75}) {
        lab bench("MOV R0, R1, 0x5; MOV R2, R1;", arch);
        bench.fill(1, 7);
        bench.run();
        for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(bench[0][i], i % 2 == 0 ? 7U : 0U);
        EXPECT_EQ(bench[2], bench[1]);
    }
    lab wide("MOV32I R0, 0x9, 0x8;");
    wide.run();
    for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(wide[0][i], i % 4 == 3 ? 9U : 0U);
}

TEST(vendor_forms, ISA_03_branches_on_condition_codes_meet_again)
{
    lab bench(R"(
        S2R R0, SR_LANEID;
        SSY join;
        IADD RZ.CC, R0, -0x8;
        BRA CC.LT, small;
        MOV32I R1, 0x64;
        SYNC;
        small: MOV32I R1, 0xc8;
        SYNC;
        join: IADD R2, R1, R0;)");
    bench.run();
    for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(bench[2][i], (i < 8 ? 200 : 100) + i);
    // Codes are waited for as predicates are.
    EXPECT_EQ(bench.code.code[3].issue.predicate_reads, 0x80U);
    EXPECT_EQ(assemble("CSETP.EQ.AND P0, PT, CC, PT;", architecture::sm50).code[0].issue.predicate_reads, 0x80U);
    EXPECT_EQ(assemble("BRA 0x8;", architecture::sm50).code[0].issue.predicate_reads, 0U);
}

TEST(vendor_forms, ISA_03_scaled_sums_of_sm50)
{
    lab bench(
        "LEA R10, R1, R2, 0x4; LEA R11.CC, R1, R2, 0x3; LEA.HI.X R12, R1, R3, R4, 0x3; LEA R13, -R1, R2, 0x2;"
        "LEA.HI R14, R1, R2, R4, 0x7; IADD3 R15, R1, -R2, R3; ISCADD32I R16, R1, 0x12345678, 0x5; LEA R17, R1, R2;");
    bench.fill_awkward(1, 4, 6);
    bench.run();
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const word a = bench[1][i], b = bench[2][i], c = bench[3][i], high = bench[4][i];
        const std::uint64_t whole = std::uint64_t{high} << 32 | a, other = std::uint64_t{c} << 32 | b;
        EXPECT_EQ(bench[10][i], (a << 4) + b);
        EXPECT_EQ(bench.pair(11, i), (whole << 3) + other);
        EXPECT_EQ(bench[13][i], b - (a << 2));
        EXPECT_EQ(bench[14][i], static_cast<word>(whole << 7 >> 32) + b);
        EXPECT_EQ(bench[15][i], a - b + c);
        EXPECT_EQ(bench[16][i], (a << 5) + 0x12345678U);
        EXPECT_EQ(bench[17][i], a + b);
    }
}

TEST(vendor_forms, ISA_03_upper_words_of_sign_extended_sums)
{
    lab bench = with_numbers(
        "LEA R10, P0, R1, R2, 0x3; LEA.HI.X.SX32 R11, R1, R3, 0x3, P0; LEA.HI.SX32 R12, R1, R2, 0x1c;", 12);
    bench.run();
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const auto wide = static_cast<std::uint64_t>(as_signed(bench[1][i]));
        const std::uint64_t other = bench.pair(2, i);
        EXPECT_EQ(bench.pair(10, i), (wide << 3) + other);
        EXPECT_EQ(bench[12][i], static_cast<word>(wide << 28 >> 32) + bench[2][i]);
    }
}

TEST(vendor_forms, ISA_03_halves_and_floats_in_one_instruction)
{
    // 1.5 and -2 in R1, 0.25 and 3 in R2; 0.1 as a float in R3.
    lab bench = turing("HMUL2.F32 R10, R1, R2; HFMA2.F32 R11, R1, R2, R1.H1_H1; HADD2 R12, R3.F32, -RZ.H0_H0;"
                       "HMUL2 R13, R3.F32, R2; HMUL2.F32.SAT R14, R1, R1;");
    bench.fill(1, {0xc0003e00, 0x42003400, to_bits(0.1F)});
    bench.run();
    EXPECT_EQ(to_float(bench[10][0]), 1.5F * 0.25F);
    EXPECT_EQ(to_float(bench[11][0]), 1.5F * 0.25F - 2.0F);
    EXPECT_EQ(bench[12][0], 0x2e662e66U);  // 0.1 rounded to a half, twice
    EXPECT_EQ(bench[13][0], 0x34cd'2666U); // 0.3 and 0.025
    EXPECT_EQ(to_float(bench[14][0]), 1.0F);
}

TEST(vendor_forms, ISA_03_words_narrowed_with_saturation)
{
    lab bench =
        with_numbers("I2I.U8.S32.SAT R10, R1; I2I.S8.S32.SAT R11, R1; I2I.U16.S32.SAT R12, R1;"
                     "I2I.S16.S32.SAT R13, R1; I2IP.S8.S32.SAT R14, R1, R2, R3; I2IP.U8.S32.SAT R15, R1, R2, RZ;",
                     13);
    for (unsigned i = 0; i < 16; ++i) bench[1][i] = static_cast<word>(i * 40) - 300U;
    bench.run();
    const auto clamped = [](std::int64_t value, std::int64_t low, std::int64_t high) {
        return static_cast<word>(value < low ? low : value > high ? high : value);
    };
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const std::int64_t a = as_signed(bench[1][i]), b = as_signed(bench[2][i]);
        EXPECT_EQ(bench[10][i], clamped(a, 0, 255));
        EXPECT_EQ(bench[11][i], clamped(a, -128, 127));
        EXPECT_EQ(bench[12][i], clamped(a, 0, 65535));
        EXPECT_EQ(bench[13][i], clamped(a, -32768, 32767));
        EXPECT_EQ(bench[14][i],
                  bench[3][i] << 16 | (clamped(a, -128, 127) & 0xffU) << 8 | (clamped(b, -128, 127) & 0xffU));
        EXPECT_EQ(bench[15][i], clamped(a, 0, 255) << 8 | clamped(b, 0, 255));
    }
}

TEST(vendor_forms, ISA_03_not_a_number_to_zero)
{
    lab bench = turing("F2I.S64.TRUNC.NTZ R10, R1; F2I.S64.TRUNC R12, R1;");
    bench.fill(1, 0x7fc00000);
    bench.run();
    EXPECT_EQ(bench[10][0], 0U);
    EXPECT_EQ(bench[11][0], 0U);
    EXPECT_EQ(bench[13][0], 0x80000000U);
}

} // namespace
} // namespace isbesim::isa

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

} // namespace
} // namespace isbesim::isa

// SPDX-License-Identifier: Apache-2.0
// The uniform data path of SM75: words as the vendor's disassembler lists them (cloudcores/CuAssembler) or NAK encodes
// them, addresses, scheduling. Results of instructions: cases/registers.txt.
#include <cstdint>

#include <gtest/gtest.h>

#include "models/memory/global_memory.h"
#include "tests/isa/lab.h"
#include "tests/isa/listed_word.h"

namespace isbesim::isa {
namespace {

TEST(uniform, ISA_02_words_of_listings)
{
    const listed_word listed[] = {
        {"S2UR UR4, SR_CTAID.X", 0x2500, 0x00000000000479c3},
        {"ULDC UR5, c[0x0][0x0]", 0x800, 0x0000000000057ab9},
        {"ULDC.U8 UR4, c[0x0][0x1a0]", 0x0, 0x0000680000047ab9},
        {"ULDC.S8 UR4, c[0x0][0x1c5]", 0x200, 0x0000714000047ab9},
        {"UIMAD UR4, UR5, UR7, -UR4", 0xf8e0a04, 0x00000007050472a4},
        {"UIMAD.WIDE.U32.X UR4, UR10, -0x55555556, UR8, UP0", 0x80e0408, 0xaaaaaaaa0a0478a5},
        {"UIMAD.WIDE UR6, UR6, 0x10, UR8", 0xf8e0208, 0x00000010060678a5},
        {"ISETP.NE.AND P0, PT, R0, UR4, PT", 0xbf05270, 0x0000000400007c0c},
        {"USHF.R.S32.HI UR4, URZ, 0x1f, UR4", 0x8011404, 0x0000001f3f047899},
        {"USHF.L.U64.HI UR6, UR4, UR6, UR5", 0x8010205, 0x0000000604067299},
        {"IADD3.X R34, R34, ~UR6, ~R43, P5, P4", 0xafe8c2b, 0x8000000622227c10},
        {"UMOV UR8, UR6", 0x8000000, 0x0000000600087c82},
        {"UMOV UR4, 0xc0", 0x0, 0x000000c000047882},
        {"I2F.F64.S16 R4, UR4.H1", 0x8101c00, 0x1000000400047d12},
        {"ULEA UR5, UP0, UR4, UR8, 0x3", 0xf80183f, 0x0000000804057291},
        {"@UP0 ULEA.HI.X UR5, UR21, UR5, URZ, 0x3, UP2", 0x90f1c3f, 0x0000000515050291},
        {"ULEA.HI.X.SX32 UR13, UR5, UR13, 0x1, UP1", 0x88f0e3f, 0x0000000d050d7291},
        {"@!UP0 UIADD3 UR4, URZ, UR5, URZ", 0xfffe03f, 0x000000053f048290},
        {"UIADD3 UR5, -UR10, -0x2, -UR4", 0xfffe904, 0xfffffffe0a057890},
        {"UIADD3.X UR11, UR15, UR5, ~UR11, UP1, UP0", 0x8fe0c0b, 0x000000050f0b7290},
        {"UISETP.LT.U32.OR UP0, UPT, UR5, UR4, !UP0", 0xc701470, 0x000000040500728c},
        {"UISETP.NE.AND.EX UP1, UPT, URZ, UR5, UPT, UP1", 0xbf25310, 0x000000053f00728c},
        {"@!UP4 USEL UR6, UR7, UR9, UP3", 0x9800000, 0x000000090706c287},
        {"ULOP3.LUT UR6, UR4, 0xfffffffe, URZ, 0xc0, !UPT", 0xf8ec03f, 0xfffffffe04067892},
        {"R2UR UR10, R5", 0xe0000, 0x00000000050a73c2},
        {"FFMA R34, R23, -UR8, R34", 0x8000022, 0x8000000817227c23},
        {"FADD.FTZ R156, -RZ, |UR6|", 0x8010100, 0x40000006ff9c7e21},
        {"DFMA R16, R16, |UR18|, R16", 0x8000010, 0x4000001210107c2b},
        {"VOTEU.ANY UP0, P0", 0x100, 0x00000000003f7886},
        {"VOTEU.ALL UR4, UPT, PT", 0x38e0000, 0x0000000000047886},
        {"@!UP1 UPLOP3.LUT UP0, UPT, UPT, UPT, UP2, 0x80, 0x0", 0x3f0f020, 0x000000000000989c},
        {"PLOP3.LUT P1, PT, PT, PT, UP1, 0x80, 0x0", 0x3f2f018, 0x000000000000781c},
        {"UPRMT UR6, UR6, 0x7604, UR4", 0x8000004, 0x0000760406067896},
        {"LEA.HI.X R39, R2, R39, 0xffffffff, 0x3, P0", 0xf1c27, 0xffffffff02277411},
        {"LEA.HI R93, R93, UR8, RZ, 0x1d", 0xf8fe8ff, 0x000000085d5d7c11},
        // NAK's OpLdc and sources with BindlessUGPR.
        {"LDC.64 R2, cx[UR6][0x10], R5", 0x8000a05, 0x0000040006027582},
        {"ULDC UR4, cx[UR6][0x24]", 0x8000800, 0x0000090006047ab9},
        {"FADD R1, R2, cx[UR4][0x30]", 0x8000000, 0x00000c0402017621},
    };
    for (const auto& each : listed) expect_both_ways(architecture::sm75, each);
}

TEST(uniform, ISA_02_words_with_a_uniform_register_in_the_address)
{
    const listed_word listed[] = {
        // Words that NAK made; the vendor's listings of CUDA programs write the sums so.
        {"LDG.E.128.CONSTANT.SYS R8, [R4.64+URZ]", 0xc1e6d00, 0x0000003f04087981},
        {"LDG.E.128.CONSTANT.SYS R4, [R3.U32+UR0]", 0x81e6d00, 0x0000000003047981},
        {"LDG.E.128.STRONG.GPU R4, [R0.U32+UR0]", 0x81f4d00, 0x0000000000047981},
        {"STG.E.128.STRONG.GPU [R1.U32+UR0], R12", 0x8114d00, 0x0000000c01007986},
        {"STL.128 [URZ], R0", 0x8100c3f, 0x00000000ff007987},
        {"LDL.128 R8, [R0+URZ]", 0x8100c00, 0x0000003f00087983},
        {"ATOMG.E.ADD.STRONG.GPU PT, R3, [R4.U32+UR0], R3", 0x81f4100, 0x00000003040379a8},
        {"ATOMG.E.MAX.STRONG.GPU PT, R1, [UR0+0x44], R6", 0x91f4100, 0x00004406ff0179a8},
        {"ATOMG.E.EXCH.STRONG.GPU PT, R2, [UR0+0x48], R3", 0xc1f4100, 0x00004803ff0279a8},
        {"LDS R41, [R8+UR4+0x100]", 0x8000800, 0x0001000408297984},
        {"LDS R9, [R10+URZ]", 0x8000800, 0x0000003f0a097984},
        {"STS [R8+URZ], R2", 0x800083f, 0x0000000208007988},
        // The fields of NAK's OpLd, OpSt and OpAtom.
        {"LDG.E.U8.SYS R8, [R4.U32+UR6+0x2200], !P1", 0x81ee10e, 0x0022000604087981},
        {"LDG.64.STRONG.SYS R8, [R4.64+UR6+-0x8]", 0xc1f6a00, 0xfffff80604087981},
        {"RED.E.ADD.STRONG.GPU [R4.64+UR2+-0x8], R3", 0xc114102, 0xfffff8030400798e},
        {"STS.64 [R8.X4+UR3+0x10], R2", 0x8004a03, 0x0000100208007988},
        {"ATOMG.E.ADD.S32.STRONG.GPU PT, R3, [R4.64+UR62], R3", 0x81f437e, 0x00000003040379a8},
        {"ATOMS.MAX.S32 R1, [R2+UR4], R5", 0x9000204, 0x000000050201798c},
    };
    for (const auto& each : listed) expect_both_ways(architecture::sm75, each);
    // A sum of one word may be written without its size.
    EXPECT_EQ(parse_instruction("LDG.E.SYS R4, [R3+UR0]", architecture::sm75, 0).word,
              parse_instruction("LDG.E.SYS R4, [R3.U32+UR0]", architecture::sm75, 0).word);
    for (const char* text : {"LDG.E.SYS R0, [R4.64];", "LDG.E.SYS R0, [R4.64+UR63];", "LDG.E.SYS R0, [R4.128+UR2];",
                             "STL [R4.64+UR2], R0;", "LDG.E.SYS R0, [UR2+R4];", "ST.E.SYS [R4.64+UR2], R0;",
                             "ATOMG.E.CAS.STRONG.GPU PT, R3, [R4.U32+UR0], R3, R5;", "AST a[R0+UR2], R1;"})
        EXPECT_THROW(assemble(text, architecture::sm75), program_error) << text;
}

TEST(uniform, ISA_03_addresses_are_sums)
{
    // UR4 and UR5: the buffer's address; UR6: 4 below 2^32; R2 and R3: the same pair; R0: four times the lane.
    lab bench = turing("STG.E.STRONG.GPU [R0.U32+UR4], R0; LDG.E.STRONG.GPU R4, [R2.64+URZ+0x4];"
                       "LDG.E.STRONG.GPU R5, [R0.U32+UR4+0x4], P1; LDG.STRONG.GPU R6, [R2.64+UR7];"
                       "ATOMG.E.ADD.STRONG.GPU PT, R7, [UR4+0x10], R1; RED.E.ADD.STRONG.GPU [UR4+0x14], R1;"
                       "STL [R0+UR7], R0; LDL R8, [R0+UR7]; LDL R9, [UR7+0x4]; STS [R0+UR7], R0; LDS R10, [R0+UR7-0x4];"
                       "ATOMS.ADD R11, [UR7], R1; LDG.STRONG.GPU R12, [R13.U32+UR8];");
    global_memory memory;
    constexpr std::uint64_t address = 0x2'ffff'fff0;
    memory.add(address, std::vector<std::uint8_t>(256));
    memory.add(0x40, std::vector<std::uint8_t>{1, 2, 3, 4});
    bench.warp.global = &memory;
    bench.warp.shared.assign(256, 0);
    bench.warp.local.resize(64);
    for (unsigned i = 0; i < warp_lanes; ++i) bench[0][i] = 4 * i;
    bench.fill(1, 1);
    bench.fill_pair(2, address);
    bench.fill(13, 0xfffffff0U);
    bench.warp.predicates[1] = 0xffff;
    bench.warp.uniform[4] = static_cast<word>(address);
    bench.warp.uniform[5] = static_cast<word>(address >> 32);
    bench.warp.uniform[7] = 8;
    bench.warp.uniform[8] = 0x50; // without .E and .64 the sum has 32 bits
    bench.run();
    for (unsigned i = 0; i + 1 < warp_lanes; ++i) {
        EXPECT_EQ(bench[4][i], 4U) << "the same address in all lanes";
        EXPECT_EQ(bench[5][i], i < 16 ? 4 * i + 4 : 0) << i;
        EXPECT_EQ(bench[6][i], 8U);
        EXPECT_EQ(bench[8][i], 4 * i);
        EXPECT_EQ(bench[9][i], i == 1 ? 4U : 0U) << "local memory is each lane's own";
        EXPECT_EQ(bench[10][i], i == 0 ? 0 : 4 * i - 4);
        EXPECT_EQ(bench[12][i], 0x04030201U);
    }
    EXPECT_EQ(bench[7][0], 16U);
    EXPECT_EQ(bench[7][31], 47U);
    EXPECT_EQ(bench[11][3], 3U);
    word reduced = 0;
    std::memcpy(&reduced, memory.find(address + 0x14, 4), 4);
    EXPECT_EQ(reduced, 20U + warp_lanes);
}

TEST(uniform, ISA_01_guards_and_registers_of_the_other_kind_are_errors)
{
    for (const char* text : {"@P0 UMOV UR4, 0x1;", "@UP0 MOV R4, 0x1;", "@UP0 R2UR UR1, R0;", "UMOV UR63, 0x1;",
                             "UMOV R4, 0x1;", "UIADD3 UR1, UR2, R3, UR4;", "FADD R1, UR2, R3;",
                             "UISETP.EQ.AND P0, UPT, UR1, UR2, UPT;", "ULDC UR1, cx[R2][0x0];"})
        EXPECT_THROW(assemble(text, architecture::sm75), program_error) << text;
}

TEST(uniform, ISA_03_launch_clears_uniform_registers)
{
    lab bench = turing("UMOV UR3, 0x5; UMOV UR62, 0x6; UISETP.EQ.AND UP2, UPT, URZ, URZ, UPT;");
    bench.run();
    ASSERT_EQ(bench.warp.uniform[3], 5U);
    ASSERT_EQ(bench.warp.uniform[62], 6U);
    ASSERT_EQ(bench.warp.uniform_predicates[2], all_lanes);
    bench.warp.launch(bench.code, all_lanes, 0);
    for (const word each : bench.warp.uniform) EXPECT_EQ(each, 0U);
    for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(bench.warp.uniform_predicates[i], i == 7 ? all_lanes : 0U) << i;
}

TEST(uniform, ISA_04_addresses_read_their_registers)
{
    const auto issue = [](const char* text) { return parse_instruction(text, architecture::sm75, 0).issue; };
    const auto pair = issue("LDG.E.SYS R0, [R4.64+UR8]"), one = issue("LDG.SYS R0, [R4.U32+UR8]"),
               none = issue("LDG.E.SYS R0, [R4.64+URZ]"), local = issue("STL.64 [UR3], R6");
    const auto reads = [](const issue_info& info, unsigned first, unsigned count) {
        EXPECT_EQ(info.uniform_reads[0].first, first);
        EXPECT_EQ(info.uniform_reads[0].count, count);
    };
    EXPECT_EQ(pair.reads[0].count, 2U);
    reads(pair, 8, 2);
    EXPECT_EQ(one.reads[0].count, 1U);
    reads(one, 8, 1);
    reads(none, 0, 0);
    reads(local, 3, 1);
    reads(issue("LDG.E.SYS R0, [R4.64+UR62]"), 62, 1);
    reads(parse_instruction("LDG.E R0, [R4.64+UR78]", architecture::sm120, 0).issue, 78, 2);
    EXPECT_EQ(local.reads[0].first, 6U);
    EXPECT_EQ(local.reads[0].count, 2U);
}

TEST(uniform, ISA_04_uniform_results_are_waited_for)
{
    const program code = assemble("R2UR UR1, R0; UIADD3 UR2, UR1, 0x1, URZ; IADD3 R3, R4, UR2, RZ;"
                                  "UISETP.EQ.AND UP0, UPT, UR2, URZ, UPT; @UP0 UMOV UR5, 0x1; EXIT;",
                                  architecture::sm75, {true});
    EXPECT_EQ(code.code[1].issue.uniform_reads[0].first, 1U);
    EXPECT_EQ(code.code[1].issue.uniform_writes.first, 2U);
    EXPECT_EQ(code.code[4].issue.uniform_predicate_reads, 1U << 0);
    const unsigned barrier = code.code[0].control.write_barrier;
    ASSERT_LT(barrier, 6U);
    EXPECT_NE(code.code[1].control.wait_mask & 1U << barrier, 0);
    EXPECT_GE(code.code[1].control.stall, 6);
    EXPECT_GE(code.code[3].control.stall, 6);
}

// Forms that the sample programs lack: words as the vendor's disassembler lists them (cloudcores/CuAssembler), and what
// the forms do. Expected values are sums and comparisons of wider host types.

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

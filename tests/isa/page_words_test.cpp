// SPDX-License-Identifier: Apache-2.0
// Every form of the instruction pages as literal words, both ways: text as written by hand -> word, word -> text as
// nvdisasm prints it. The words of section G are in HARDWARE.md; the others were put together field by field from the
// tables of HARDWARE.md B.1 and B.2, by hand, and by nothing that the assembler shares.
#include <gtest/gtest.h>

#include "models/isa/encoding/binary.h"
#include "models/isa/encoding/codec.h"
#include "models/isa/text/text.h"
#include "tests/support/bytes.h"

namespace isbesim::isa {
namespace {

struct maxwell_form {
    const char* text;
    std::uint64_t word;
    const char* printed;
};

// HARDWARE.md section G, E20.
const maxwell_form maxwell_examples[] = {
    {"ALD.128 R4,a[0x80],RZ;", 0xefd9ff800807ff04, "ALD.128 R4, a[0x80]"},
    {"ALD.32 R0,a[0x70],R5;", 0xefd802800707ff00, "ALD R0, a[0x70], R5"},
    {"ALD.O.P.64 R2,a[R1+0x20],RZ;", 0xefd8ff8182070102, "ALD.O.P.64 R2, a[R1+0x20]"},
    {"ALD.P.64 R2,a[R0-0x10];", 0xefd8ff80ff070002, "ALD.P.64 R2, a[R0+-0x10]"},
    {"ALD.PHYS R1,a[R1],RZ;", 0xefd87f8000070101, "ALD.PHYS R1, a[R1]"},
    {"AST.128 a[0x70],R4;", 0xeff1ff800707ff04, "AST.128 a[0x70], R4"},
    {"AST a[0x80],R4,R0;", 0xeff000000807ff04, "AST a[0x80], R4, R0"},
    {"AST.P.64 a[R0-0x10],R2;", 0xeff0ff80ff070002, "AST.P.64 a[R0+-0x10], R2"},
    {"BAR.SYNC RZ;", 0xf0a803800007ff00, "BAR.SYNC RZ"},
    {"BAR.SYNC RZ, RZ;", 0xf0a803800ff7ff00, "BAR.SYNC RZ, RZ"},
    {"AL2P R1,R0,0x80;", 0xefa0700008070001, "AL2P R1, R0, 0x80"},
    {"AL2P.O R1,R0,-32;", 0xefa070017e070001, "AL2P.O R1, R0, -0x20"},
    {"ISBERD R3,[R2];", 0xefd0000000070203, "ISBERD R3, [R2]"},
    {"OUT.EMIT R0,R0,0x1;", 0xf6e0008000170000, "OUT.EMIT R0, R0, 0x1"},
    {"OUT.CUT R0,R0,RZ;", 0xfbe001000ff70000, "OUT.CUT R0, R0, RZ"},
    {"OUT.EMIT_THEN_CUT R0,R0,0x0;", 0xf6e0018000070000, "OUT.EMIT_THEN_CUT R0, R0, 0x0"},
};

// HARDWARE.md B.1.
const maxwell_form maxwell_forms[] = {
    {"ALD R0,a[16];", 0xefd87f800107ff00, "ALD R0, a[0x10]"},
    {"ALD.I.32 R0, a[0x10], RZ;", 0xefd87f800107ff00, "ALD R0, a[0x10]"},
    {"ALD.64 R4, a[0x78];", 0xefd8ff800787ff04, "ALD.64 R4, a[0x78]"},
    {"ALD.96 R8, a[0x90], R3;", 0xefd901800907ff08, "ALD.96 R8, a[0x90], R3"},
    {"ALD.128 R252, a[0x3f0], R254;", 0xefd9ff003f07fffc, "ALD.128 R252, a[0x3f0], R254"},
    {"ALD R1, a[0x3ff];", 0xefd87f803ff7ff01, "ALD R1, a[0x3ff]"},
    {"ALD RZ, a[0x0], R0;", 0xefd800000007ffff, "ALD RZ, a[RZ], R0"},
    {"ALD.O R6, a[0x2f0], R7;", 0xefd803812f07ff06, "ALD.O R6, a[0x2f0], R7"},
    {"ALD.O.128 R4, a[0x80];", 0xefd9ff810807ff04, "ALD.O.128 R4, a[0x80]"},
    {"ALD.P R5, a[0x14];", 0xefd87f808147ff05, "ALD.P R5, a[0x14]"},
    {"ALD.P R0,a[R1+4],R5;", 0xefd8028080470100, "ALD.P R0, a[R1+0x4], R5"},
    {"ALD.P R1, a[R2-0x400];", 0xefd87f80c0070201, "ALD.P R1, a[R2+-0x400]"},
    {"ALD.P.128 R4, a[R2+0x3ff];", 0xefd9ff80bff70204, "ALD.P.128 R4, a[R2+0x3ff]"},
    {"ALD.O.P.96 R4, a[R9-4];", 0xefd97f81ffc70904, "ALD.O.P.96 R4, a[R9+-0x4]"},
    {"ALD R0,a[R1],R5;", 0xefd8028000070100, "ALD.PHYS R0, a[R1], R5"},
    {"ALD.I.PHYS.64   R2,  a[R0] ;", 0xefd8ff8000070002, "ALD.PHYS.64 R2, a[R0]"},
    {"ALD.O.PHYS R2, a[R0], R3;", 0xefd8018100070002, "ALD.O.PHYS R2, a[R0], R3"},
    {"@P3 ALD.64 R4, a[0x78];", 0xefd8ff800783ff04, "@P3 ALD.64 R4, a[0x78]"},
    {"@!P0 ALD R4, a[R4];", 0xefd87f8000080404, "@!P0 ALD.PHYS R4, a[R4]"},
    {"AST.128     a[64   ],R1;", 0xeff1ff800407ff01, "AST.128 a[0x40], R1"},
    {"AST a[0x3fc], RZ;", 0xeff07f803fc7ffff, "AST a[0x3fc], RZ"},
    {"AST.64 a[0x88], R6;", 0xeff0ff800887ff06, "AST.64 a[0x88], R6"},
    {"AST.96 a[0x80],R4,R0;", 0xeff100000807ff04, "AST.96 a[0x80], R4, R0"},
    {"AST.P a[0x20], R4;", 0xeff07f808207ff04, "AST.P a[0x20], R4"},
    {"AST.P.64    a[R0-16],R1;", 0xeff0ff80ff070001, "AST.P.64 a[R0+-0x10], R1"},
    {"AST.P.128 a[R7+0x3f0], R8;", 0xeff1ff80bf070708, "AST.P.128 a[R7+0x3f0], R8"},
    {"AST.PHYS.32 a[R0   ],R1, R2;", 0xeff0010000070001, "AST.PHYS a[R0], R1, R2"},
    {"AST.PHYS.128 a[R0], R4;", 0xeff1ff8000070004, "AST.PHYS.128 a[R0], R4"},
    {"@P6 AST a[0x70], R4, R0;", 0xeff000000706ff04, "@P6 AST a[0x70], R4, R0"},
    {"@!PT AST a[0x70], R4;", 0xeff07f80070fff04, "@!PT AST a[0x70], R4"},
    {"AL2P.I.64       R0,  R1, 12;", 0xefa0f00000c70100, "AL2P.64 R0, R1, 0xc"},
    {"AL2P.O.128      R0,  R1, -32;", 0xefa1f0017e070100, "AL2P.O.128 R0, R1, -0x20"},
    {"AL2P.96 R3, R4, 0x3ff;", 0xefa170003ff70403, "AL2P.96 R3, R4, 0x3ff"},
    {"AL2P R3, RZ, -0x400;", 0xefa070004007ff03, "AL2P R3, RZ, -0x400"},
    {"AL2P P2, R1, R0, 0x80;", 0xefa0200008070001, "AL2P P2, R1, R0, 0x80"},
    {"@P1 AL2P.O R1, R0, 0x70;", 0xefa0700107010001, "@P1 AL2P.O R1, R0, 0x70"},
    {"ISBERD.MAP.U8 R3, [R2];", 0xefd0000000070203, "ISBERD R3, [R2]"},
    {"ISBERD.MAP.U16 R3, [RZ];", 0xefd080000007ff03, "ISBERD.U16 R3, [RZ]"},
    {"ISBERD.O.MAP.32 R3, [R2];", 0xefd1000100070203, "ISBERD.O.32 R3, [R2]"},
    {"ISBERD.PATCH.32 R3, [R2];", 0xefd1000200070203, "ISBERD.PATCH.32 R3, [R2]"},
    {"ISBERD.I.PRIM.U16 R3, [R2];", 0xefd0800400070203, "ISBERD.PRIM.U16 R3, [R2]"},
    {"ISBERD.O.ATTR.SKEW.32 R3, [R2];", 0xefd1000780070203, "ISBERD.O.ATTR.SKEW.32 R3, [R2]"},
    {"@!P5 ISBERD R3, [R2];", 0xefd00000000d0203, "@!P5 ISBERD R3, [R2]"},
    {"OUT.EMIT R0,R0,0x1;", 0xf6e0008000170000, "OUT.EMIT R0, R0, 0x1"},
    {"OUT.CUT  R0,R0,RZ;", 0xfbe001000ff70000, "OUT.CUT R0, R0, RZ"},
    {"OUT.EMIT_THEN_CUT R2, R1, R3;", 0xfbe0018000370102, "OUT.EMIT_THEN_CUT R2, R1, R3"},
    {"OUT.EMIT R0, RZ, R5;", 0xfbe000800057ff00, "OUT.EMIT R0, RZ, R5"},
    {"OUT.EMIT R0, R0, -0x1;", 0xf7e000fffff70000, "OUT.EMIT R0, R0, -0x1"},
    {"OUT.EMIT R0, R0, 0xfffff;", 0xf7e000fffff70000, "OUT.EMIT R0, R0, -0x1"},
    {"OUT.CUT R1, R2, 0x80001;", 0xf7e0010000170201, "OUT.CUT R1, R2, -0x7ffff"},
    {"OUT.INVALID R0, R1, R2;", 0xfbe0000000270100, "OUT.INVALID R0, R1, R2"},
    {"OUT R0, R1, 0x2;", 0xf6e0000000270100, "OUT.INVALID R0, R1, 0x2"},
    {"OUT.EMIT R0, R0, 0x7ffff;", 0xf6e000fffff70000, "OUT.EMIT R0, R0, 0x7ffff"},
    {"OUT.EMIT R0, R0, -0x80000;", 0xf7e0008000070000, "OUT.EMIT R0, R0, -0x80000"},
    {"OUT.EMIT_THEN_CUT R0, R0, c[0x2][0x14];", 0xebe0018800570000, "OUT.EMIT_THEN_CUT R0, R0, c[0x2][0x14]"},
    {"OUT.CUT R0, R0, c[0x1f][0xfffc];", 0xebe0017ffff70000, "OUT.CUT R0, R0, c[0x1f][0xfffc]"},
    {"@P2 OUT.EMIT R0, R0, 0x0;", 0xf6e0008000020000, "@P2 OUT.EMIT R0, R0, 0x0"},
};

struct turing_form {
    const char* text;
    std::uint64_t high, low;
    const char* printed;
    bool since_sm86 = false; ///< has an address offset that SM75 lacks
};

// HARDWARE.md section G, E21.
const turing_form turing_examples[] = {
    {"ALD.128 R4,a[0x80],RZ &wr=0;", 0x000e020000000c00, 0x000080ffff047321, "ALD.128 R4, a[0x80]"},
    {"ALD R0,a[0x70],R5 &wr=0;", 0x000e020000000000, 0x00007005ff007321, "ALD R0, a[0x70], R5"},
    {"ALD.O.P.64 R2,a[R1+0x20],RZ &wr=0;", 0x000e020000009400, 0x000020ff01027321, "ALD.O.P.64 R2, a[R1+0x20]"},
    {"ALD.PHYS R1,a[R1],RZ &wr=0;", 0x000e020000002000, 0x000000ff01017321, "ALD.PHYS R1, a[R1]"},
    {"AST.128 a[0x70],R4 &rd=1;", 0x0003c20000000cff, 0x00007004ff007322, "AST.128 a[0x70], R4"},
    {"AST a[0x80],R4,R0 &rd=1;", 0x0003c20000000000, 0x00008004ff007322, "AST a[0x80], R4, R0"},
    {"AL2P R1,R0,0x80 &wr=0;", 0x000e020000000000, 0x0000800000017920, "AL2P R1, R0, 0x80"},
    {"ISBERD.MAP.U8 R3,[R2] &wr=0;", 0x000e020000000000, 0x0000000002037923, "ISBERD R3, [R2]"},
    {"ISBERD.O.ATTR.SKEW.32 R3,[R2] &wr=0;", 0x000e02000000f800, 0x0000000002037923, "ISBERD.O.ATTR.SKEW.32 R3, [R2]"},
    {"ISBEWR.O.MAP.32 [RZ+0x3],R1 &rd=1;", 0x0003c20000008800, 0x00000301ff007927, "ISBEWR.O.32 [0x3], R1", true},
    {"ISBEWR.O.ATTR.SKEW.32 [R2+0x42],R1 &rd=1;", 0x0003c2000000f800, 0x0000420102007927,
     "ISBEWR.O.ATTR.SKEW.32 [R2+0x42], R1", true},
    {"OUT.EMIT R0,R0,0x1 &wr=0;", 0x000e020000004000, 0x0000000100007924, "OUT.EMIT R0, R0, 0x1"},
    {"OUT.CUT R0,R0,RZ &wr=0;", 0x000e020000008000, 0x000000ff00007324, "OUT.CUT R0, R0, RZ"},
    {"OUT.EMIT_THEN_CUT R0,R0,0x0 &wr=0;", 0x000e02000000c000, 0x0000000000007924, "OUT.EMIT_THEN_CUT R0, R0, 0x0"},
    {"OUT.FINAL RZ,R0,RZ;", 0x000fc20000000000, 0x000000ff00ff7324, "OUT.FINAL R0"},
    // Not in section G: words that nvdisasm prints so in public listings.
    {"BAR.SYNC 0x0 ?stall=6 ;", 0x000fcc0000000000, 0x0000000000007b1d, "BAR.SYNC 0x0"},
    // nouveau's own.
    {"BAR.SYNC RZ, RZ ?stall=6 ;", 0x000fcc0003800000, 0x000000ff0000731d, "BAR.SYNC RZ, RZ"},
    {"BAR.SYNC.DEFER_BLOCKING 0x1 ?stall=6 ;", 0x000fcc0000010000, 0x0040000000007b1d, "BAR.SYNC.DEFER_BLOCKING 0x1"},
};

// HARDWARE.md B.2.
const turing_form turing_forms[] = {
    {"ALD.96 R8, a[0x90], R3 &wr=0;", 0x000e020000000800, 0x00009003ff087321, "ALD.96 R8, a[0x90], R3"},
    {"ALD.I.64 R4, a[0x78] &wr=2;", 0x000e820000000400, 0x000078ffff047321, "ALD.64 R4, a[0x78]"},
    {"ALD.128 R252, a[0x3f0], R254 &wr=0;", 0x000e020000000c00, 0x0003f0fefffc7321, "ALD.128 R252, a[0x3f0], R254"},
    {"ALD.O R6, a[0x2f0], R7 &wr=1;", 0x000e420000008000, 0x0002f007ff067321, "ALD.O R6, a[0x2f0], R7"},
    {"ALD.P R5, a[0x14] &wr=0;", 0x000e020000001000, 0x000014ffff057321, "ALD.P R5, a[0x14]"},
    {"ALD.P R1, a[R2-0x10] &wr=0;", 0x000e020000001000, 0x0007f0ff02017321, "ALD.P R1, a[R2+-0x10]"},
    {"ALD.O.PHYS R2, a[R0], R3 &wr=0;", 0x000e02000000a000, 0x0000000300027321, "ALD.O.PHYS R2, a[R0], R3"},
    {"ALD.PHYS.64 R2, a[R0] &wr=0;", 0x000e020000002400, 0x000000ff00027321, "ALD.PHYS.64 R2, a[R0]"},
    {"@P3 ALD R4, a[0x78] &wr=0;", 0x000e020000000000, 0x000078ffff043321, "@P3 ALD R4, a[0x78]"},
    {"@!P0 ALD R4, a[0x78] &req=0x21 &rd=3 &wr=5 ?stall=9 ?yield;", 0x0217720000000000, 0x000078ffff048321,
     "@!P0 ALD R4, a[0x78]"},
    {"AST.64 a[0x88], R6 &rd=0;", 0x0001c200000004ff, 0x00008806ff007322, "AST.64 a[0x88], R6"},
    {"AST.96 a[0x80], R4, R0 &rd=2;", 0x0005c20000000800, 0x00008004ff007322, "AST.96 a[0x80], R4, R0"},
    {"AST.P.64 a[R0-0x10], R2 &rd=1;", 0x0003c200000014ff, 0x0007f00200007322, "AST.P.64 a[R0+-0x10], R2"},
    {"AST.P a[0x20], R4 &rd=1;", 0x0003c200000010ff, 0x00002004ff007322, "AST.P a[0x20], R4"},
    {"AST.PHYS a[R0], R1, R2 &rd=1;", 0x0003c20000002002, 0x0000000100007322, "AST.PHYS a[R0], R1, R2"},
    {"@!P6 AST a[0x3fc], RZ &req=0x3f &rd=4 ?stall=15;", 0x03f9de00000000ff, 0x0003fcffff00e322,
     "@!P6 AST a[0x3fc], RZ"},
    {"AL2P.I.64 R0, R1, 12 &wr=0;", 0x000e020000000400, 0x00000c0001007920, "AL2P.64 R0, R1, 0xc"},
    {"AL2P.O.128 R0, R1, -32 &wr=0;", 0x000e020000008c00, 0x0007e00001007920, "AL2P.O.128 R0, R1, -0x20"},
    {"AL2P.96 R3, RZ, 0x3ff &wr=0;", 0x000e020000000800, 0x0003ff00ff037920, "AL2P.96 R3, RZ, 0x3ff"},
    {"ISBERD.U16 R3, [R2] &wr=0;", 0x000e020000000400, 0x0000000002037923, "ISBERD.U16 R3, [R2]"},
    {"ISBERD.PATCH.32 R3, [R2] &wr=0;", 0x000e020000001800, 0x0000000002037923, "ISBERD.PATCH.32 R3, [R2]"},
    {"ISBERD.O.PRIM R3, [RZ] &wr=0;", 0x000e02000000a000, 0x00000000ff037923, "ISBERD.O.PRIM R3, [RZ]"},
    {"ISBERD.ATTR.32 R3, [R2+0x7fff] &wr=0;", 0x000e020000003800, 0x007fff0002037923, "ISBERD.ATTR.32 R3, [R2+0x7fff]",
     true},
    {"ISBERD.ATTR.32 R3, [R2-0x10] &wr=0;", 0x000e020000003800, 0x00fff00002037923, "ISBERD.ATTR.32 R3, [R2+-0x10]",
     true},
    {"ISBEWR.O.MAP.U8 [R2], R1 &rd=1;", 0x0003c20000008000, 0x0000000102007927, "ISBEWR.O [R2], R1"},
    {"ISBEWR.O.ATTR.32 [R2], R1 &rd=1;", 0x0003c2000000b800, 0x0000000102007927, "ISBEWR.O.ATTR.32 [R2], R1"},
    {"ISBEWR.O.ATTR.U16 [R2+0x10], RZ &rd=0;", 0x0001c2000000b400, 0x000010ff02007927,
     "ISBEWR.O.ATTR.U16 [R2+0x10], RZ", true},
    {"@P1 ISBEWR.O.MAP.32 [R2], R1 &rd=1;", 0x0003c20000008800, 0x0000000102001927, "@P1 ISBEWR.O.32 [R2], R1"},
    {"OUT.EMIT R0, R0, R5 &wr=0;", 0x000e020000004000, 0x0000000500007324, "OUT.EMIT R0, R0, R5"},
    {"OUT.CUT R0, R0, 0x3 &wr=0;", 0x000e020000008000, 0x0000000300007924, "OUT.CUT R0, R0, 0x3"},
    {"OUT.EMIT R2, R0, -0x1 &wr=0;", 0x000e020000004000, 0xffffffff00027924, "OUT.EMIT R2, R0, -0x1"},
    {"OUT.EMIT_THEN_CUT R2, R1, R3 &wr=3;", 0x000ec2000000c000, 0x0000000301027324, "OUT.EMIT_THEN_CUT R2, R1, R3"},
    {"OUT.FINAL R0;", 0x000fc20000000000, 0x0000000000ff7324, "OUT.FINAL R0"},
    {"@P2 OUT.EMIT R0, R0, 0x0 &wr=0;", 0x000e020000004000, 0x0000000000002924, "@P2 OUT.EMIT R0, R0, 0x0"},
};

std::uint64_t maxwell_word(const char* text)
{
    return assemble(text, architecture::sm50).code.at(0).word[0];
}

void expect_both_ways(const maxwell_form& each)
{
    EXPECT_EQ(maxwell_word(each.text), each.word) << each.text;
    const instruction decoded = decode_instruction(architecture::sm50, {each.word, 0}, 8);
    EXPECT_EQ(instruction_text(decoded), each.printed);
    EXPECT_EQ(maxwell_word((std::string(each.printed) + ";").c_str()), each.word) << each.printed;
}

void expect_both_ways(const turing_form& each, architecture arch)
{
    const auto bytes = test::bytes_of(std::vector<std::uint64_t>{each.low, each.high});
    if (each.since_sm86 && arch == architecture::sm75) {
        EXPECT_THROW(assemble(each.text, arch), program_error) << each.text;
        EXPECT_THROW(decode_program(bytes, arch), program_error) << each.text;
        return;
    }
    EXPECT_EQ(encode_program(assemble(each.text, arch)), bytes) << each.text;
    const program decoded = decode_program(bytes, arch);
    EXPECT_EQ(instruction_text(decoded.code.at(0)), each.printed);
    EXPECT_EQ(encode_program(assemble(disassemble(decoded), arch)), bytes) << each.text;
}

TEST(page_words, ISA_01_ISA_02_maxwell_examples_of_section_G)
{
    for (const auto& each : maxwell_examples) expect_both_ways(each);
}

TEST(page_words, ISA_01_every_form_of_the_maxwell_pages)
{
    for (const auto& each : maxwell_forms) expect_both_ways(each);
}

TEST(page_words, ISA_01_ISA_02_turing_examples_of_section_G)
{
    for (const auto arch : {architecture::sm75, architecture::sm86, architecture::sm120})
        for (const auto& each : turing_examples) expect_both_ways(each, arch);
}

TEST(page_words, ISA_01_every_form_of_the_turing_pages)
{
    for (const auto arch : {architecture::sm75, architecture::sm86, architecture::sm120})
        for (const auto& each : turing_forms) expect_both_ways(each, arch);
}

struct control_form {
    const char* text; ///< three instructions: one control word
    std::uint64_t word;
    const char* printed[3]; ///< annotations
};

// HARDWARE.md B.1: slot n in bits 21n + 20 : 21n; in a slot stall 3:0, yield 4, write barrier 7:5, read barrier 10:8,
// wait mask 16:11, reuse 20:17. Defaults: stall 1, no barrier (7), wait for nothing: 0x7e1.
const control_form control_words[] = {
    // The example of E20: slots 0x701, 0xfe2, 0x1ef.
    {"NOP &wr=0; NOP &req=0x01 ?stall=2; NOP &rd=1 ?stall=15;",
     0x0007bc01fc400701,
     {"&wr=0 ?stall=1", "&req=0x01 ?stall=2", "&rd=1 ?stall=15"}},
    // Slots 0x7e1 three times.
    {"NOP; NOP; NOP;", 0x001f8400fc2007e1, {"?stall=1", "?stall=1", "?stall=1"}},
    // Slots 0x1fd9f, 0x7e0, 0x7f1.
    {"NOP &req=0x3f &rd=5 &wr=4 ?stall=15 ?yield; NOP ?stall=0; NOP ?yield;",
     0x001fc400fc01fd9f,
     {"&req=0x3f &rd=5 &wr=4 ?stall=15 ?yield", "?stall=0", "?stall=1 ?yield"}},
    // Slots 0x2e1 (read barrier 2), 0x10ca2 (wait mask 0x21, read barrier 4, write barrier 5), 0x7c1 (write barrier 6).
    {"NOP &rd=2; NOP &req=0x21 &rd=4 &wr=5 ?stall=2; NOP &wr=6;",
     0x001f0421944002e1,
     {"&rd=2 ?stall=1", "&req=0x21 &rd=4 &wr=5 ?stall=2", "&wr=6 ?stall=1"}},
};

TEST(page_words, ISA_01_scheduling_of_the_pages_in_control_words)
{
    constexpr std::uint64_t nop = 0x50b0000000070f00;
    for (const auto& each : control_words) {
        const auto bytes = test::bytes_of(std::vector<std::uint64_t>{each.word, nop, nop, nop});
        EXPECT_EQ(encode_program(assemble(each.text, architecture::sm50)), bytes) << each.text;
        std::string listing;
        for (unsigned i = 0; i < 3; ++i) {
            constexpr const char* places[] = {"/*0008*/", "/*0010*/", "/*0018*/"};
            listing += std::string(places[i]) + " NOP " + each.printed[i] + " ;\n";
        }
        EXPECT_EQ(disassemble(decode_program(bytes, architecture::sm50)), listing);
    }
}

/// Reuse flags belong to instructions with sources that a cache can keep.
TEST(page_words, ISA_01_reuse_flags_in_a_control_word)
{
    // Slot 0: 0x1e07e1 (reuse 0xf), slot 1: 0x207e1 (reuse 1), slot 2: 0x7e1.
    const std::uint64_t mov = 0x5c98078000270001, exit = 0xe30000000007000f; // MOV R1, R2; EXIT
    const auto bytes = test::bytes_of(std::vector<std::uint64_t>{0x001f8440fc3e07e1, mov, mov, exit});
    EXPECT_EQ(encode_program(assemble("MOV R1, R2 ?reuse=0xf; MOV R1, R2 ?reuse=0x1; EXIT;", architecture::sm50)),
              bytes);
    const program code = decode_program(bytes, architecture::sm50);
    EXPECT_EQ(code.code.at(0).control.reuse, 0xfU);
    EXPECT_EQ(code.code.at(1).control.reuse, 0x1U);
    EXPECT_EQ(code.code.at(2).control.reuse, 0U);
}

TEST(page_words, ISA_01_forms_outside_the_pages_have_no_word)
{
    const char* const maxwell[] = {"ALD R0, a[0x400];",          // 10 bits
                                   "ALD R0, a[-4];",             // unsigned
                                   "ALD.PHYS R0, a[RZ];",        // .PHYS is encoded by its register
                                   "ALD.P R0, a[R1+0x400];",     // 11 bits, signed
                                   "ALD.P R0, a[R1-0x401];",     //
                                   "AL2P R0, R1, 0x400;",        //
                                   "AL2P R0, R1, -0x401;",       //
                                   "AST.O a[0x70], R0;",         // no .io on stores
                                   "ALD.256 R0, a[0x70];",       // no such size
                                   "ISBERD R0, [R1+0x1];",       // no immediate
                                   "ISBEWR.O.ATTR [R0], R1;",    // since Turing
                                   "OUT.EMIT R0, R0, 0x100000;", // 20 bits
                                   "OUT.FINAL R0;",              // since Volta
                                   "ALD R0, a[0x70] &wr=7;",     // six scoreboards
                                   "ALD R0, a[0x70] &req=0x40;"};
    for (const auto* text : maxwell) EXPECT_THROW(assemble(text, architecture::sm50), program_error) << text;
    const char* const turing[] = {"ALD R0, a[0x400];",  "ALD.P R0, a[R1+0x400];",  "AL2P R0, R1, -0x401;",
                                  "AST.O a[0x70], R0;", "ISBERD R0, [R1+0x8000];", "ISBEWR.O.ATTR.64 [R0], R1;"};
    for (const auto* text : turing) EXPECT_THROW(assemble(text, architecture::sm86), program_error) << text;
}

// Rules of the instructions' pages that an encoding can break. The pages: "the immediate has to be zero", "vector
// ALD/AST disallowed when .PHYS modifier is used", "For OUT.CUT operations, Sb must be Rz", "LSB bits are dropped for
// alignment"; R255 is RZ (HARDWARE.md B).

constexpr auto maxwell_code = architecture::sm50, turing_code = architecture::sm75,
               blackwell_code = architecture::sm120;

struct rule_case {
    architecture arch;
    const char* text;
    std::vector<std::pair<const char*, unsigned>> broken; ///< kinds, and columns in the text
};

const rule_case rule_cases[] = {
    {maxwell_code, "ALD R0, a[R1], R5 ;", {}},
    {maxwell_code, "ALD R0, a[R1+0x4], R5 ;", {{"illegal_encoding", 9}}},
    {maxwell_code, "AST a[R1+0x4], R0, R5 ;", {{"illegal_encoding", 5}}},
    {maxwell_code, "ALD.P R0, a[R1+0x4], R5 ;", {}},
    {maxwell_code, "ALD.P.64 R0, a[R1+0x4], R5 ;", {}},
    {maxwell_code, "ALD.PHYS.64 R2, a[R0], R5 ;", {{"illegal_encoding", 17}}},
    {maxwell_code, "ALD.PHYS.64 R2, a[R0+0x8], R5 ;", {{"illegal_encoding", 17}, {"illegal_encoding", 17}}},
    {maxwell_code, "AST.PHYS.128 a[R0], R4, R5 ;", {{"illegal_encoding", 14}}},
    {maxwell_code, "AST.96 a[R0], R4, R5 ;", {{"illegal_encoding", 8}}},
    {turing_code, "ALD.PHYS.64 R2, a[R0], R5 ;", {{"illegal_encoding", 17}}},
    {turing_code, "AST.PHYS a[R0], R4, R5 ;", {}},
    {maxwell_code, "ALD.128 R252, a[0x80] ;", {{"vector_beyond_registers", 9}}},
    {maxwell_code, "ALD.96 R252, a[0x80] ;", {}},
    {maxwell_code, "ALD.128 R251, a[0x80] ;", {{"misaligned_register", 9}}},
    {maxwell_code, "ALD.128 R253, a[0x80] ;", {{"misaligned_register", 9}, {"vector_beyond_registers", 9}}},
    {maxwell_code, "ALD.128 RZ, a[0x80] ;", {}},
    {maxwell_code, "AST.64 a[0x80], R254 ;", {{"vector_beyond_registers", 17}}},
    {maxwell_code, "AST a[0x80], R254 ;", {}},
    {maxwell_code, "ALD.64 R0, a[0x84] ;", {{"misaligned_address", 12}}},
    {maxwell_code, "ALD.96 R0, a[0x88] ;", {{"misaligned_address", 12}}},
    {maxwell_code, "AST.128 a[0x90], R0 ;", {}},
    {maxwell_code, "AL2P.64 R0, R1, 0xc ;", {}}, // the AL2P page's example: the sum may be aligned
    {maxwell_code, "AL2P.64 R0, RZ, 0xc ;", {{"misaligned_address", 17}}},
    {maxwell_code, "AL2P R0, RZ, 0xc ;", {}},
    {maxwell_code, "OUT.CUT R0, R0, 0x1 ;", {{"cut_stream", 17}}},
    {maxwell_code, "OUT.CUT R0, R0, RZ ;", {}},
    {maxwell_code, "OUT.CUT R0, R0, R3 ;", {{"cut_stream", 17}}},
    {maxwell_code, "OUT.EMIT_THEN_CUT R0, R0, 0x1 ;", {}},
    {turing_code, "OUT.CUT R0, R0, 0x1 ;", {{"cut_stream", 17}}},
    {maxwell_code, "OUT.INVALID R0, R0, RZ ;", {{"illegal_encoding", 17}}},
    {maxwell_code, "ISBERD.ATTR R0, [R1] ;", {{"illegal_encoding", 17}}},
    {maxwell_code, "ISBERD R0, [R1] ;", {}},
    {turing_code, "ISBERD.SKEW R0, [R1] ;", {{"skew_ignored", 17}}},
    {turing_code, "ISBERD.ATTR.SKEW R0, [R1] ;", {}},
    {maxwell_code, "LDL.64 R3, [R8] ;", {{"misaligned_register", 8}}},
    {maxwell_code, "STL.128 [R8], R252 ;", {{"vector_beyond_registers", 15}}},
    {turing_code, "LDG.E.128.SYS R254, [R8] ;", {{"misaligned_register", 15}, {"vector_beyond_registers", 15}}},
    {turing_code, "STG.E.64.SYS [R8], R6 ;", {}},
    {turing_code, "LDG.E.SYS R254, [R9] ;", {{"misaligned_register", 17}}},
    {turing_code, "MOV R1, cx[UR4][0x0] ;", {}},
    {turing_code, "MOV R1, cx[UR5][0x0] ;", {{"misaligned_register", 9}}},
    {blackwell_code, "LDC.64 R2, cx[UR78][0x0] ;", {}},
    {blackwell_code, "LDC R1, cx[UR79][0x0] ;", {{"misaligned_register", 9}, {"vector_beyond_registers", 9}}},
};

std::vector<std::string> kinds_of(const program& code)
{
    std::vector<std::string> kinds;
    for (const auto& each : code.warnings) kinds.emplace_back(each.kind);
    return kinds;
}

TEST(page_rules, assembler_and_decoder_warn_of_broken_rules)
{
    for (const auto& each : rule_cases) {
        program code;
        ASSERT_NO_THROW(code = assemble("NOP ;\n" + std::string(each.text), each.arch)) << each.text;
        ASSERT_EQ(code.warnings.size(), each.broken.size())
            << each.text << (code.warnings.empty() ? "" : code.warnings[0].text);
        for (std::size_t i = 0; i < each.broken.size(); ++i) {
            EXPECT_EQ(std::string(code.warnings[i].kind), each.broken[i].first) << each.text;
            EXPECT_EQ(code.warnings[i].line, 2U);
            EXPECT_EQ(code.warnings[i].column, each.broken[i].second) << each.text;
        }
        const auto bytes = encode_program(code);
        const auto again = decode_program(bytes, each.arch);
        EXPECT_EQ(kinds_of(again), kinds_of(code)) << each.text;
        EXPECT_EQ(encode_program(assemble(disassemble(again), each.arch)), bytes) << each.text;
    }
}

} // namespace
} // namespace isbesim::isa

// SPDX-License-Identifier: Apache-2.0
// Program text: notation, printing, labels; bad text, bad bytes, programs that cannot continue: each error has its
// place and the expectation.
#include "models/isa/text/text.h"

#include <cstring>

#include <gtest/gtest.h>

#include "models/isa/encoding/binary.h"
#include "models/isa/encoding/codec.h"
#include "tests/isa/lab.h"
#include "tests/support/error_text.h"

namespace isbesim::isa {
namespace {

std::string print(std::uint64_t word)
{
    return instruction_text(decode_instruction(architecture::sm50, {word, 0}, 8));
}

std::uint64_t word_of(const std::string& text)
{
    return assemble(text, architecture::sm50).code.at(0).word[0];
}

TEST(text, ISA_01_printed_line_has_address_guard_operands_and_scheduling)
{
    const std::string line = "/*0008*/ @!P0 ALD.128 R4, a[0x80], R9 &req=0x01 &rd=1 &wr=0 ?stall=2 ?yield ;\n";
    const program code = assemble(line, architecture::sm50);
    const control& c = code.code.at(0).control;
    EXPECT_EQ(c.wait_mask, 1);
    EXPECT_EQ(c.read_barrier, 1);
    EXPECT_EQ(c.write_barrier, 0);
    EXPECT_EQ(c.stall, 2);
    EXPECT_TRUE(c.yield);
    EXPECT_EQ(encode_control(c), 2U | 1U << 4 | 0U << 5 | 1U << 8 | 1U << 11);
    EXPECT_EQ(disassemble(code), line + "/*0010*/ NOP ?pad ;\n/*0018*/ NOP ?pad ;\n");
}

TEST(text, ISA_01_scheduling_left_out_waits_for_nothing)
{
    EXPECT_EQ(encode_control(assemble("EXIT", architecture::sm50).code.at(0).control), 0x7e1U);
}

TEST(text, ISA_01_instruction_page_syntax)
{
    EXPECT_EQ(word_of("ALD R0,a[16];"), word_of("ALD.I.32 R0, a[0x10], RZ;"));
    EXPECT_EQ(word_of("ALD R0,a[R1],R5;"), word_of("ALD.PHYS R0, a[R1], R5;"));
    EXPECT_EQ(word_of("ALD.P R0,a[R1+4],R5;"), word_of("ALD.P.I R0, a[R1+0x4], R5;"));
    EXPECT_EQ(word_of("AL2P.I.64       R0,  R1, 12;"), word_of("AL2P.64 R0, R1, 0xc;"));
    EXPECT_EQ(word_of("ALD.I.PHYS.64   R2,  a[R0] ;"), word_of("ALD.PHYS.64 R2, a[R0];"));
    EXPECT_EQ(word_of("AST.128     a[64   ],R1;"), word_of("AST.128 a[0x40], R1;"));
    EXPECT_EQ(word_of("AST.P.64    a[R0-16],R1;"), word_of("AST.P.64 a[R0+-0x10], R1;"));
    EXPECT_EQ(word_of("AST.PHYS.32 a[R0   ],R1, R2;"), word_of("AST.PHYS a[R0], R1, R2;"));
    EXPECT_EQ(word_of("AL2P.O.128      R0,  R1, -32;"), word_of("AL2P.128.O R0, R1, -0x20;"));
    EXPECT_EQ(word_of("OUT.EMIT R0,R0,0x1;"), 0xf6e0008000170000U);
}

TEST(text, ISA_01_comments_labels_and_listing_addresses)
{
    const program code = assemble(R"(
        // a comment
        # another
        start:  MOV32I R0, 0x1;   // after
        /*0010*/ BRA done ;
        0018 BRA start;  /* and */ EXIT;
        done: EXIT)",
                                  architecture::sm50);
    ASSERT_EQ(code.code.size(), 5U);
    EXPECT_EQ(instruction_text(code.code[1]), "BRA 0x30");
    EXPECT_EQ(instruction_text(code.code[2]), "BRA 0x8");
}

TEST(text, ISA_01_nvdisasm_forms)
{
    EXPECT_EQ(print(0x36c07f8444270009), "PRMT R9, R0, 0x4442, RZ");
    EXPECT_EQ(print(0x5ce2200000473a04), "I2I.S32.S32 R4, -|R4|");
    EXPECT_EQ(print(0x1e24f7ffffe70101), "FMUL32I.FTZ R1, R1, 4.29496678400000000000e+09");
    EXPECT_EQ(print(0x0883d2aaaab70406), "FADD32I.FTZ R6, R4, 0.041666667908430099487");
    EXPECT_EQ(print(0x3910007fffa70002), "IADD R2, R0, -0x6");
    EXPECT_EQ(print(0x4c10803c0a870200), "IADD R0.CC, R2, c[0xf][0x2a0]");
    EXPECT_EQ(print(0x5b30001800c70900), "XMAD.PSL.CBCC R0, R9.H1, R12.H1, R0");
    EXPECT_EQ(print(0x5896038000470004), "FSET.BF.GE.FTZ.AND R4, R0, R4, PT");
    EXPECT_EQ(print(0xefd87f818007ff00), "ALD.O.P R0, a[RZ]");
    EXPECT_EQ(print(0xefd8048000070505), "ALD.PHYS R5, a[R5], R9");
    EXPECT_EQ(print(0xebf9000000080003), "@!P0 RED.E.ADD [R0], R3");
    EXPECT_EQ(print(0xef70000000080005), "@!P0 CCTL.E.IV [R0]");
    EXPECT_EQ(print(0xd850008000070102), "TEXS.LZ R0, R2, R1, R0, 0x8, 2D, RGBA");
    EXPECT_EQ(print(0xe2400ffff387000f), "BRA 0xffffff48"); // 8 + 8 - 200 as a 32-bit address
    EXPECT_EQ(print(0), "NOP");
}

TEST(text, ISA_01_float_immediates_round_trip)
{
    const std::pair<const char*, std::uint32_t> numbers[] = {{"0", 0},
                                                             {"-0", 0x80000000},
                                                             {"1", 0x3f800000},
                                                             {"-0.5", 0xbf000000},
                                                             {"3.5", 0x40600000},
                                                             {"1e+10", 0x501502f9},
                                                             {"+INF", 0x7f800000},
                                                             {"-INF", 0xff800000},
                                                             {"+QNAN", 0x7fc00000},
                                                             {"0.125", 0x3e000000},
                                                             {"0.00e+10", 0},
                                                             {"0x0", 0},
                                                             {"0x7f800000", 0x7f800000},
                                                             {"-65536", 0xc7800000},
                                                             {"0x3f800000", 0x3f800000}};
    for (const auto& [number, bits] : numbers) {
        const std::uint64_t word = word_of(std::string("FADD32I R0, R1, ") + number + ";");
        EXPECT_EQ(word >> 20 & 0xffffffffU, bits) << number; // the immediate is bits 51:20
        EXPECT_EQ(word_of(print(word) + ";"), word) << number;
    }
    EXPECT_EQ(word_of("FADD R0, R1, 1;"), word_of("FADD R0, R1, 0x3f800000;"));
    // The vendor's blank after special values, but not at the end of the line.
    EXPECT_EQ(print(word_of("DSET.EQ.AND R0, R2, +INF, PT;")), "DSET.EQ.AND R0, R2, +INF , PT");
    EXPECT_EQ(print(word_of("FADD32I R0, R1, -QNAN;")), "FADD32I R0, R1, -QNAN");
}

TEST(text, ISA_01_signs_as_suffixes_of_float_immediates)
{
    // .NEG and .ABS are bits of their own beside the number's sign; the sum is that of R1 and -1.5, or 1.5.
    for (const auto& [text, sum] : {std::pair{"1.5.NEG", 0.5F}, {"-1.5.ABS", 3.5F}, {"-1.5.ABS.NEG", 0.5F}}) {
        lab bench("FADD R0, R1, " + std::string(text) + ";");
        bench.fill(1, to_bits(2.0F));
        EXPECT_EQ(to_float(bench.run()[0][5]), sum) << text;
    }
}

TEST(text, ISA_01_unnamed_values_are_numbers)
{
    for (const char* text : {"TXQ R0, R1, 0x3, 0x8, 0xf", "S2R R0, SR_0x7f"}) {
        const auto read = assemble(std::string(text) + ";", architecture::sm50).code.at(0);
        EXPECT_EQ(instruction_text(read), text);
    }
    EXPECT_EQ(assemble("S2R R0, SR_0x7f;", architecture::sm50).code.at(0).at(slot::extra).value, 0x7fU);
}

TEST(text, ISA_01_reuse_flags)
{
    const program code =
        assemble("FFMA R0, R1.reuse, -R2, R3.reuse; XMAD R4, R5.H1.reuse, R6.reuse, RZ; MOV R1, R2 ?reuse=0x1;",
                 architecture::sm50);
    EXPECT_EQ(code.code[0].control.reuse, 5);
    EXPECT_EQ(code.code[1].control.reuse, 3);
    EXPECT_EQ(code.code[2].control.reuse, 1);
    EXPECT_EQ(instruction_text(code.code[0]), "FFMA R0, R1.reuse, -R2, R3.reuse");
    EXPECT_EQ(instruction_text(code.code[1]), "XMAD R4, R5.H1.reuse, R6.reuse, RZ");
    EXPECT_EQ(encode_program(assemble(disassemble(code), architecture::sm50)), encode_program(code));
}

TEST(text, ISA_01_modifiers_in_any_order)
{
    EXPECT_EQ(word_of("ALD.128.O R4, a[0x80];"), 0xefd9ff810807ff04U);
    EXPECT_EQ(word_of("ALD.O.128 R4, a[0x80];"), 0xefd9ff810807ff04U);
    EXPECT_EQ(word_of("F2F.F32.F64.FTZ R0, R2;"), word_of("F2F.FTZ.F32.F64 R0, R2;"));
    EXPECT_NE(word_of("F2F.F32.F64 R0, R2;"), word_of("F2F.F64.F32 R0, R2;"));
}

/// Assembles `text`, expects it to fail at line:column with `part` in the message.
void expect_error(const std::string& text, unsigned line, unsigned column, const std::string& part,
                  architecture arch = architecture::sm50)
{
    try {
        assemble(text, arch);
        ADD_FAILURE() << "no error: " << text;
    } catch (const program_error& error) {
        EXPECT_EQ(error.line, line) << text << ": " << error.what();
        EXPECT_EQ(error.column, column) << text << ": " << error.what();
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << text << ": " << error.what();
    }
}

TEST(error, ISA_01_text_errors_name_line_column_and_expectation)
{
    expect_error("EXIT;\n  FOO R1;", 2, 3, "unknown instruction 'FOO'");
    expect_error("ALD.256 R0, a[0x80];", 1, 5, ".32 .64 .96 .128");
    expect_error("ALD R0, b[0x80];", 1, 9, "expected an attribute address");
    expect_error("ALD R0, a[0x400];", 1, 11, "expected 0 to 1023");
    expect_error("ALD R0, a[0x80", 1, 15, "expected ']'");
    expect_error("ALD R255, a[0x80];", 1, 5, "expected a register (R0 to R254 or RZ)");
    expect_error("ALD R0 a[0x80];", 1, 8, "expected ','");
    expect_error("ALD R0, a[0x80], R1, R2;", 1, 20, "expected ';'");
    expect_error("IADD R0, R1, 0x80000;", 1, 14, "expected -524288 to 524287");
    expect_error("FADD R0, R1, 0.1;", 1, 14, "needs more bits");
    expect_error("ISETP.AND P0, PT, R0, R1, PT;", 1, 1, "needs a modifier, expected one of .F .LT");
    expect_error("@P9 EXIT;", 1, 2, "expected a predicate (P0 to P6 or PT)");
    expect_error("@P0 SSY 0x8;", 1, 1, "takes no guard");
    expect_error("BRA nowhere;", 1, 5, "label 'nowhere' is not defined");
    expect_error("a: EXIT;\na: EXIT;", 2, 1, "defined twice");
    expect_error("EXIT &wr=9;", 1, 10, "expected 0 to 6");
    expect_error("EXIT ?stall=16;", 1, 13, "expected 0 to 15");
    expect_error("EXIT ?wait;", 1, 7, "expected ?stall=");
    for (const char* each : {"&req=1", "&rd=1", "&wr=1", "?stall=1", "?yield", "?reuse=1", "?pad"})
        expect_error("NOP " + std::string(each) + " " + each + ";", 1, static_cast<unsigned>(7 + std::strlen(each)),
                     "stands twice, expected each annotation once");
    for (const char* each : {"1e39", "3.5e38", "1e-46", "0.01e400"})
        expect_error(std::string("FADD R0, R1, ") + each + ";", 1, 14, "is outside the range of a 32-bit float");
    expect_error("DADD R0, R2, -1e400;", 1, 15, "'1e400' is outside the range of a 64-bit float");
    expect_error("DADD R0, R2, 1e-400;", 1, 14, "'1e-400' is outside the range of a 64-bit float");
    expect_error("ALD.PHYS R0, a[0x80];", 1, 1, ".PHYS needs an address register");
    expect_error("FFMA32I R0, R1, 0.1, R2;", 1, 1, "share a field");
    expect_error("MOV R0, c[0x0][0x6];", 1, 16, "multiple of 4");
    expect_error("MOV R0, R1 ?word=0xe30000000007000f;", 1, 1, "the word is 'EXIT'");
    expect_error("NOP &rd=0 =stall=0 ?word=0x0;", 1, 11, "up to ?word=, found '='");
    expect_error("IADD R0, R1, x;", 1, 14,
                 "expected a register (R0 to R254 or RZ) or a constant such as c[0x0][0x10] or an integer, found 'x'");
    expect_error("S2R R0, SR_NOWHERE;", 1, 9, "special register");
    expect_error("= R0;", 1, 1, "expected an instruction, found '='");
    expect_error("FADD..FTZ R0, R1, R2;", 1, 6, "expected a modifier after '.', found '.FTZ'");
    expect_error("MUFU.RCP R0, R1.H1;", 1, 17, "the operand takes no suffix '.H1'");
    expect_error("TEX R0, R2, R1, 0x8, 4D, 0xf;", 1, 22, "expected one of 1D, 2D, 3D, CUBE,");
    expect_error("ATOMS.ADD R0, [R1+0x2], R2;", 1, 19, "the offset must be a multiple of 4");
    expect_error("EXIT;\nEXIT ?word=0xff0000000007000f;", 2, 7, "0xff0000000007000f is no known instruction");
    expect_error("IADD R0, -R1, -R2;", 1, 1, "there is no encoding for this combination: it would mean IADD.PO");
    expect_error("BRA 0x7ffffff8;", 1, 5, "the branch target is too far away");
    expect_error("S2R R0, SR_0x;", 1, 9, "special register");
    expect_error("S2R R0, SR_0x100;", 1, 9, "special register");
    expect_error("S2R R0, SR_0x7fz;", 1, 9, "special register");
    expect_error("S2R R0, SR_0x-1;", 1, 9, "special register");
    expect_error("LDS R4, [R2.X5];", 1, 13, "expected .X4, .X8 or .X16", architecture::sm75);
    expect_error("/* open", 1, 1, "not closed");
    expect_error("", 1, 1, "no instructions");
}

void expect_binary_error(const std::vector<std::uint8_t>& bytes, const std::string& part)
{
    const auto error = error_text<program_error>([&] { decode_program(bytes, architecture::sm50); });
    EXPECT_NE(error.find(part), std::string::npos) << error;
}

TEST(error, ISA_02_binary_errors_name_the_address)
{
    auto bytes = encode_program(assemble("EXIT; EXIT; EXIT; EXIT;", architecture::sm50));
    auto cut = bytes;
    cut.resize(44);
    expect_binary_error(cut, "address 0x0028: the program ends inside a 64-bit word");
    cut.resize(40);
    expect_binary_error(cut, "address 0x0020: the program ends after a control word");
    auto unknown = bytes;
    unknown[16 + 7] = 0xff;
    expect_binary_error(unknown, "address 0x0010: 0xff0000000007000f is no known instruction");
    auto stray = bytes;
    stray[32 + 5] = 0x80; // a bit in a slot that has no instruction
    expect_binary_error(stray, "address 0x0020");
    expect_binary_error({}, "empty");
    EXPECT_THROW(decode_program(bytes, architecture::sm75), program_error);
}

TEST(error, ISA_03_unsupported_instructions_are_named_with_their_address)
{
    for (const char* text : {"BPT.TRAP 0x1", "LONGJMP", "TEXS.LZ R0, R2, R1, R0, 0x8, 2D, RGBA", "KIL"}) {
        lab bench(std::string("NOP; ") + text + ";");
        const auto error = error_text<execution_error>([&] { bench.run(); });
        EXPECT_NE(error.find("0x0010: " + std::string(text).substr(0, 3)), std::string::npos) << text << ": " << error;
    }
    EXPECT_THROW(lab("S2R R0, SR_VIRTID;").run(), execution_error);
    EXPECT_THROW(lab("SHL.X R0, R1, R2;").run(), execution_error);
}

TEST(error, ISA_03_programs_that_go_astray)
{
    EXPECT_THROW(lab("BRA 0x1000;").run(), execution_error);
    lab bench("NOP;");
    bench.code.code.pop_back(); // the EXIT
    EXPECT_THROW(bench.run(), execution_error);
}

} // namespace
} // namespace isbesim::isa

// SPDX-License-Identifier: Apache-2.0
// Bad text, bad bytes, programs that cannot go on: each error has its place and the expectation.
#include <gtest/gtest.h>

#include "models/isa/encoding/binary.h"
#include "tests/isa/lab.h"
#include "tests/support/error_text.h"

namespace isbesim::isa {
namespace {

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
        try {
            bench.run();
            ADD_FAILURE() << text;
        } catch (const execution_error& error) {
            const std::string mnemonic = std::string(text).substr(0, 3);
            EXPECT_NE(std::string(error.what()).find("0x0010: " + mnemonic), std::string::npos) << error.what();
        }
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

// SPDX-License-Identifier: Apache-2.0
// SM50 binaries: the worked examples, whole programs, and every row of the table with random fields.
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "tests/isa/listings.h"
#include "tests/support/bytes.h"

namespace isbesim::isa {
namespace {

struct example {
    const char* text;
    std::uint64_t word;
};

// HARDWARE.md section G, E20.
const example examples[] = {
    {"ALD.128 R4,a[0x80],RZ;", 0xefd9ff800807ff04},
    {"ALD.32 R0,a[0x70],R5;", 0xefd802800707ff00},
    {"ALD.O.P.64 R2,a[R1+0x20],RZ;", 0xefd8ff8182070102},
    {"ALD.P.64 R2,a[R0-0x10];", 0xefd8ff80ff070002},
    {"ALD.PHYS R1,a[R1],RZ;", 0xefd87f8000070101},
    {"AST.128 a[0x70],R4;", 0xeff1ff800707ff04},
    {"AST a[0x80],R4,R0;", 0xeff000000807ff04},
    {"AST.P.64 a[R0-0x10],R2;", 0xeff0ff80ff070002},
    {"AL2P R1,R0,0x80;", 0xefa0700008070001},
    {"AL2P.O R1,R0,-32;", 0xefa070017e070001},
    {"ISBERD R3,[R2];", 0xefd0000000070203},
    {"OUT.EMIT R0,R0,0x1;", 0xf6e0008000170000},
    {"OUT.CUT R0,R0,RZ;", 0xfbe001000ff70000},
    {"OUT.EMIT_THEN_CUT R0,R0,0x0;", 0xf6e0018000070000},
};

std::string without_blanks(std::string text)
{
    text.erase(std::remove_if(text.begin(), text.end(), [](char c) { return c == ' ' || c == ';' || c == '\r'; }),
               text.end());
    return text;
}

TEST(binary, ISA_02_worked_examples_both_ways)
{
    for (const auto& each : examples) {
        const program assembled = assemble(each.text, architecture::sm50);
        EXPECT_EQ(assembled.code.at(0).word[0], each.word) << each.text;
        const instruction decoded = decode_instruction(architecture::sm50, {each.word, 0}, 8);
        EXPECT_EQ(encode_instruction(architecture::sm50, decoded)[0], each.word) << each.text;
        EXPECT_EQ(assemble(instruction_text(decoded) + ";", architecture::sm50).code.at(0).word[0], each.word)
            << each.text;
    }
}

TEST(binary, ISA_02_ast_with_bit_32_set_means_the_same)
{
    const instruction decoded = decode_instruction(architecture::sm50, {0xeff1ff810707ff04, 0}, 8);
    EXPECT_EQ(instruction_text(decoded), "AST.128 a[0x70], R4");
    const auto bytes = test::bytes_of(std::vector<std::uint64_t>{0x7e1, 0xeff1ff810707ff04});
    const std::string text = disassemble(decode_program(bytes, architecture::sm50));
    EXPECT_EQ(text, "/*0008*/ AST.128 a[0x70], R4 ?stall=1 ?word=0xeff1ff810707ff04 ;\n"
                    "/*0010*/ NOP ?pad ;\n"
                    "/*0018*/ NOP ?pad ;\n");
    EXPECT_EQ(encode_program(assemble(text, architecture::sm50)), bytes);
}

TEST(binary, ISA_02_control_word_of_three_slots)
{
    const std::uint64_t nop = 0x50b0000000070f00;
    const auto bytes = test::bytes_of(std::vector<std::uint64_t>{0x0007bc01fc400701, nop, nop, nop});
    const program code = decode_program(bytes, architecture::sm50);
    ASSERT_EQ(code.code.size(), 3U);
    EXPECT_EQ(code.code[0].address, 0x8U);
    EXPECT_EQ(code.code[2].address, 0x18U);
    EXPECT_EQ(code.code[0].control.stall, 1);
    EXPECT_EQ(code.code[0].control.write_barrier, 0);
    EXPECT_EQ(code.code[0].control.read_barrier, 7);
    EXPECT_EQ(code.code[1].control.stall, 2);
    EXPECT_EQ(code.code[1].control.wait_mask, 1);
    EXPECT_EQ(code.code[2].control.stall, 15);
    EXPECT_EQ(code.code[2].control.read_barrier, 1);
    EXPECT_EQ(encode_program(code), bytes);
    EXPECT_EQ(encode_program(assemble("NOP &wr=0; NOP &req=0x01 ?stall=2; NOP &rd=1 ?stall=15;", architecture::sm50)),
              bytes);
}

TEST(binary, ISA_02_last_bundle_may_be_short)
{
    for (std::size_t count = 1; count <= 7; ++count) {
        std::string text;
        for (std::size_t i = 0; i < count; ++i) text += "EXIT;\n";
        const auto bytes = encode_program(assemble(text, architecture::sm50));
        EXPECT_EQ(bytes.size(), (count + (count + 2) / 3) * 8);
        EXPECT_EQ(encode_program(decode_program(bytes, architecture::sm50)), bytes);
    }
}

TEST(binary, ISA_02_addresses_count_control_words)
{
    const program code = assemble("EXIT; EXIT; EXIT; EXIT; EXIT;", architecture::sm50);
    const std::uint32_t addresses[] = {0x08, 0x10, 0x18, 0x28, 0x30};
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(code.code[i].address, addresses[i]);
        EXPECT_EQ(code.index_of(addresses[i]), i);
    }
    EXPECT_EQ(code.index_of(0), 0U);
    EXPECT_EQ(code.index_of(0x20), 3U);
    EXPECT_EQ(code.index_of(0x38), program::npos);
    EXPECT_EQ(code.index_of(0x0c), program::npos);
}

/// Every program of tests/data/sm50: text equal to the vendor's disassembly, and all bits kept on the way back.
TEST(binary, ISA_02_real_programs_print_as_nvdisasm_and_come_back)
{
    const auto programs = listed_programs("sm50");
    EXPECT_EQ(programs.size(), 50U);
    std::size_t lines = 0;
    for (const auto& listed : programs) {
        const program code = decode_program(listed.bytes, architecture::sm50);
        for (const auto& line : listed.lines)
            EXPECT_EQ(without_blanks(instruction_text(code.code.at(code.index_of(line.address)))),
                      without_blanks(line.text))
                << listed.name;
        expect_every_bit_kept(listed, code);
        lines += listed.lines.size();
    }
    EXPECT_EQ(lines, 695U);
}

/// A random word of a row: fields random, modifiers legal, everything else as the row demands.
encoding random_word(const opcode_row& row, std::mt19937_64& random)
{
    encoding word = {random(), 0};
    for (const auto& modifier : row.modifiers) {
        const auto count = static_cast<std::uint64_t>(modifier.values.end() - modifier.values.begin());
        std::uint64_t value = (modifier.values.begin() + random() % count)->value;
        if (modifier.bits.width() < 8) value &= (1U << modifier.bits.width()) - 1;
        set_field(word, modifier.bits, value);
    }
    word[0] = (word[0] & ~row.mask[0]) | (row.match[0] & row.mask[0]);
    return word;
}

TEST(binary, ISA_02_no_bit_of_any_row_is_lost)
{
    std::mt19937_64 random{99};
    for (const auto& row : instruction_table(architecture::sm50))
        for (int round = 0; round < 50; ++round) {
            const encoding word = random_word(row, random);
            const opcode_row* found = find_row(architecture::sm50, word);
            ASSERT_NE(found, nullptr) << row.mnemonic;
            const instruction decoded = decode_instruction(architecture::sm50, word, 0x48);
            const encoding again = encode_instruction(architecture::sm50, decoded);
            EXPECT_EQ(again[0] & ~found->ignored[0], word[0] & ~found->ignored[0])
                << row.mnemonic << std::hex << " " << word[0];
        }
}

TEST(binary, ISA_02_any_program_survives_text)
{
    std::mt19937_64 random{5};
    std::vector<std::uint64_t> words;
    for (const auto& row : instruction_table(architecture::sm50))
        for (int round = 0; round < 20; ++round) {
            if (words.size() % 4 == 0) words.push_back(random() >> 1); // any control bits
            words.push_back(random_word(row, random)[0]);
        }
    while (words.size() % 4 != 0) words.push_back(0x50b0000000070f00);
    const auto bytes = test::bytes_of(words);
    const program code = decode_program(bytes, architecture::sm50);
    const std::string text = disassemble(code);
    const program again = assemble(text, architecture::sm50);
    ASSERT_EQ(again.code.size(), code.code.size());
    for (std::size_t i = 0; i < code.code.size(); ++i)
        ASSERT_EQ(again.code[i].word, code.code[i].word) << instruction_text(code.code[i]);
    EXPECT_EQ(encode_program(again), bytes);
}

TEST(binary, ISA_03_every_listed_opcode_can_run)
{
    const char* names[] = {"MOV",  "MOV32I",  "AST",    "ALD",    "FADD",  "XMAD",    "STL",     "FSETP",
                           "FFMA", "LDL",     "FMUL",   "ISETP",  "ICMP",  "OUT",     "ISET",    "LOP",
                           "IADD", "ISBERD",  "PRMT",   "NOP",    "EXIT",  "FSET",    "S2R",     "SHL",
                           "SYNC", "I2F",     "F2F",    "LOP32I", "MUFU",  "SSY",     "F2I",     "SHR",
                           "LDC",  "IMUL32I", "IMUL",   "BRA",    "BRK",   "FMNMX",   "PBK",     "I2I",
                           "DADD", "RRO",     "ISCADD", "DFMA",   "IMNMX", "FMUL32I", "FADD32I", "CONT",
                           "DSET", "BFI",     "PCNT",   "DMUL",   "IMAD",  "AL2P",    "BFE",     "FFMA32I"};
    const auto& table = instruction_table(architecture::sm50);
    for (const char* name : names)
        EXPECT_TRUE(std::any_of(table.begin(), table.end(), [&](const opcode_row& row) {
            return std::string_view(row.mnemonic) == name && row.execute != nullptr;
        })) << name;
}

} // namespace
} // namespace isbesim::isa

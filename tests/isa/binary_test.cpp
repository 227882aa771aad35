// SPDX-License-Identifier: Apache-2.0
// Binaries: peculiarities of each architecture's words, whole programs, and every row of the tables with random fields.
// The words of each form are in page_words_test.cpp.
#include "models/isa/encoding/binary.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/isa/encoding/codec.h"
#include "models/isa/text/text.h"
#include "test_paths.h"
#include "tests/isa/listed_word.h"
#include "tests/support/bytes.h"
#include "tests/support/error_text.h"
#include "tests/support/repetitions.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::isa {
namespace {

/// A program of tests/data with lines of the vendor's disassembly.
struct listed_program {
    struct line {
        std::uint32_t address;
        std::string text;
    };
    std::string name;
    std::vector<std::uint8_t> bytes;
    std::vector<line> lines; ///< for some of its instructions
};

std::vector<listed_program> listed_programs(const std::string& folder)
{
    namespace fs = std::filesystem;
    const std::string ending = ".code.bin";
    std::vector<listed_program> result;
    for (const auto& entry : fs::directory_iterator(fs::path(ISBESIM_SOURCE_DIR) / "tests/data" / folder)) {
        const std::string path = entry.path().string();
        if (path.size() < ending.size() || path.substr(path.size() - ending.size()) != ending) continue;
        auto& listed = result.emplace_back();
        listed.name = path.substr(0, path.size() - ending.size());
        const auto bytes = testbench::temporary_folder::read(path);
        listed.bytes.assign(bytes.begin(), bytes.end());
        std::ifstream listing(listed.name + ".dis");
        for (std::string address, text; listing >> address && std::getline(listing >> std::ws, text);)
            listed.lines.push_back({static_cast<std::uint32_t>(std::stoul(address, nullptr, 16)), text});
    }
    return result;
}

void expect_every_bit_kept(const listed_program& listed, const program& code)
{
    for (const auto& each : code.code)
        EXPECT_EQ(encode_instruction(code.arch, each), each.word) << listed.name << " " << instruction_text(each);
    EXPECT_EQ(encode_program(code), listed.bytes) << listed.name;
    EXPECT_EQ(encode_program(assemble(disassemble(code), code.arch)), listed.bytes) << listed.name;
}

TEST(binary, ISA_02_ast_ignores_bit_32)
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

// nvdisasm shows NOPs in the last bundle of a program that ends before its third slot: the way back must not write
// them.
TEST(padding, ISA_02_missing_slots_print_as_nop_and_are_not_written)
{
    for (unsigned n = 1; n <= 6; ++n) {
        std::string source;
        for (unsigned i = 1; i < n; ++i) source += "MOV R0, R1;\n";
        const auto code = assemble(source + "EXIT;\n", architecture::sm50, {});
        const auto bytes = encode_program(code);
        EXPECT_EQ(bytes.size(), 8 * (n + (n + 2) / 3));
        EXPECT_EQ(encode_program(decode_program(bytes, architecture::sm50)), bytes);
        const auto text = disassemble(code);
        std::size_t nops = 0;
        for (auto place = text.find("NOP ?pad"); place != std::string::npos; place = text.find("NOP ?pad", place + 1))
            ++nops;
        EXPECT_EQ(nops, (3 - n % 3) % 3);
        EXPECT_EQ(encode_program(assemble(text, architecture::sm50, {})), bytes);
    }
}

TEST(padding, ISA_01_instruction_after_padding_is_refused)
{
    try {
        assemble("EXIT;\nNOP ?pad;\nEXIT;\n", architecture::sm50, {});
        FAIL();
    } catch (const program_error& error) {
        EXPECT_EQ(error.line, 3U);
    }
}

TEST(turing_binary, ISA_02_unprinted_defaults_of_raw_accesses)
{
    const program code = assemble("ISBERD.MAP.U8 R3,[R2]; ISBEWR.O.ATTR.SKEW.32 [R2+0x42],R1;", architecture::sm86);
    EXPECT_EQ(instruction_text(code.code[0]), "ISBERD R3, [R2]");
    EXPECT_EQ(instruction_text(code.code[1]), "ISBEWR.O.ATTR.SKEW.32 [R2+0x42], R1");
}

TEST(turing_binary, ISA_02_final_out_prints_only_its_state)
{
    for (const std::uint64_t stream : {std::uint64_t{0}, std::uint64_t{0xff}}) {
        const auto bytes = test::bytes_of(std::vector<std::uint64_t>{0x00ff7324 | stream << 32, 0x000fc20000000000});
        const program code = decode_program(bytes, architecture::sm75);
        EXPECT_EQ(instruction_text(code.code.at(0)), "OUT.FINAL R0");
        EXPECT_EQ(encode_program(assemble(disassemble(code), architecture::sm75)), bytes);
    }
    EXPECT_EQ(instruction_text(assemble("OUT.FINAL R3, R0, R1;", architecture::sm75).code.at(0)),
              "OUT.FINAL R3, R0, R1");
}

TEST(turing_binary, ISA_02_control_bits)
{
    const auto bytes =
        encode_program(assemble("NOP &req=0x21 &rd=3 &wr=5 ?stall=9 ?yield ?reuse=0xa;", architecture::sm75));
    std::uint64_t high = 0;
    for (unsigned i = 0; i < 8; ++i) high |= std::uint64_t{bytes[8 + i]} << (8 * i);
    // HARDWARE.md B.2: stall 108:105, yield 109, write 112:110, read 115:113, wait 121:116, reuse 125:122.
    EXPECT_EQ(high >> 41, 9U | 1U << 4 | 5U << 5 | 3U << 8 | 0x21U << 11 | 0xaU << 17);
    EXPECT_EQ(encode_program(decode_program(bytes, architecture::sm75)), bytes);
}

TEST(turing_binary, ISA_02_addresses_count_sixteen_bytes)
{
    const program code = assemble("NOP; BRA end; NOP; end: EXIT;", architecture::sm75);
    EXPECT_EQ(code.code[3].address, 0x30U);
    EXPECT_EQ(instruction_text(code.code[1]), "BRA 0x30");
    EXPECT_EQ(code.code[1].word[0], 0x0000001000007947U); // 0x10 bytes from the next instruction
    EXPECT_EQ(assemble("back: NOP; BRA back;", architecture::sm75).code[1].word[0], 0xffffffe000007947U);
    EXPECT_EQ(code.index_of(0x18), program::npos);
}

TEST(turing_binary, ISA_02_errors_name_the_address)
{
    const auto expect_error = [](const std::vector<std::uint8_t>& bytes, const char* part) {
        const auto error = error_text<program_error>([&] { decode_program(bytes, architecture::sm75); });
        EXPECT_NE(error.find(part), std::string::npos) << error;
    };
    auto bytes = encode_program(assemble("EXIT; EXIT;", architecture::sm75));
    auto cut = bytes;
    cut.resize(24);
    expect_error(cut, "address 0x0010: the program ends inside a 128-bit instruction");
    auto unknown = bytes;
    unknown[16] = 0xff;
    expect_error(unknown, "address 0x0010: 0x0000000003800000000000000000");
    auto stray = bytes;
    stray[31] |= 0x80;
    expect_error(stray, "address 0x0010: the two bits above the scheduling control");
    auto far = encode_program(assemble("BRA 0x10;", architecture::sm75));
    far[8] = 1; // the distance has bits in both halves of the word
    expect_error(far, "the branch before address 0x0010 goes further than 2 GiB");
    expect_error({}, "empty");
}

TEST(turing_text, ISA_01_errors_state_expectation)
{
    const auto error_of = [](const char* text) -> std::string {
        try {
            assemble(text, architecture::sm75);
        } catch (const program_error& error) {
            return std::to_string(error.line) + ":" + std::to_string(error.column) + ": " + error.what();
        }
        return "";
    };
    EXPECT_EQ(error_of("NOP;\nISBERD R3, [R2+0x4];"), "2:16: expected ']': this address takes no offset");
    EXPECT_EQ(error_of("BRA 0x22;"), "1:5: the branch target must be a multiple of 4");
    EXPECT_EQ(error_of("BSSY B16, 0x40;"), "1:6: expected a convergence barrier (B0 to B15)");
    EXPECT_EQ(error_of("NOP ?word=0x;"), "1:11: expected the instruction word in hexadecimal, 0x and up to 32 digits");
    EXPECT_NE(error_of("XMAD R0, R1, R2, R3;").find("unknown instruction 'XMAD'"), std::string::npos);
    EXPECT_NE(error_of("F2F R0, R1;").find("needs a modifier"), std::string::npos);
}

/// Removes blanks, line ends and the semicolon, in which nvdisasm's output may differ.
std::string bare(std::string text)
{
    text.erase(std::remove_if(text.begin(), text.end(), [](char c) { return c == ' ' || c == ';' || c == '\r'; }),
               text.end());
    return text;
}

/// Every program of a folder: text equal to the vendor's disassembly, and all bits kept on the way back.
void expect_listed(architecture arch, const char* folder, std::size_t programs, std::size_t lines)
{
    const auto all = listed_programs(folder);
    EXPECT_EQ(all.size(), programs);
    for (const auto& listed : all) {
        const program code = decode_program(listed.bytes, arch);
        for (const auto& line : listed.lines)
            EXPECT_EQ(bare(instruction_text(code.code.at(code.index_of(line.address)))), bare(line.text))
                << listed.name;
        expect_every_bit_kept(listed, code);
        lines -= listed.lines.size();
    }
    EXPECT_EQ(lines, 0U);
}

TEST(binary, ISA_02_real_programs_print_as_nvdisasm_and_round_trip)
{
    expect_listed(architecture::sm50, "sm50", 50, 646);
}

TEST(turing_binary, ISA_02_real_programs_print_as_nvdisasm_and_round_trip)
{
    expect_listed(architecture::sm75, "sm75", 57, 548);
}

class every_row : public testing::TestWithParam<architecture> {};
INSTANTIATE_TEST_SUITE_P(of, every_row,
                         testing::Values(architecture::sm50, architecture::sm75, architecture::sm86,
                                         architecture::sm120));

TEST_P(every_row, ISA_02_no_bit_is_lost)
{
    const architecture arch = GetParam();
    std::mt19937_64 random{99};
    for (const auto& row : instruction_table(arch))
        for (int round = 0; round < static_cast<int>(repetitions(50)); ++round) {
            const encoding word = random_word(arch, row, random);
            const opcode_row* found = find_row(arch, word);
            ASSERT_NE(found, nullptr) << row.mnemonic;
            const instruction decoded = decode_instruction(arch, word, 0x48);
            const encoding again = encode_instruction(arch, decoded), unread = ignored_bits(arch, decoded);
            for (std::size_t i = 0; i < 2; ++i)
                EXPECT_EQ((again[i] ^ word[i]) & ~found->ignored[i] & ~unread[i], 0U)
                    << row.mnemonic << std::hex << " " << word[i];
        }
}

/// With random scheduling: on SM50 a control word before each three instructions, otherwise the upper bits of each
/// word.
TEST_P(every_row, ISA_02_any_program_survives_text)
{
    const architecture arch = GetParam();
    std::mt19937_64 random{5};
    std::vector<std::uint64_t> words;
    for (const auto& row : instruction_table(arch))
        for (int round = 0; round < static_cast<int>(repetitions(20)); ++round) {
            const encoding word = random_word(arch, row, random);
            if (arch == architecture::sm50 && words.size() % 4 == 0) words.push_back(random() >> 1);
            words.push_back(word[0]);
            if (arch != architecture::sm50) words.push_back(word[1] | (random() >> 2 & ~instruction_mask(arch)[1]));
        }
    while (arch == architecture::sm50 && words.size() % 4 != 0) words.push_back(0x50b0000000070f00);
    const auto bytes = test::bytes_of(words);
    const program code = decode_program(bytes, arch);
    const program again = assemble(disassemble(code), arch);
    ASSERT_EQ(again.code.size(), code.code.size());
    for (std::size_t i = 0; i < code.code.size(); ++i)
        ASSERT_EQ(again.code[i].word, code.code[i].word) << instruction_text(code.code[i]);
    EXPECT_EQ(encode_program(again), bytes);
}

void expect_executors(architecture arch, const char* mnemonics)
{
    const auto& table = instruction_table(arch);
    std::istringstream names(mnemonics);
    for (std::string name; names >> name;)
        EXPECT_TRUE(std::any_of(table.begin(), table.end(), [&](const opcode_row& row) {
            return name == row.mnemonic && row.execute != nullptr;
        })) << name;
}

TEST(binary, ISA_03_every_listed_opcode_can_run)
{
    expect_executors(architecture::sm50, R"(
        MOV MOV32I AST ALD FADD XMAD STL FSETP FFMA LDL FMUL ISETP ICMP OUT ISET LOP IADD ISBERD PRMT NOP EXIT
        FSET S2R SHL SYNC I2F F2F LOP32I MUFU SSY F2I SHR LDC IMUL32I IMUL BRA BRK FMNMX PBK I2I DADD RRO ISCADD
        DFMA IMNMX FMUL32I FADD32I CONT DSET BFI PCNT DMUL IMAD AL2P BFE FFMA32I
    )");
}

TEST(turing_binary, ISA_03_every_listed_opcode_can_run)
{
    expect_executors(architecture::sm75, R"(
        MOV AST ALD ISETP FADD SEL STL FSETP FFMA LDL FMUL IMAD OUT IADD3 ISBERD PRMT EXIT S2R SHF.L SHF.R BRA
        I2F NOP MUFU F2I F2F LDC FMNMX FRND DADD LEA IABS DFMA DSETP DMUL AL2P LOP3.LUT FSET.BF IMAD.WIDE
        IMAD.HI BSSY BSYNC ISBEWR BREAK WARPSYNC IADD3.X OUT.FINAL
    )");
}

} // namespace
} // namespace isbesim::isa

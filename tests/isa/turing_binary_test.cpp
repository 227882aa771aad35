// SPDX-License-Identifier: Apache-2.0
// SM75 and SM86 binaries: the worked examples, whole programs, and every row of the tables with random fields.
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "tests/isa/listings.h"
#include "tests/support/bytes.h"

namespace isbesim::isa {
namespace {

struct example {
    const char* text;
    std::uint64_t high, low;
    bool since_sm86 = false; ///< has an address offset that SM75 lacks
};

// HARDWARE.md section G, E21.
const example examples[] = {
    {"ALD.128 R4,a[0x80],RZ &wr=0;", 0x000e020000000c00, 0x000080ffff047321},
    {"ALD R0,a[0x70],R5 &wr=0;", 0x000e020000000000, 0x00007005ff007321},
    {"ALD.O.P.64 R2,a[R1+0x20],RZ &wr=0;", 0x000e020000009400, 0x000020ff01027321},
    {"ALD.PHYS R1,a[R1],RZ &wr=0;", 0x000e020000002000, 0x000000ff01017321},
    {"AST.128 a[0x70],R4 &rd=1;", 0x0003c20000000cff, 0x00007004ff007322},
    {"AST a[0x80],R4,R0 &rd=1;", 0x0003c20000000000, 0x00008004ff007322},
    {"AL2P R1,R0,0x80 &wr=0;", 0x000e020000000000, 0x0000800000017920},
    {"ISBERD.MAP.U8 R3,[R2] &wr=0;", 0x000e020000000000, 0x0000000002037923},
    {"ISBERD.O.ATTR.SKEW.32 R3,[R2] &wr=0;", 0x000e02000000f800, 0x0000000002037923},
    {"ISBEWR.O.MAP.32 [RZ+0x3],R1 &rd=1;", 0x0003c20000008800, 0x00000301ff007927, true},
    {"ISBEWR.O.ATTR.SKEW.32 [R2+0x42],R1 &rd=1;", 0x0003c2000000f800, 0x0000420102007927, true},
    {"OUT.EMIT R0,R0,0x1 &wr=0;", 0x000e020000004000, 0x0000000100007924},
    {"OUT.CUT R0,R0,RZ &wr=0;", 0x000e020000008000, 0x000000ff00007324},
    {"OUT.EMIT_THEN_CUT R0,R0,0x0 &wr=0;", 0x000e02000000c000, 0x0000000000007924},
    {"OUT.FINAL RZ,R0,RZ;", 0x000fc20000000000, 0x000000ff00ff7324},
    // Not in section G: words that nvdisasm prints so in public listings.
    {"BAR.SYNC 0x0 ?stall=6 ;", 0x000fcc0000000000, 0x0000000000007b1d},
    {"BAR.SYNC.DEFER_BLOCKING 0x1 ?stall=6 ;", 0x000fcc0000010000, 0x0040000000007b1d},
};

TEST(turing_binary, ISA_02_worked_examples_both_ways)
{
    for (const architecture arch : {architecture::sm75, architecture::sm86})
        for (const auto& each : examples) {
            const auto bytes = test::bytes_of(std::vector<std::uint64_t>{each.low, each.high});
            if (each.since_sm86 && arch == architecture::sm75) {
                EXPECT_THROW(assemble(each.text, arch), program_error) << each.text;
                EXPECT_THROW(decode_program(bytes, arch), program_error) << each.text;
                continue;
            }
            EXPECT_EQ(encode_program(assemble(each.text, arch)), bytes) << each.text;
            const program decoded = decode_program(bytes, arch);
            EXPECT_EQ(encode_program(decoded), bytes) << each.text;
            EXPECT_EQ(encode_instruction(arch, decoded.code.at(0)), decoded.code.at(0).word) << each.text;
            EXPECT_EQ(encode_program(assemble(disassemble(decoded), arch)), bytes) << disassemble(decoded);
        }
}

TEST(turing_binary, ISA_02_unprinted_defaults_of_raw_accesses)
{
    const program code = assemble("ISBERD.MAP.U8 R3,[R2]; ISBEWR.O.ATTR.SKEW.32 [R2+0x42],R1;", architecture::sm86);
    EXPECT_EQ(instruction_text(code.code[0]), "ISBERD R3, [R2]");
    EXPECT_EQ(instruction_text(code.code[1]), "ISBEWR.O.ATTR.SKEW.32 [R2+0x42], R1");
}

TEST(turing_binary, ISA_02_final_out_shows_its_state_only)
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
        try {
            decode_program(bytes, architecture::sm75);
            ADD_FAILURE() << part;
        } catch (const program_error& error) {
            EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
        }
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

TEST(turing_text, ISA_01_errors_say_what_was_expected)
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

/// Every program of tests/data/sm75: text equal to the vendor's disassembly, and all bits kept on the way back.
TEST(turing_binary, ISA_02_real_programs_print_as_nvdisasm_and_come_back)
{
    const auto programs = listed_programs("sm75");
    EXPECT_EQ(programs.size(), 57U);
    std::size_t lines = 0;
    for (const auto& listed : programs) {
        const program code = decode_program(listed.bytes, architecture::sm75);
        for (const auto& line : listed.lines)
            EXPECT_EQ(instruction_text(code.code.at(code.index_of(line.address))) + ";", line.text) << listed.name;
        expect_every_bit_kept(listed, code);
        lines += listed.lines.size();
    }
    EXPECT_EQ(lines, 606U);
}

/// A random word of a row: fields random, modifiers legal, everything else as the row demands.
encoding random_word(const opcode_row& row, std::mt19937_64& random)
{
    encoding word = {random(), random()};
    for (const auto& modifier : row.modifiers) {
        const auto count = static_cast<std::uint64_t>(modifier.values.end() - modifier.values.begin());
        set_field(word, modifier.bits, (modifier.values.begin() + random() % count)->value);
    }
    for (const auto& spec : row.operands) // distances that fit a program, of either sign
        if (spec.form == form::target || spec.bits.width() > 32)
            set_field(word, spec.bits, static_cast<std::uint64_t>(static_cast<std::int64_t>(random()) >> 36));
    const encoding used = instruction_mask(architecture::sm75);
    for (std::size_t i = 0; i < 2; ++i) word[i] = ((word[i] & ~row.mask[i]) | (row.match[i] & row.mask[i])) & used[i];
    return word;
}

TEST(turing_binary, ISA_02_no_bit_of_any_row_is_lost)
{
    std::mt19937_64 random{77};
    for (const architecture arch : {architecture::sm75, architecture::sm86})
        for (const auto& row : instruction_table(arch))
            for (int round = 0; round < 50; ++round) {
                const encoding word = random_word(row, random);
                const opcode_row* found = find_row(arch, word);
                ASSERT_NE(found, nullptr) << row.mnemonic;
                const encoding again = encode_instruction(arch, decode_instruction(arch, word, 0x40));
                for (std::size_t i = 0; i < 2; ++i)
                    EXPECT_EQ(again[i] & ~found->ignored[i], word[i] & ~found->ignored[i]) << row.mnemonic;
            }
}

TEST(turing_binary, ISA_02_any_program_survives_text)
{
    std::mt19937_64 random{8};
    std::vector<std::uint64_t> words;
    for (const auto& row : instruction_table(architecture::sm86))
        for (int round = 0; round < 20; ++round) {
            const encoding word = random_word(row, random);
            words.push_back(word[0]);
            words.push_back(word[1] | (random() >> 2 & ~instruction_mask(architecture::sm86)[1]));
        }
    const auto bytes = test::bytes_of(words);
    const program code = decode_program(bytes, architecture::sm86);
    const program again = assemble(disassemble(code), architecture::sm86);
    ASSERT_EQ(again.code.size(), code.code.size());
    for (std::size_t i = 0; i < code.code.size(); ++i)
        ASSERT_EQ(again.code[i].word, code.code[i].word) << instruction_text(code.code[i]);
    EXPECT_EQ(encode_program(again), bytes);
}

TEST(turing_binary, ISA_03_every_listed_opcode_can_run)
{
    const char* names[] = {"MOV",  "AST",   "ALD",    "ISETP", "FADD",     "SEL",     "STL",       "FSETP",
                           "FFMA", "LDL",   "FMUL",   "IMAD",  "OUT",      "IADD3",   "ISBERD",    "PRMT",
                           "EXIT", "S2R",   "SHF.L",  "SHF.R", "BRA",      "I2F",     "NOP",       "MUFU",
                           "F2I",  "F2F",   "LDC",    "FMNMX", "FRND",     "DADD",    "LEA",       "IABS",
                           "DFMA", "DSETP", "DMUL",   "AL2P",  "LOP3.LUT", "FSET.BF", "IMAD.WIDE", "IMAD.HI",
                           "BSSY", "BSYNC", "ISBEWR", "BREAK", "WARPSYNC", "IADD3.X", "OUT.FINAL"};
    const auto& table = instruction_table(architecture::sm75);
    for (const char* name : names)
        EXPECT_TRUE(std::any_of(table.begin(), table.end(), [&](const opcode_row& row) {
            return std::string_view(row.mnemonic) == name && row.execute != nullptr;
        })) << name;
}

} // namespace
} // namespace isbesim::isa

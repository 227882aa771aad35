// SPDX-License-Identifier: Apache-2.0
// Bits that no field uses: which of them do nothing, and that nothing else is taken for one.
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/isa/encoding/binary.h"
#include "models/isa/encoding/codec.h"
#include "models/isa/tables/table.h"
#include "models/isa/text/text.h"
#include "tests/isa/listed_word.h"
#include "tests/support/bytes.h"

namespace isbesim::isa {
namespace {

constexpr architecture both[] = {architecture::sm50, architecture::sm75};

TEST(reserved_bits, ISA_02_they_change_neither_text_nor_fields)
{
    std::mt19937_64 random{71};
    for (const auto arch : both) {
        std::size_t words = 0;
        for (const auto& row : instruction_table(arch))
            for (unsigned bit = 0; bit < 128; ++bit) {
                if (!get_bit(reserved_bits(arch, row), bit)) continue;
                const encoding plain = random_word(arch, row, random);
                if (find_row(arch, plain) != &row) continue; // the word of an earlier, more special row
                encoding marked = plain;
                set_bit(marked, bit, true);
                const instruction before = decode_instruction(arch, plain, 0x48);
                const instruction after = decode_instruction(arch, marked, 0x48);
                EXPECT_EQ(after.row, &row) << row.mnemonic << " bit " << bit;
                EXPECT_EQ(instruction_text(after), instruction_text(before)) << row.mnemonic << " bit " << bit;
                EXPECT_EQ(after.word, marked);
                EXPECT_EQ(encode_instruction(arch, after), encode_instruction(arch, before));
                ++words;
            }
        EXPECT_GE(words, 2000U);
    }
}

TEST(reserved_bits, ISA_02_no_opcode_bit_is_reserved)
{
    std::mt19937_64 random{72};
    for (const auto arch : both) {
        const encoding opcode =
            arch == architecture::sm50 ? encoding{~std::uint64_t{0} << 51, 0} : encoding{0xfff, 1U << (91 - 64)};
        for (const auto& row : instruction_table(arch))
            for (unsigned bit = 0; bit < 128; ++bit) {
                if (!get_bit(opcode, bit) || !get_bit(row.mask, bit)) continue;
                encoding other = random_word(arch, row, random);
                set_bit(other, bit, !get_bit(other, bit));
                EXPECT_NE(find_row(arch, other), &row) << row.mnemonic << " bit " << bit;
            }
    }
}

struct opcode_pattern {
    std::uint64_t match, mask;
    const char* name;
};

// Instructions of the architecture that are not in the table (ENV).
const opcode_pattern other_sm50[] = {
    {0xf0c0000000000000, 0xfff8000000000000, "r2b"},          {0xf0b8000000000000, 0xfff8000000000000, "b2r"},
    {0xefe8000000000000, 0xfff8000000000000, "pixld"},        {0xeea0000000000000, 0xfff8000000000000, "stp"},
    {0xebf0000000000000, 0xfff9000000000000, "cctlt"},        {0xe390000000000000, 0xfff0000000000000, "ide"},
    {0xe360000000000000, 0xfff0000000000000, "rtt"},          {0xe2f0000000000000, 0xfff0000000000000, "setlmembase"},
    {0xe2e0000000000000, 0xfff0000000000000, "setcrsptr"},    {0xe2d0000000000000, 0xfff0000000000000, "getlmembase"},
    {0xe2c0000000000000, 0xfff0000000000000, "getcrsptr"},    {0xe230000000000000, 0xfff0000000000000, "pexit"},
    {0xdf40000000000000, 0xfff8000000000000, "txa"},          {0x5f00000000000000, 0xff00000000000000, "vmad"},
    {0x5d20000000000000, 0xfff8000000000000, "hsetp2"},       {0x5d18000000000000, 0xfff8000000000000, "hset2"},
    {0x5d10000000000000, 0xfff8000000000000, "hadd2"},        {0x5d08000000000000, 0xfff8000000000000, "hmul2"},
    {0x5d00000000000000, 0xfff8000000000000, "hfma2"},        {0x5cf0000000000000, 0xfff8000000000000, "r2p register"},
    {0x5ce8000000000000, 0xfff8000000000000, "p2r register"}, {0x5a80000000000000, 0xff80000000000000, "imadsp"},
    {0x5700000000000000, 0xff00000000000000, "vshl"},         {0x5600000000000000, 0xff00000000000000, "vshr"},
    {0x5400000000000000, 0xff00000000000000, "vabsdiff"},     {0x53f8000000000000, 0xfff8000000000000, "idp"},
    {0x5280000000000000, 0xff80000000000000, "imadsp"},       {0x50f0000000000000, 0xfff8000000000000, "vsetp"},
    {0x50e0000000000000, 0xfff8000000000000, "vote.vtg"},     {0x50d0000000000000, 0xfff8000000000000, "lepc"},
    {0x5098000000000000, 0xfff8000000000000, "cset"},         {0x5000000000000000, 0xff80000000000000, "vabsdiff4"},
    {0x4000000000000000, 0xfe00000000000000, "vset"},         {0x3a00000000000000, 0xfe00000000000000, "vmnmx"},
    {0x2c00000000000000, 0xfe00000000000000, "hadd2_32i"},    {0x2a00000000000000, 0xfe00000000000000, "hmul2_32i"},
    {0x2800000000000000, 0xfe00000000000000, "hfma2_32i"},    {0x2000000000000000, 0xfc00000000000000, "vadd"},
    {0x1d80000000000000, 0xff80000000000000, "iadd32i.po"},   {0x1000000000000000, 0xfc00000000000000, "imad32i"},
    {0x7800000000000000, 0xf800000000000000, "half pairs"},   {0x6080000000000000, 0xf880000000000000, "hfma2"},
};

TEST(reserved_bits, ISA_02_other_instructions_stay_unknown)
{
    std::mt19937_64 random{73};
    for (const auto& each : other_sm50)
        for (int round = 0; round < 300; ++round) {
            const encoding word = {(random() & ~each.mask) | each.match, 0};
            const opcode_row* row = find_row(architecture::sm50, word);
            ASSERT_EQ(row, nullptr) << each.name << " 0x" << std::hex << word[0] << " became " << row->mnemonic;
        }
    // SM75: every value of the opcode field that no row has.
    std::vector<bool> known(0x1000);
    for (const auto& row : instruction_table(architecture::sm75)) known[row.match[0] & 0xfffU] = true;
    for (unsigned opcode = 0; opcode < 0x1000; ++opcode)
        for (int round = 0; round < 10 && !known[opcode]; ++round) {
            const encoding word = {(random() & ~std::uint64_t{0xfff}) | opcode,
                                   random() & instruction_mask(architecture::sm75)[1]};
            ASSERT_EQ(find_row(architecture::sm75, word), nullptr) << std::hex << opcode;
        }
}

struct lost_meaning {
    const char* text;
    unsigned bit; ///< that a vendor's listing (cloudcores/CuAssembler), ENV or NAK gives a meaning
};

void expect_refused(architecture arch, const lost_meaning& each)
{
    encoding word = assemble(each.text, arch).code.at(0).word;
    set_bit(word, each.bit, true);
    const opcode_row* row = find_row(arch, word);
    EXPECT_TRUE(row == nullptr || !get_bit(reserved_bits(arch, *row), each.bit)) << each.text << " bit " << each.bit;
}

TEST(reserved_bits, ISA_02_modifiers_that_the_tables_lack_are_refused)
{
    for (const auto& each : {lost_meaning{"P2R R0, PR, R1, 0x7;", 40},
                             {"R2P PR, R1, 0x7;", 40},
                             {"I2F.F32.U8 R0, 0x7;", 41},
                             {"BAR.SYNC 0x0;", 35},
                             {"CCTLL.IV [R0];", 4},
                             {"FCHK.DIVIDE P0, R1, R2;", 39},
                             {"IADD3 R0, R1, R2, R3;", 35},
                             {"SHF.L R0, R1, 0x3, R2;", 27},
                             {"TXD R0, R2, R4, 0x1, 2D, 0xf;", 50},
                             {"TMML.LOD R0, R2, 0x1, 2D, 0x3;", 54}})
        expect_refused(architecture::sm50, each);
    for (const auto& each : {lost_meaning{"IDP.4A.S8.S8 R0, R1, R2, R3;", 76},
                             {"HADD2 R0, R1, R2;", 85},
                             {"HFMA2 R0, R1, R2, R3;", 79},
                             {"EXIT;", 84},
                             {"MEMBAR.SC.GPU;", 72},
                             {"MUFU.RCP R0, R1;", 73},
                             {"LOP3.LUT R0, R1, R2, R3, 0x80, !PT;", 80},
                             {"LDS R0, [R1];", 87},
                             {"ISBERD R0, [R1];", 40},
                             {"LD.E.SYS R0, [R2];", 64},
                             {"BMOV.32 B0, R1;", 84},
                             {"TLD.B.LZ R2, R0, R4, R12, 2D, 0xf;", 77},
                             {"TEX.B.LZ R2, R0, R4, R12, 2D, 0xf;", 79},
                             {"TMML.B.LOD R2, R0, R4, R12, 2D, 0x3;", 76}})
        expect_refused(architecture::sm75, each);
    // c[...] with bit 91 names its bank by uniform registers.
    for (const auto& row : instruction_table(architecture::sm75))
        EXPECT_FALSE(get_bit(reserved_bits(architecture::sm75, row), 91)) << row.mnemonic;
}

TEST(reserved_bits, ISA_02_one_warning_a_program_and_every_bit_is_kept)
{
    // FADD with bit 41, and with bits 41 and 42, around one without.
    const std::uint64_t plain = assemble("FADD R0, R1, R2;", architecture::sm50).code.at(0).word[0];
    const std::uint64_t one = plain | std::uint64_t{1} << 41, two = one | std::uint64_t{1} << 42;
    const auto bytes = test::bytes_of(std::vector<std::uint64_t>{0x001f'8400'fc20'07e1, plain, two, one});
    const program code = decode_program(bytes, architecture::sm50);
    ASSERT_EQ(code.warnings.size(), 1U);
    EXPECT_EQ(code.warnings[0].text,
              "2 instructions have bits set that are ignored, first FADD at address 0x0010 bits 41, 42; they are kept");
    EXPECT_EQ(code.warnings[0].address, 0x10U);
    EXPECT_STREQ(code.warnings[0].kind, ignored_bits_kind);
    const std::string text = disassemble(code);
    EXPECT_NE(text.find("/*0010*/ FADD R0, R1, R2 ?stall=1 ?word=0x5c58060000270100 ;"), std::string::npos) << text;
    const program again = assemble(text, architecture::sm50);
    EXPECT_EQ(encode_program(again), bytes);
    ASSERT_EQ(again.warnings.size(), 1U);
    EXPECT_EQ(again.warnings[0].text, code.warnings[0].text);
    EXPECT_TRUE(decode_program(encode_program(assemble("FADD R0, R1, R2;", architecture::sm50)), architecture::sm50)
                    .warnings.empty());
}

/// NAK names RZ where an atomic's result would go.
TEST(reserved_bits, ISA_02_a_reduction_may_name_a_result)
{
    auto bytes = encode_program(assemble("RED.E.ADD.STRONG.SYS [R2], R4;", architecture::sm75));
    bytes[2] = 0xff;
    const program code = decode_program(bytes, architecture::sm75);
    EXPECT_TRUE(code.warnings.empty());
    EXPECT_EQ(encode_program(assemble(disassemble(code), architecture::sm75)), bytes);
}

TEST(reserved_bits, ISA_02_any_word_is_refused_or_round_trips)
{
    std::mt19937_64 random{74};
    for (const auto arch : both) {
        const auto& rows = instruction_table(arch);
        std::size_t known = 0;
        program code;
        code.arch = arch;
        for (int round = 0; round < 6000; ++round) {
            // Half of them with an opcode that exists.
            encoding word = {random(), random() & instruction_mask(arch)[1]};
            if (round % 2 == 0) {
                const auto& row = rows[random() % rows.size()];
                const std::uint64_t opcode = arch == architecture::sm50 ? ~std::uint64_t{0} << 51 : 0xfff;
                word[0] = (word[0] & ~(opcode & row.mask[0])) | (row.match[0] & opcode);
                if (arch != architecture::sm50) set_bit(word, 91, false);
            }
            try {
                instruction decoded = decode_instruction(arch, word, code.address_of(code.code.size()));
                code.code.push_back(decoded);
                ++known;
            } catch (const program_error&) {
            }
        }
        EXPECT_GE(known, 500U);
        const program again = assemble(disassemble(code), arch);
        ASSERT_EQ(again.code.size(), code.code.size());
        for (std::size_t i = 0; i < code.code.size(); ++i)
            ASSERT_EQ(again.code[i].word, code.code[i].word) << instruction_text(code.code[i]);
    }
}

} // namespace
} // namespace isbesim::isa

// SPDX-License-Identifier: Apache-2.0
// The fields of the attribute instructions, written down a second time and by another way: positions and widths as the
// public encoders have them (Mesa's CodeEmitterGM107 and CodeEmitterGV100, NAK's sm50.rs and sm70_encode.rs, envydis
// gm107.c), meanings as the instruction pages have them. Words and texts are put together here from single bits;
// nothing of the decoder's tables takes part, so that a field which is too wide there is found.
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/isa/encoding/codec.h"
#include "models/isa/text/statement.h"
#include "models/isa/text/text.h"
#include "tests/support/repetitions.h"
#include "tlm/hex.h"

namespace isbesim::isa {
namespace {

enum what { rd, ra, rb, immediate, size, patch, phys, output, region, skew, guard, type, predicate, bank, count };

struct place {
    what meaning;
    unsigned low, bits;
    unsigned sign = 0; ///< position of the highest bit of the value, if it does not follow the others
};

using values = std::array<std::uint32_t, count>;

struct account {
    std::string name;
    std::vector<architecture> on;
    encoding opcode; ///< low and high half
    std::vector<place> fields;
    std::function<std::string(const values&, architecture)> text; ///< "" where no instruction has these values
};

std::string reg(std::uint32_t number)
{
    return number == 255 ? "RZ" : "R" + std::to_string(number);
}

std::string guarded(const values& v)
{
    if (v[guard] == 7) return "";
    const auto number = v[guard] % 8;
    return (v[guard] < 8 ? "@P" : "@!P") + (number == 7 ? "T" : std::to_string(number)) + " ";
}

std::string words(const values& v)
{
    constexpr const char* names[] = {"", ".64", ".96", ".128"};
    return names[v[size]];
}

std::string out_of(const values& v)
{
    return v[output] != 0 ? ".O" : "";
}

std::int32_t as_signed(std::uint32_t value, unsigned bits)
{
    return static_cast<std::int32_t>(value << (32 - bits)) >> (32 - bits);
}

std::string suffix(std::uint32_t base, std::int32_t offset, const char* zero)
{
    if (base == 255) return offset == 0 ? zero : signed_hex(offset);
    return reg(base) + (offset == 0 ? "" : "+" + signed_hex(offset));
}

/// "If Ra is not specified or Ra is RZ, the input address is an unsigned 10b immediate"; else Ra + #ImmS11.
std::string attribute_address(const values& v, architecture arch)
{
    const auto offset = v[ra] == 255 ? static_cast<std::int32_t>(v[immediate] % 1024) : as_signed(v[immediate], 11);
    return "a[" + suffix(v[ra], offset, arch == architecture::sm50 ? "RZ" : "0x0") + "]";
}

/// .P and .PHYS: SM50 has no bit for the latter, which is .P=0 and Ra!=RZ.
std::string address_form_of(const values& v, architecture arch)
{
    if (v[patch] != 0) return v[phys] != 0 ? "none" : ".P";
    const bool physical = arch == architecture::sm50 ? v[ra] != 255 : v[phys] != 0;
    return physical ? ".PHYS" : "";
}

std::string handle(const values& v)
{
    return v[rb] == 255 ? "" : ", " + reg(v[rb]);
}

std::string ald(const values& v, architecture arch)
{
    const auto form = address_form_of(v, arch);
    if (form == "none") return "";
    return guarded(v) + "ALD" + out_of(v) + form + words(v) + " " + reg(v[rd]) + ", " + attribute_address(v, arch) +
           handle(v);
}

std::string ast(const values& v, architecture arch)
{
    const auto form = address_form_of(v, arch);
    if (form == "none") return "";
    return guarded(v) + "AST" + form + words(v) + " " + attribute_address(v, arch) + ", " + reg(v[rd]) + handle(v);
}

std::string al2p(const values& v, architecture arch)
{
    const bool shown = arch == architecture::sm50 && v[predicate] != 7;
    return guarded(v) + "AL2P" + out_of(v) + words(v) + " " + (shown ? "P" + std::to_string(v[predicate]) + ", " : "") +
           reg(v[rd]) + ", " + reg(v[ra]) + ", " + signed_hex(as_signed(v[immediate], 11));
}

std::string raw_name(const values& v)
{
    constexpr const char* regions[] = {"", ".PATCH", ".PRIM", ".ATTR"};
    constexpr const char* sizes[] = {"", ".U16", ".32"};
    return out_of(v) + regions[v[region]] + (v[skew] != 0 ? ".SKEW" : "") + sizes[v[size]] + " ";
}

std::string raw_address(const values& v)
{
    return "[" + suffix(v[ra], as_signed(v[immediate], 16), "RZ") + "]";
}

std::string isberd(const values& v, architecture /*arch*/)
{
    if (v[size] == 3) return "";
    return guarded(v) + "ISBERD" + raw_name(v) + reg(v[rd]) + ", " + raw_address(v);
}

std::string isbewr(const values& v, architecture /*arch*/)
{
    if (v[size] == 3) return "";
    return guarded(v) + "ISBEWR" + raw_name(v) + raw_address(v) + ", " + reg(v[rd]);
}

/// `sb` as printed. Type 0 has no effect of its own on SM50 and is OUT.FINAL later, which shows what its encoders vary.
std::string out(const values& v, architecture arch, const std::string& sb)
{
    constexpr const char* types[] = {"", ".EMIT", ".CUT", ".EMIT_THEN_CUT"};
    const std::string operands = " " + reg(v[rd]) + ", " + reg(v[ra]) + ", " + sb;
    if (arch == architecture::sm50 || v[type] != 0) {
        const bool invalid = v[type] == 0;
        return guarded(v) + "OUT" + (invalid ? ".INVALID" : types[v[type]]) + operands;
    }
    const bool is_short = v[rd] == 255 && (sb == "RZ" || sb == "R0");
    return guarded(v) + "OUT.FINAL" + (is_short ? " " + reg(v[ra]) : operands);
}

std::string out_register(const values& v, architecture arch)
{
    return out(v, arch, reg(v[rb]));
}

std::string out_immediate(const values& v, architecture arch)
{
    return out(v, arch, signed_hex(as_signed(v[immediate], arch == architecture::sm50 ? 20 : 32)));
}

/// A constant's offset counts words on SM50; later bytes, whose lowest two bits are not encoded.
std::string out_constant(const values& v, architecture arch)
{
    return out(v, arch, "c[" + hex(v[bank]) + "][" + hex(4 * v[immediate]) + "]");
}

constexpr std::uint64_t top(std::uint64_t opcode)
{
    return opcode << 48;
}

const std::vector<architecture> maxwell = {architecture::sm50}, turing = {architecture::sm75},
                                ampere = {architecture::sm86, architecture::sm120},
                                with_constants = {architecture::sm75, architecture::sm86},
                                later = {architecture::sm75, architecture::sm86, architecture::sm120};

const std::vector<place> sm50_attribute = {{rd, 0, 8},     {ra, 8, 8},      {guard, 16, 4}, {immediate, 20, 11},
                                           {patch, 31, 1}, {output, 32, 1}, {rb, 39, 8},    {size, 47, 2}};
const std::vector<place> sm75_attribute = {{ra, 24, 8},   {guard, 12, 4}, {immediate, 40, 11},
                                           {size, 74, 2}, {patch, 76, 1}, {phys, 77, 1}};
const std::vector<place> sm75_raw = {{ra, 24, 8},     {guard, 12, 4}, {size, 74, 2},
                                     {region, 76, 2}, {skew, 78, 1},  {output, 79, 1}};

std::vector<place> with(std::vector<place> fields, std::initializer_list<place> more)
{
    fields.insert(fields.end(), more);
    return fields;
}

const std::vector<place> sm50_base = {{rd, 0, 8}, {ra, 8, 8}, {guard, 16, 4}},
                         sm75_base = {{rd, 16, 8}, {ra, 24, 8}, {guard, 12, 4}};

const std::vector<account> accounts = {
    {"ALD", maxwell, {top(0xefd8), 0}, sm50_attribute, ald},
    // NAK sets bit 32 of a store, the other encoders leave it alone.
    {"AST", maxwell, {top(0xeff0), 0}, sm50_attribute, ast},
    {"AL2P",
     maxwell,
     {top(0xefa0), 0},
     with(sm50_base, {{immediate, 20, 11}, {output, 32, 1}, {predicate, 44, 3}, {size, 47, 2}}),
     al2p},
    {"ISBERD",
     maxwell,
     {top(0xefd0), 0},
     with(sm50_base, {{skew, 31, 1}, {output, 32, 1}, {region, 33, 2}, {size, 47, 2}}),
     isberd},
    {"OUT register", maxwell, {top(0xfbe0), 0}, with(sm50_base, {{rb, 20, 8}, {type, 39, 2}}), out_register},
    {"OUT immediate",
     maxwell,
     {top(0xf6e0), 0},
     with(sm50_base, {{immediate, 20, 20, 56}, {type, 39, 2}}),
     out_immediate},
    {"OUT constant",
     maxwell,
     {top(0xebe0), 0},
     with(sm50_base, {{immediate, 20, 14}, {bank, 34, 5}, {type, 39, 2}}),
     out_constant},
    {"ALD", later, {0x321, 0}, with(sm75_attribute, {{rd, 16, 8}, {rb, 32, 8}, {output, 79, 1}}), ald},
    {"AST", later, {0x322, 0}, with(sm75_attribute, {{rd, 32, 8}, {rb, 64, 8}}), ast},
    {"AL2P", later, {0x920, 0}, with(sm75_base, {{immediate, 40, 11}, {size, 74, 2}, {output, 79, 1}}), al2p},
    {"ISBERD", turing, {0x923, 0}, with(sm75_raw, {{rd, 16, 8}}), isberd},
    {"ISBERD", ampere, {0x923, 0}, with(sm75_raw, {{rd, 16, 8}, {immediate, 40, 16}}), isberd},
    {"ISBEWR", turing, {0x927, 0}, with(sm75_raw, {{rd, 32, 8}}), isbewr},
    {"ISBEWR", ampere, {0x927, 0}, with(sm75_raw, {{rd, 32, 8}, {immediate, 40, 16}}), isbewr},
    {"OUT register", later, {0x324, 0}, with(sm75_base, {{rb, 32, 8}, {type, 78, 2}}), out_register},
    {"OUT immediate", later, {0x924, 0}, with(sm75_base, {{immediate, 32, 32}, {type, 78, 2}}), out_immediate},
    {"OUT constant",
     with_constants,
     {0xb24, 0},
     with(sm75_base, {{immediate, 40, 14}, {bank, 54, 5}, {type, 78, 2}}),
     out_constant},
};

void put(encoding& word, unsigned position, bool bit)
{
    const std::uint64_t one = std::uint64_t{1} << (position % 64);
    word[position / 64] = bit ? word[position / 64] | one : word[position / 64] & ~one;
}

unsigned position_of(const place& field, unsigned bit)
{
    return field.sign != 0 && bit + 1 == field.bits ? field.sign : field.low + bit;
}

encoding word_of(const account& each, const values& v)
{
    encoding word = each.opcode;
    for (const auto& field : each.fields)
        for (unsigned bit = 0; bit < field.bits; ++bit)
            put(word, position_of(field, bit), (v[field.meaning] >> bit & 1U) != 0);
    return word;
}

/// The word that an assembler writes for the text: bits that mean nothing with these values are 0.
encoding plain_word(const account& each, architecture arch, const values& v)
{
    values plain = v;
    const bool attribute = each.name == "ALD" || each.name == "AST";
    if (attribute && v[ra] == 255) plain[immediate] %= 1024;
    if (each.name == "AST") plain[output] = 0;
    const std::string text = each.text(v, arch);
    const bool short_final = text.find("OUT.FINAL") != std::string::npos && text.find(',') == std::string::npos;
    if (short_final) plain[rb] = 0; // one of the two encodings of compilers
    return word_of(each, plain);
}

/// Which values a program text cannot have: a register of a logical address.
bool refused(const account& each, architecture arch, const values& v)
{
    const bool attribute = each.name == "ALD" || each.name == "AST";
    return attribute && arch != architecture::sm50 && v[patch] == 0 && v[phys] == 0 && v[ra] != 255;
}

void expect_word(const account& each, architecture arch, const values& v, bool forward)
{
    const encoding word = word_of(each, v);
    const std::string text = each.text(v, arch);
    if (text.empty()) {
        EXPECT_THROW(decode_instruction(arch, word, 0), program_error) << each.name;
        return;
    }
    ASSERT_EQ(instruction_text(decode_instruction(arch, word, 0)), text)
        << each.name << std::hex << " " << word[1] << " " << word[0];
    if (!forward) return;
    if (refused(each, arch, v)) {
        EXPECT_THROW(parse_instruction(text, arch, 0), program_error) << text;
        return;
    }
    ASSERT_EQ(parse_instruction(text, arch, 0).word, plain_word(each, arch, v)) << text;
}

values some_values(const account& each, std::mt19937& random)
{
    values v{};
    v[guard] = 7;
    v[predicate] = 7;
    v[rb] = 255;
    for (const auto& field : each.fields) {
        v[field.meaning] = static_cast<std::uint32_t>(random()) >> (32 - field.bits);
        const bool is_register = field.meaning == rd || field.meaning == ra || field.meaning == rb;
        if (is_register && random() % 3 == 0) v[field.meaning] = 255;
    }
    if (each.fields.back().meaning == type || v[size] == 3) v[size] = 2;
    return v;
}

TEST(attribute_fields, ISA_01_ISA_02_every_value_of_every_field)
{
    constexpr unsigned narrow = 11;
    std::mt19937 random{37};
    share cases;
    for (const auto& each : accounts)
        for (const auto arch : each.on)
            for (const auto& field : each.fields)
                for (unsigned round = 0; round < 3; ++round) {
                    // Wider fields: each bit alone and as many values as narrow ones have.
                    for (unsigned bit = narrow; bit < field.bits; ++bit) {
                        values v = some_values(each, random);
                        v[field.meaning] = 1U << bit;
                        expect_word(each, arch, v, true);
                    }
                    for (std::uint32_t value = 0; value < 1U << std::min(field.bits, narrow); ++value) {
                        values v = some_values(each, random);
                        if (cases.skips_next()) continue;
                        v[field.meaning] =
                            field.bits <= narrow ? value : static_cast<std::uint32_t>(random()) >> (32 - field.bits);
                        expect_word(each, arch, v, true);
                        if (testing::Test::HasFailure()) return;
                    }
                }
}

TEST(attribute_fields, ISA_01_ISA_02_every_immediate_with_every_kind_of_address)
{
    share cases;
    for (const auto& each : accounts) {
        if (each.name != "ALD" && each.name != "AST" && each.name != "AL2P") continue;
        for (const auto arch : each.on)
            for (const unsigned base : {0U, 254U, 255U})
                for (unsigned form = 0; form < 8; ++form)
                    for (unsigned value = 0; value < 2048; ++value) {
                        if (cases.skips_next()) continue;
                        values v{};
                        v[guard] = v[predicate] = 7;
                        v[ra] = base;
                        v[rb] = form % 2 == 0 ? 255 : 9;
                        v[immediate] = value;
                        v[output] = form & 1U;
                        v[patch] = form >> 1U & 1U;
                        v[phys] = form >> 2U & 1U;
                        if (arch == architecture::sm50) v[phys] = 0;
                        expect_word(each, arch, v, value % 7 == 0 || value >= 1020);
                        if (testing::Test::HasFailure()) return;
                    }
    }
}

/// Bits that no field has: outside the opcode they change nothing and are reported, or the word is refused.
TEST(attribute_fields, ISA_02_bits_outside_the_fields)
{
    std::mt19937 random{38};
    for (const auto& each : accounts)
        for (const auto arch : each.on) {
            encoding taken = arch == architecture::sm50 ? encoding{~std::uint64_t{0} << 51, 0}
                                                        : encoding{0xfff, std::uint64_t{1} << (91 - 64)};
            for (const auto& field : each.fields)
                for (unsigned bit = 0; bit < field.bits; ++bit) put(taken, position_of(field, bit), true);
            for (unsigned bit = 0; bit < (arch == architecture::sm50 ? 51U : 105U); ++bit) {
                if ((taken[bit / 64] >> (bit % 64) & 1U) != 0) continue;
                values v = some_values(each, random);
                v[ra] = 3; // all eleven bits of an immediate count
                v[patch] = 1, v[phys] = 0;
                encoding word = word_of(each, v);
                put(word, bit, true);
                const bool later_offset =
                    arch == architecture::sm75 && each.name.substr(0, 4) == "ISBE" && bit >= 40 && bit < 56;
                if (later_offset) {
                    EXPECT_THROW(decode_instruction(arch, word, 0), program_error) << each.name << " bit " << bit;
                    continue;
                }
                const instruction read = decode_instruction(arch, word, 0);
                EXPECT_EQ(instruction_text(read), each.text(v, arch)) << each.name << " bit " << bit;
                encoding only{};
                put(only, bit, true);
                EXPECT_EQ(ignored_bits(arch, read), only) << each.name << " bit " << bit;
            }
        }
}

/// The sign's bit beside RZ: it is reported as every other bit without effect, and it is kept.
TEST(attribute_fields, ISA_02_the_sign_of_an_address_without_register_is_ignored)
{
    for (const auto& each : accounts) {
        if (each.name != "ALD" && each.name != "AST") continue;
        for (const auto arch : each.on) {
            values v{};
            v[guard] = 7;
            v[ra] = v[rb] = 255;
            v[immediate] = 0x480;
            const unsigned sign = arch == architecture::sm50 ? 30 : 50;
            const instruction read = decode_instruction(arch, word_of(each, v), 0);
            encoding only{};
            put(only, sign, true);
            EXPECT_EQ(read.at(slot::address).value, 0x80U);
            EXPECT_EQ(ignored_bits(arch, read), only);
            EXPECT_TRUE(get_bit(read.word, sign));
        }
    }
}

} // namespace
} // namespace isbesim::isa

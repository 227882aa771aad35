// SPDX-License-Identifier: Apache-2.0
// A word and what the vendor's disassembler prints for it, both ways.
#pragma once

#include <cstdint>
#include <random>

#include <gtest/gtest.h>

#include "models/isa/encoding/codec.h"
#include "models/isa/tables/table.h"
#include "models/isa/text/statement.h"
#include "models/isa/text/text.h"

namespace isbesim::isa {

struct listed_word {
    const char* text;
    std::uint64_t high, low;
};

/// Bits that the row ignores may come back otherwise.
inline void expect_both_ways(architecture arch, const listed_word& each, std::uint32_t address = 0)
{
    const encoding word = {each.low, each.high};
    const instruction decoded = decode_instruction(arch, word, address);
    EXPECT_EQ(instruction_text(decoded), each.text);
    const encoding again = parse_instruction(each.text, arch, address).word;
    for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ((again[i] ^ word[i]) & ~decoded.row->ignored[i], 0U) << each.text;
}

// Words that a row of the tables describes.

/// A random word of a row: fields random, modifiers legal, everything else as the row demands.
inline encoding random_word(architecture arch, const opcode_row& row, std::mt19937_64& random)
{
    encoding word = {random(), random()};
    for (const auto& modifier : row.modifiers) {
        const auto count = static_cast<std::uint64_t>(modifier.values.end() - modifier.values.begin());
        std::uint64_t value = (modifier.values.begin() + random() % count)->value;
        if (modifier.bits.width() < 8) value &= (1U << modifier.bits.width()) - 1;
        set_field(word, modifier.bits, value);
    }
    for (const auto& spec : row.operands) // distances that fit a program, of either sign
        if (arch != architecture::sm50 && (spec.form == form::target || spec.bits.width() > 32))
            set_field(word, spec.bits, static_cast<std::uint64_t>(static_cast<std::int64_t>(random()) >> 36));
    const encoding used = instruction_mask(arch);
    for (std::size_t i = 0; i < 2; ++i) word[i] = ((word[i] & ~row.mask[i]) | (row.match[i] & row.mask[i])) & used[i];
    return word;
}

} // namespace isbesim::isa

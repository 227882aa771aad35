// SPDX-License-Identifier: Apache-2.0
// A word and what the vendor's disassembler prints for it, both ways.
#pragma once

#include <cstdint>

#include <gtest/gtest.h>

#include "models/isa/encoding/codec.h"
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

} // namespace isbesim::isa

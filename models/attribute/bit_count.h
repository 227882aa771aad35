// SPDX-License-Identifier: Apache-2.0
// Number of 1 bits. Without a target option, the compiler's built-in is a library call, too slow for hot paths.
#pragma once

#include <cstdint>

namespace isbesim {

/// Sum of the four bytes of a word, itself below 256.
constexpr std::uint32_t sum_of_bytes(std::uint32_t value)
{
    return value * 0x01010101U >> 24;
}

constexpr unsigned bit_count(std::uint32_t value)
{
    value -= (value >> 1) & 0x55555555U;
    value = (value & 0x33333333U) + ((value >> 2) & 0x33333333U);
    value = (value + (value >> 4)) & 0x0f0f0f0fU;
    return sum_of_bytes(value);
}

/// The same for loops over lanes: a form that compilers don't replace by an instruction that has no vector version. For
/// any word type of the rules (models/isbe/rules/word_type.h).
template <typename word_type>
constexpr word_type lane_bit_count(word_type value)
{
    value = value - ((value >> word_type(1)) & word_type(0x55555555U));
    value = (value & word_type(0x33333333U)) + ((value >> word_type(2)) & word_type(0x33333333U));
    value = (value + (value >> word_type(4))) & word_type(0x0f0f0f0fU);
    value = value + (value >> word_type(8));
    return (value + (value >> word_type(16))) & word_type(0x3fU);
}

} // namespace isbesim

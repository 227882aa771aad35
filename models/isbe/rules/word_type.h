// SPDX-License-Identifier: Apache-2.0
// The types that the rules of this folder work on. A rule of micro-architecture section 4 is a pure function of the
// values of one lane (and of its whole operation), a template over the word type: std::uint32_t in the model, a special
// type in a test, a bit vector of a solver. So a rule has no table, no pointer and no loop over data, and it chooses
// only by select(): both sides are always evaluated.
//
// A word type can be constructed from a std::uint32_t and has + - * & | ^ ~ << >> (logical shifts by words below 32)
// and == != < <= > >=, unsigned and modulo 2^32. The result of a comparison is its truth type, with & | ! but never
// && or ||. select(truth, word, word) is declared next to the word type. Rules that only combine truths are templates
// over the truth type: with a set of lanes as that type, they decide for 32 lanes at once.
#pragma once

#include <cstdint>
#include <utility>

/// Rules are always inlined, so that loops over lanes that call them vectorise.
#if defined(__GNUC__)
#define ISBESIM_RULE [[gnu::always_inline]] constexpr
#else
#define ISBESIM_RULE constexpr
#endif

namespace isbesim::rules {

template <typename word_type>
using truth_of = decltype(std::declval<const word_type&>() < std::declval<const word_type&>());

ISBESIM_RULE std::uint32_t select(bool condition, std::uint32_t when_true, std::uint32_t when_false)
{
    return condition ? when_true : when_false;
}
ISBESIM_RULE std::uint64_t select(bool condition, std::uint64_t when_true, std::uint64_t when_false)
{
    return condition ? when_true : when_false;
}

/// The number of an enumerator as a word.
template <typename word_type, typename enumeration>
ISBESIM_RULE word_type code(enumeration value)
{
    return word_type(static_cast<std::uint32_t>(value));
}

} // namespace isbesim::rules

// SPDX-License-Identifier: Apache-2.0
// ISBERD and ISBEWR: the bytes that an access covers and their places in two words (micro-architecture section 4.5).
// `size` is 1, 2 or 4 bytes.
#pragma once

#include "models/isbe/rules/address_sum.h"
#include "models/isbe/rules/word_type.h"

namespace isbesim::rules {

/// ISBEWR in MAP covers bytes A-N+1 .. A instead of A .. A+N-1.
template <typename word_type>
ISBESIM_RULE truth_of<word_type> runs_downwards(truth_of<word_type> store, truth_of<word_type> map_region)
{
    return store & map_region;
}

/// First covered byte, from the base of the region.
template <typename word_type>
ISBESIM_RULE address_sum<word_type> first_covered(word_type address, word_type immediate, word_type size,
                                                  truth_of<word_type> downwards)
{
    const auto sum = add_immediate(address, immediate);
    return {sum.bytes - select(downwards, size - word_type(1), word_type(0)), sum.both_negative};
}

/// All covered bytes lie in a region of `bytes`.
template <typename word_type>
ISBESIM_RULE truth_of<word_type> covered_inside(const address_sum<word_type>& first, word_type size, word_type bytes)
{
    return is_below(first, select(bytes >= size, bytes - size + word_type(1), word_type(0)));
}

/// Place of a byte in its word.
template <typename word_type>
ISBESIM_RULE word_type byte_in_word(word_type address)
{
    return address & word_type(3);
}

/// The last covered byte lies in the next word; `at` is the place of the first byte.
template <typename word_type>
ISBESIM_RULE truth_of<word_type> crosses_words(word_type at, word_type size)
{
    return at + size > word_type(4);
}

/// Bits of a value of `size` bytes.
template <typename word_type>
ISBESIM_RULE word_type value_bits(word_type size)
{
    return ~word_type(0) >> (word_type(32) - size * word_type(8));
}

/// Bits of a value that go into the first word and into the next one.
template <typename word_type>
ISBESIM_RULE word_type part_in_first(word_type value, word_type at)
{
    return value << at * word_type(8);
}
template <typename word_type>
ISBESIM_RULE word_type part_in_next(word_type value, word_type at)
{
    return value >> (word_type(31) - at * word_type(8)) >> word_type(1); // a shift by 32 gives 0
}

/// The value that begins at byte `at` of the first word, zero-extended.
template <typename word_type>
ISBESIM_RULE word_type joined_value(word_type first, word_type next, word_type at, word_type size)
{
    const word_type shift = at * word_type(8);
    const word_type both = first >> shift | next << word_type(1) << (word_type(31) - shift);
    return both & value_bits(size);
}

/// MAP_BYTE_SWAP: the lowest `size` bytes in reverse order; the other bytes are 0.
template <typename word_type>
ISBESIM_RULE word_type swapped_bytes(word_type value, word_type size)
{
    const word_type pairs =
        (value & word_type(0x00ff00ffU)) << word_type(8) | (value >> word_type(8) & word_type(0x00ff00ffU));
    const word_type all = pairs << word_type(16) | pairs >> word_type(16);
    return all >> (word_type(32) - size * word_type(8));
}

} // namespace isbesim::rules

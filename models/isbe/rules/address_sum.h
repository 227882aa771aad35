// SPDX-License-Identifier: Apache-2.0
// Addresses of ALD, AST and AL2P: the sum, its alignment and the attribute that it names (micro-architecture sections
// 4.2, 4.3 and 4.4).
#pragma once

#include "models/isbe/rules/word_type.h"

namespace isbesim::rules {

/// Attribute addresses are 0 .. 0x3ff.
inline constexpr std::uint32_t attribute_bytes_end = 0x400;

/// Address + immediate, two signed numbers of 32 bits, in bytes. "Wide enough never to wrap" (section 1) in 32 bits: a
/// negative sum is 2^31 or more modulo 2^32, above every bound, unless both numbers are negative.
template <typename word_type>
struct address_sum {
    word_type bytes;         ///< modulo 2^32
    word_type both_negative; ///< bit 31
};
template <typename word_type>
ISBESIM_RULE address_sum<word_type> add_immediate(word_type address, word_type immediate)
{
    return {address + immediate, address & immediate};
}

/// 0 <= sum < bound, for bounds up to 2^31.
template <typename word_type>
ISBESIM_RULE truth_of<word_type> is_below(const address_sum<word_type>& sum, word_type bound)
{
    return (sum.bytes < bound) & ((sum.both_negative & word_type(0x80000000U)) == word_type(0));
}

/// Mask that aligns an address for a size of 1 .. 4 words: down to a multiple of 4, 8, 16 or 16 bytes.
template <typename word_type>
ISBESIM_RULE word_type alignment_mask(word_type size)
{
    return select(size == word_type(1), ~word_type(3), select(size == word_type(2), ~word_type(7), ~word_type(15)));
}

/// Section 4.2, logical: the address belongs to an attribute.
template <typename word_type>
ISBESIM_RULE truth_of<word_type> names_attribute(const address_sum<word_type>& sum)
{
    return is_below(sum, word_type(attribute_bytes_end));
}
/// Attribute of component 0, below 256 for any sum. `alignment` is an alignment_mask().
template <typename word_type>
ISBESIM_RULE word_type attribute_id(const address_sum<word_type>& sum, word_type alignment)
{
    return (sum.bytes & alignment & word_type(attribute_bytes_end - 1)) >> word_type(2);
}

} // namespace isbesim::rules

// SPDX-License-Identifier: Apache-2.0
// AL2P results: their encoding (micro-architecture section 4.4), and their decoding by .PHYS (4.2).
#pragma once

#include "models/isbe/rules/word_type.h"

namespace isbesim::rules {

/// Fields of a result besides the id, bits 15:8, and the rank, bits 7:0.
inline constexpr std::uint32_t al2p_tag = 0xa2000000U;
inline constexpr std::uint32_t al2p_tag_bits = 0xfff00000U; ///< bits 23:20 are 0
inline constexpr std::uint32_t al2p_per_primitive = 1U << 19;
inline constexpr std::uint32_t al2p_space = 1U << 18;
inline constexpr std::uint32_t al2p_out_of_range = 1U << 17;
inline constexpr std::uint32_t al2p_enabled = 1U << 16;

/// Section 4.4. `enabled` is 0 or 1; id and rank are below 256.
template <typename word_type>
ISBESIM_RULE word_type al2p_result(truth_of<word_type> output, truth_of<word_type> inside,
                                   truth_of<word_type> per_primitive, word_type enabled, word_type id, word_type rank)
{
    const word_type base = word_type(al2p_tag) | select(output, word_type(al2p_space), word_type(0));
    const word_type primitive = select(per_primitive, word_type(al2p_per_primitive), word_type(0));
    const word_type found = primitive | enabled << word_type(16) | id << word_type(8) | rank;
    return base | select(inside, found, word_type(al2p_out_of_range));
}

/// Test 1 of section 4.2: the value carries the tag and names the space.
template <typename word_type>
ISBESIM_RULE truth_of<word_type> is_result_of(word_type value, truth_of<word_type> output)
{
    const word_type expected = word_type(al2p_tag) | select(output, word_type(al2p_space), word_type(0));
    return (value & word_type(al2p_tag_bits | al2p_space)) == expected;
}

/// Fields of a value that passed is_result_of().
template <typename word_type>
struct physical_fields {
    word_type out_of_range; ///< 0 or 1, as all flags
    word_type enabled;
    word_type id;
    word_type rank;
};
template <typename word_type>
ISBESIM_RULE physical_fields<word_type> decode_physical(word_type value)
{
    return {value >> word_type(17) & word_type(1), value >> word_type(16) & word_type(1),
            value >> word_type(8) & word_type(0xff), value & word_type(0xff)};
}

template <typename word_type>
ISBESIM_RULE truth_of<word_type> is_for_output(word_type value)
{
    return (value & word_type(al2p_space)) != word_type(0);
}
template <typename word_type>
ISBESIM_RULE truth_of<word_type> is_for_primitive(word_type value)
{
    return (value & word_type(al2p_per_primitive)) != word_type(0);
}

/// Test 3: the id of a load's value is that of a generated attribute in PRIM (attribute_tests.h).
template <typename word_type>
ISBESIM_RULE truth_of<word_type> result_in_prim(truth_of<word_type> output, word_type id, word_type value)
{
    return (!output) & ((id == word_type(24)) | (((id | word_type(1)) == word_type(191)) & is_for_primitive(value)));
}

/// Test 6: an enabled attribute has such a rank only in a value that AL2P did not produce.
template <typename word_type>
ISBESIM_RULE truth_of<word_type> is_unranked(word_type rank, word_type n)
{
    return rank >= n;
}

} // namespace isbesim::rules

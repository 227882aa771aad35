// SPDX-License-Identifier: Apache-2.0
// Where an attribute lies in the ATTR region, and whether a word fits a region (micro-architecture section 4.2, offset
// and test 7; HARDWARE.md D.2). Offsets are bytes from the base of the region.
#pragma once

#include "models/isbe/rules/word_type.h"

namespace isbesim::rules {

/// Offset of rank 0 at a vertex, in words from the base; `n` attributes are allocated.
template <typename word_type>
ISBESIM_RULE word_type vertex_words(truth_of<word_type> skew, word_type n, word_type vertex)
{
    const word_type skewed = (vertex >> word_type(5)) * (n * word_type(32)) + (vertex & word_type(31));
    return select(skew, skewed, vertex * n);
}
/// The same in bytes: (v/32)*n*128 + (v%32)*4, without skew v*n*4.
template <typename word_type>
ISBESIM_RULE word_type vertex_offset(truth_of<word_type> skew, word_type n, word_type vertex)
{
    return vertex_words(skew, n, vertex) * word_type(4);
}

/// Distance from rank 0 of a vertex to another rank.
template <typename word_type>
ISBESIM_RULE word_type rank_offset(truth_of<word_type> skew, word_type rank)
{
    return rank * select(skew, word_type(128), word_type(4));
}

template <typename word_type>
ISBESIM_RULE word_type attribute_offset(truth_of<word_type> skew, word_type n, word_type rank, word_type vertex)
{
    return vertex_offset(skew, n, vertex) + rank_offset(skew, rank);
}

/// The word at `offset` lies inside a region of `bytes`.
template <typename word_type>
ISBESIM_RULE truth_of<word_type> word_fits(word_type offset, word_type bytes)
{
    return offset + word_type(4) <= bytes;
}

/// Index of the word at `offset` from a base, both multiples of 4.
template <typename word_type>
ISBESIM_RULE word_type word_index(word_type base, word_type offset)
{
    return (base + offset) >> word_type(2);
}

} // namespace isbesim::rules

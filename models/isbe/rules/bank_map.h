// SPDX-License-Identifier: Apache-2.0
// The bank of a word (micro-architecture section 5, bank of a word). `banks` is a power of two up to 32; a row
// has that many words, all in one line.
#pragma once

#include "models/isbe/rules/word_type.h"
#include "models/machine_config.h"

namespace isbesim::rules {

/// Bank of the word of this index (absolute byte address / 4).
template <typename word_type>
ISBESIM_RULE word_type bank_of(word_type map, word_type index, word_type banks)
{
    const word_type line = index >> word_type(5);
    const word_type placed = select(map == code<word_type>(bank_map::rotate), index + line,
                                    select(map == code<word_type>(bank_map::exclusive_or), index ^ line, index));
    return placed & (banks - word_type(1));
}

/// The inverse: index of the word that a row has in a bank.
template <typename word_type>
ISBESIM_RULE word_type word_in_bank(word_type map, word_type bank, word_type row, word_type banks)
{
    const word_type first = row * banks;
    const word_type line = first >> word_type(5);
    const word_type column = select(map == code<word_type>(bank_map::rotate), bank - line,
                                    select(map == code<word_type>(bank_map::exclusive_or), bank ^ line, bank));
    return first + (column & (banks - word_type(1)));
}

} // namespace isbesim::rules

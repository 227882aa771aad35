// SPDX-License-Identifier: Apache-2.0
// Decides which of two lanes that write the same byte wins (micro-architecture section 5, several writers).
#pragma once

#include "models/isbe/rules/word_type.h"

namespace isbesim::rules {

/// `lane` wins over `other`, a different lane. The loser of at least one byte gets write_conflict.
template <typename word_type>
ISBESIM_RULE truth_of<word_type> wins_over(truth_of<word_type> highest_wins, word_type lane, word_type other)
{
    const auto higher = lane > other;
    return (highest_wins & higher) | ((!highest_wins) & (!higher));
}

} // namespace isbesim::rules

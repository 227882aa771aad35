// SPDX-License-Identifier: Apache-2.0
// The overwritten bit of a word (micro-architecture section 4.7). Arguments are truths.
#pragma once

#include "models/isbe/rules/word_type.h"

namespace isbesim::rules {

/// With shared spaces, a store to a word, or to a part of it, sets the bit, and a load from the input space reports it;
/// operations in the physical region do neither. Other writes clear the bit. Stores use the output space.
template <typename truth>
ISBESIM_RULE truth tracks_overwritten(truth shared_spaces, truth physical, truth store, truth input)
{
    return shared_spaces & !physical & (store | input);
}

} // namespace isbesim::rules

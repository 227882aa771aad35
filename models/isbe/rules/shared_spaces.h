// The overwritten bit of a word (micro-architecture section 4.7). Arguments are truths.
#pragma once

#include "models/isbe/rules/word_type.h"

namespace isbesim::rules {

/// A write of the word, or of a part of it, sets the bit; other writes clear it. Stores go through the output space,
/// except those of the physical region.
template <typename truth>
ISBESIM_RULE truth sets_overwritten(truth shared_spaces, truth physical)
{
    return shared_spaces & !physical;
}

/// A load that reads such a word says so.
template <typename truth>
ISBESIM_RULE truth reports_overwritten(truth shared_spaces, truth physical, truth input)
{
    return shared_spaces & !physical & input;
}

} // namespace isbesim::rules

// SPDX-License-Identifier: Apache-2.0
// ALD .P and AST .P: scalars of the lane's patch (micro-architecture section 4.3).
#pragma once

#include "models/isbe/rules/address_sum.h"
#include "models/isbe/rules/word_type.h"

namespace isbesim::rules {

/// Byte of component c inside the patch; patch_holds() is true if the patch has it.
template <typename word_type>
ISBESIM_RULE word_type patch_byte(const address_sum<word_type>& sum, word_type alignment, word_type component)
{
    return (sum.bytes & alignment) + component * word_type(4);
}

/// Component c of an access lies inside a patch when the aligned address is below this.
template <typename word_type>
ISBESIM_RULE word_type patch_limit(word_type component, word_type patch_words)
{
    const word_type bytes = patch_words * word_type(4);
    const word_type end = component * word_type(4) + word_type(4);
    return select(bytes >= end, bytes - end + word_type(1), word_type(0));
}

/// The component lies inside the patch, and the primitive has a patch. `limit` is a patch_limit().
template <typename word_type>
ISBESIM_RULE truth_of<word_type> patch_holds(const address_sum<word_type>& sum, word_type alignment, word_type limit,
                                             word_type primitive, word_type patch_count)
{
    const address_sum<word_type> aligned{sum.bytes & alignment, sum.both_negative};
    return is_below(aligned, limit) & (primitive < patch_count);
}

/// Byte offset of a patch in the PATCH region.
template <typename word_type>
ISBESIM_RULE word_type patch_offset(word_type primitive, word_type patch_words)
{
    return primitive * (patch_words * word_type(4));
}

} // namespace isbesim::rules

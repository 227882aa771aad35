// SPDX-License-Identifier: Apache-2.0
// Half of the lanes, without a pattern: for what the others keep.
#pragma once

#include "tlm/warp_op.h"

namespace isbesim::isa {

inline constexpr lane_mask some = 0x9e37'79b9U;

inline bool in_some(unsigned lane)
{
    return (some >> lane & 1U) != 0;
}

} // namespace isbesim::isa

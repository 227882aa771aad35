// SPDX-License-Identifier: Apache-2.0
// Finds lanes of an operation with certain properties. All are branch-free loops over the lanes, for wide registers.
#pragma once

#include "tlm/warp_op.h"

namespace isbesim::testbench {

/// Status bits that any lane has.
std::uint16_t any_status(const warp_result& result);

/// Active lanes in which address + immediate, as signed numbers, exceeds 32 bits.
lane_mask wrapping_lanes(const warp_op& op);

/// Active lanes of an ISBERD or ISBEWR.
struct raw_lanes {
    lane_mask crossing = 0;  ///< that reach into a second word
    lane_mask same_word = 0; ///< that begin in the word of the first active lane
};
/// Only of lanes inside their region. At least one lane must be active.
raw_lanes raw_lanes_of(const warp_op& op, const warp_result& result);

/// State words of geometry threads.
struct state_lanes {
    lane_mask checked = 0;  ///< whose checksum is right
    lane_mask zero_bit = 0; ///< whose reserved bit 19 is 1
    lane_mask valid = 0;
    lane_mask beyond = 0;     ///< a slot above the maximum
    lane_mask at_maximum = 0; ///< the slot is the maximum, and the strip has a vertex
    lane_mask long_slot = 0;  ///< of 12 bits or more
};
state_lanes state_lanes_of(const per_lane<word>& states, word maximum);

} // namespace isbesim::testbench

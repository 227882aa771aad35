// SPDX-License-Identifier: Apache-2.0
// Which lanes of an operation something is true of. Each a loop over all lanes without a branch, for wide registers.
#pragma once

#include "tlm/warp_op.h"

namespace isbesim::testbench {

/// Lane status bits of any lane.
std::uint16_t any_status(const warp_result& result);

/// Active lanes whose address and the immediate add up to more than 32 bits hold, as signed numbers.
lane_mask wrapping_lanes(const warp_op& op);

/// Active lanes of an ISBERD or ISBEWR.
struct raw_lanes {
    lane_mask crossing = 0;  ///< that reach into a second word
    lane_mask same_word = 0; ///< that begin in the word of the first active lane
};
/// Of lanes that lie inside their region. One active lane at least.
raw_lanes raw_lanes_of(const warp_op& op, const warp_result& result);

/// State words of geometry threads.
struct state_lanes {
    lane_mask checked = 0;  ///< the checksum is right
    lane_mask zero_bit = 0; ///< the bit that is always 0 is not
    lane_mask valid = 0;
    lane_mask beyond = 0;     ///< a slot above the maximum
    lane_mask at_maximum = 0; ///< the slot is the maximum, and the strip has a vertex
    lane_mask long_slot = 0;  ///< of 12 bits or more
};
state_lanes state_lanes_of(const per_lane<word>& states, word maximum);

} // namespace isbesim::testbench

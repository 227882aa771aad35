// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traffic/sampled_lanes.h"

#include "models/isbe/functional/gs_state.h"
#include "models/isbe/functional/lanes.h"
#include "tlm/vector_clones.h"

namespace isbesim::testbench {

ISBESIM_VECTOR_CLONES
std::uint16_t any_status(const warp_result& result)
{
    std::uint16_t any = 0;
    for (const auto status : result.status) any = static_cast<std::uint16_t>(any | status);
    return any;
}

ISBESIM_VECTOR_CLONES
lane_mask wrapping_lanes(const warp_op& op)
{
    const auto immediate = static_cast<word>(op.immediate);
    lane_mask found = 0;
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
        const word address = op.address[lane];
        const word sum = address + immediate;
        // Two numbers of the same sign, and a sum of the other sign.
        found |= lane_bit[lane] & (0U - (((address ^ sum) & (immediate ^ sum)) >> 31));
    }
    return found & op.lanes;
}

ISBESIM_VECTOR_CLONES
raw_lanes raw_lanes_of(const warp_op& op, const warp_result& result)
{
    // ISBEWR of MAP writes towards lower addresses. Regions are word-aligned, so the offset in the region gives the
    // byte in the word.
    const word back = op.op == opcode::isbewr && op.region == region::map ? op.size - 1U : 0U;
    const word offset = static_cast<word>(op.immediate) - back;
    const word size = op.size;
    const word first = op.address[first_lane(op.lanes)] + offset;
    raw_lanes found;
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
        const word begin = op.address[lane] + offset;
        const bool inside = (result.status[lane] & lane_status::out_of_range) == 0;
        found.crossing |= bit_if(inside & (begin % 4 + size > 4), lane);
        found.same_word |= bit_if(inside & (begin / 4 == first / 4), lane);
    }
    found.crossing &= op.lanes;
    found.same_word &= op.lanes;
    return found;
}

ISBESIM_VECTOR_CLONES
state_lanes state_lanes_of(const per_lane<word>& states, word maximum)
{
    constexpr word long_slot = 1U << 11;
    state_lanes found;
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
        const word state = states[lane];
        const word slot = rules::state_slot(state);
        found.checked |= bit_if(state >> 24 == rules::state_checksum(state), lane);
        found.zero_bit |= bit_if((state & rules::state_zero) != 0, lane);
        found.valid |= bit_if(gs_state_valid(state, maximum), lane);
        found.beyond |= bit_if(slot > maximum, lane);
        found.at_maximum |= bit_if((slot == maximum) & (rules::state_strip(state) != 0), lane);
        found.long_slot |= bit_if(slot >= long_slot, lane);
    }
    return found;
}

} // namespace isbesim::testbench

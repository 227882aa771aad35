// SPDX-License-Identifier: Apache-2.0
// The state word of a geometry thread, its slots and its tokens (micro-architecture section 4.6).
#pragma once

#include "models/isbe/rules/word_type.h"

namespace isbesim::rules {

inline constexpr std::uint32_t state_started = 1U << 18; ///< stream valid
inline constexpr std::uint32_t state_zero = 1U << 19;
inline constexpr std::uint32_t state_payload = 0x00ffffffU;
inline constexpr std::uint32_t strip_limit = 15;

template <typename word_type>
ISBESIM_RULE word_type state_slot(word_type state)
{
    return state & word_type(0xffffU);
}
template <typename word_type>
ISBESIM_RULE word_type state_stream(word_type state)
{
    return state >> word_type(16) & word_type(3);
}
/// Stream valid, 0 or 1.
template <typename word_type>
ISBESIM_RULE word_type state_has_stream(word_type state)
{
    return state >> word_type(18) & word_type(1);
}
template <typename word_type>
ISBESIM_RULE word_type state_strip(word_type state)
{
    return state >> word_type(20) & word_type(15);
}

template <typename word_type>
ISBESIM_RULE word_type rotated_byte(word_type byte, std::uint32_t left)
{
    return (byte << word_type(left) | byte >> word_type(8 - left)) & word_type(0xff);
}
template <typename word_type>
ISBESIM_RULE word_type state_checksum(word_type state)
{
    const word_type byte(0xff);
    return (state & byte) ^ rotated_byte(state >> word_type(8) & byte, 3) ^
           rotated_byte(state >> word_type(16) & byte, 5);
}

/// The state word of these fields.
template <typename word_type>
ISBESIM_RULE word_type encode_state(word_type slot, word_type stream, word_type has_stream, word_type strip)
{
    const word_type payload = slot | stream << word_type(16) | has_stream << word_type(18) | strip << word_type(20);
    return payload | state_checksum(payload) << word_type(24);
}

/// True if OUT can have produced it in a thread of at most `maximum` vertices.
template <typename word_type>
ISBESIM_RULE truth_of<word_type> state_is_valid(word_type state, word_type maximum)
{
    const auto started = (state & word_type(state_started)) != word_type(0);
    const auto blank = (state & word_type(state_payload)) == word_type(0);
    return (state >> word_type(24) == state_checksum(state)) & ((state & word_type(state_zero)) == word_type(0)) &
           (state_slot(state) <= maximum) & (started | blank);
}

/// A stored vertex needs a slot below the maximum and a lane that is a thread.
template <typename word_type>
ISBESIM_RULE truth_of<word_type> slot_is_left(word_type slot, word_type maximum)
{
    return slot < maximum;
}
template <typename word_type>
ISBESIM_RULE truth_of<word_type> is_thread(word_type lane, word_type threads)
{
    return lane < threads;
}

/// index(slot, lane): number of the output vertex and of its token.
template <typename word_type>
ISBESIM_RULE word_type slot_index(truth_of<word_type> interleaved, word_type slot, word_type lane, word_type threads,
                                  word_type maximum)
{
    return select(interleaved, slot * threads + lane, lane * maximum + slot);
}

} // namespace isbesim::rules

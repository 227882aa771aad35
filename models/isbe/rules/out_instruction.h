// SPDX-License-Identifier: Apache-2.0
// OUT: which line of the list of micro-architecture section 4.6 applies, the token and the next state.
#pragma once

#include "models/isbe/rules/geometry_state.h"
#include "models/isbe/rules/word_type.h"
#include "tlm/warp_op.h"

namespace isbesim::rules {

/// Effects of the types. The last type, `final`, has none of them.
template <typename word_type>
ISBESIM_RULE truth_of<word_type> ends_strip(word_type type)
{
    return (type == code<word_type>(out_type::cut)) | (type == code<word_type>(out_type::emit_then_cut));
}
template <typename word_type>
ISBESIM_RULE truth_of<word_type> emits_vertex(word_type type)
{
    return (type == code<word_type>(out_type::emit)) | (type == code<word_type>(out_type::emit_then_cut));
}

/// True if a CUT has no vertex to mark. (A forged state can have a strip in slot 0, before which no vertex exists.)
template <typename word_type>
ISBESIM_RULE truth_of<word_type> strip_is_empty(word_type state)
{
    return (state_strip(state) == word_type(0)) | (state_slot(state) == word_type(0));
}

/// All tests of a lane.
template <typename truth>
struct out_facts {
    truth active;      ///< the lane is in the request's mask
    truth fast;        ///< 1: fast geometry
    truth bad_state;   ///< 2
    truth no_thread;   ///< 3
    truth final;       ///< 4: of the type
    truth cut;         ///< of the type
    truth at_maximum;  ///< 5, 6: slot = maximum
    truth empty_strip; ///< 5
    truth beyond_map;  ///< the token does not fit the MAP region
};

/// Outcome of the tests: at most one is true. The result is the new state if a token is written, else the old state.
template <typename truth>
struct out_verdict {
    truth gs_state;
    truth gs_overflow;
    truth writes;
};

template <typename truth>
ISBESIM_RULE out_verdict<truth> line_that_applies(const out_facts<truth>& f)
{
    const truth looked_at = f.active & !f.fast;
    const truth good = looked_at & !f.bad_state;
    const truth thread = good & !f.no_thread;
    const truth acts = thread & !f.final;
    const truth wants = acts & !(f.cut & (f.at_maximum | f.empty_strip));
    const truth no_place = wants & (f.at_maximum | f.beyond_map);
    return {truth(looked_at & f.bad_state), truth((good & f.no_thread) | no_place), truth(wants & !no_place)};
}

/// Stream of the token: a CUT marks the last vertex, so it takes the stream of that vertex.
template <typename word_type>
ISBESIM_RULE word_type token_stream(word_type type, word_type state, word_type wanted)
{
    return select(emits_vertex(type), wanted & word_type(3), state_stream(state));
}

/// Slot of the token; that of a CUT is the last vertex's.
template <typename word_type>
ISBESIM_RULE word_type token_slot(word_type type, word_type state)
{
    return state_slot(state) - select(emits_vertex(type), word_type(0), word_type(1));
}

/// Byte offset of token `index` in the output MAP region: the first word is the primitive count.
template <typename word_type>
ISBESIM_RULE word_type token_offset(word_type index)
{
    return word_type(4) + index;
}
template <typename word_type>
ISBESIM_RULE truth_of<word_type> token_fits(word_type offset, word_type map_bytes)
{
    return offset < map_bytes;
}

template <typename word_type>
ISBESIM_RULE word_type token_byte(word_type type, word_type stream, word_type stream_mask)
{
    const word_type cut = select(ends_strip(type), word_type(0x40), word_type(0));
    const word_type enabled = stream_mask >> stream & word_type(1);
    return word_type(0x80) | cut | enabled << word_type(5) | stream;
}

/// State after a token.
template <typename word_type>
ISBESIM_RULE word_type next_state(word_type type, word_type state, word_type stream)
{
    const auto emits = emits_vertex(type);
    const word_type had_stream = state_has_stream(state);
    const word_type changed = (state_stream(state) ^ stream) * had_stream;
    const word_type before = select(changed == word_type(0), state_strip(state), word_type(0));
    const word_type longer = select(before < word_type(strip_limit), before + word_type(1), word_type(strip_limit));
    return encode_state(state_slot(state) + select(emits, word_type(1), word_type(0)), stream,
                        select(emits, word_type(1), had_stream), select(ends_strip(type), word_type(0), longer));
}

} // namespace isbesim::rules

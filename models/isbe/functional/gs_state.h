// SPDX-License-Identifier: Apache-2.0
// Geometry output: the opaque state word that OUT hands from instruction to instruction, the output slots of a thread
// and the token bytes that the PE turns into primitives (micro-architecture section 4.6).
#pragma once

#include <cstdint>

#include "models/isbe/functional/context.h"
#include "models/isbe/rules/geometry_state.h"
#include "models/isbe/rules/out_instruction.h"
#include "models/machine_config.h"
#include "tlm/warp_op.h"

namespace isbesim {

/// Fields of a state word. The initial state is the word 0: nothing emitted, no stream yet.
struct gs_state {
    word slot = 0;        ///< number of emitted vertices, which is also the slot of the next vertex
    word last_stream = 0; ///< of the last EMIT
    bool stream_valid = false;
    word strip = 0; ///< vertices in the current strip, saturating at 15
};

/// The state word of these fields, with its checksum.
constexpr word encode_gs_state(const gs_state& state)
{
    return rules::encode_state<word>(state.slot, state.last_stream, state.stream_valid ? 1 : 0, state.strip);
}
/// The fields; meaningful for valid words only.
constexpr gs_state decode_gs_state(word value)
{
    return {rules::state_slot(value), rules::state_stream(value), rules::state_has_stream(value) != 0,
            rules::state_strip(value)};
}
/// True for a word that OUT can have produced in a thread of at most `max_vertices` vertices.
constexpr bool gs_state_valid(word value, word max_vertices)
{
    return rules::state_is_valid(value, max_vertices);
}

/// Output vertex and token number of a thread's slot.
constexpr word gs_slot_index(gs_slot_order order, word slot, unsigned lane, const geometry_output& geometry)
{
    return rules::slot_index<word>(order == gs_slot_order::interleaved, slot, lane, geometry.thread_count,
                                   geometry.max_vertices);
}

/// One token byte. A byte without `vertex` means that the slot was never emitted.
struct gs_token {
    bool vertex = false;
    bool cut = false;     ///< the strip ends after this vertex
    bool enabled = false; ///< the stream is in StreamOutMask
    std::uint8_t stream = 0;
};
gs_token decode_gs_token(std::uint8_t value);

/// The output vertex that belongs to the geometry state of each lane, and the lanes without a vertex.
struct gs_slots {
    per_lane<word> vertex; ///< arbitrary if there is no vertex
    lane_mask bad_state;   ///< gs_state
    lane_mask overflow; ///< gs_overflow, of lanes without bad_state: no slot left, no geometry thread, no such vertex
};
gs_slots slots_of(const per_lane<word>& states, const geometry_output& geometry, gs_slot_order order,
                  word vertex_count);

/// Byte offset of token `index` in the output MAP region: the first word is the primitive count.
constexpr word gs_token_offset(word index)
{
    return rules::token_offset(index);
}

/// Effect of OUT on the threads of a warp. No two of them write the same token.
struct gs_step {
    lane_mask bad_state = 0; ///< gs_state
    lane_mask overflow = 0;  ///< gs_overflow
    lane_mask writes = 0;    ///< lanes with a token
    per_lane<word> state;    ///< new state, or the old state of lanes without a token; 0 for inactive lanes
    per_lane<word> address;  ///< byte address of the token; 0 for lanes without a token. Not set if no lane has one
    per_lane<word> token;    ///< the same
};
void step_gs(const warp_op& op, const context& context, gs_slot_order order, gs_step& step);

} // namespace isbesim

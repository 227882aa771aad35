// Geometry output: the opaque state word that OUT hands from instruction to instruction, the output slots of a thread
// and the token bytes that the PE turns into primitives (micro-architecture section 4.6).
#pragma once

#include <cstdint>

#include "models/isbe/context.h"
#include "models/machine_config.h"
#include "tlm/warp_op.h"

namespace isbesim {

/// Fields of a state word. The initial state is the word 0: nothing emitted, no stream yet.
struct gs_state {
    word slot = 0;        ///< vertices emitted, also the slot the next vertex is stored to
    word last_stream = 0; ///< of the last EMIT
    bool stream_valid = false;
    word strip = 0; ///< vertices in the current strip, saturating at 15
};

namespace detail {
constexpr word gs_stream_valid = 1U << 18;
constexpr word gs_zero_bit = 1U << 19;
constexpr word gs_payload = 0x00ffffffU;

constexpr word rotate_byte_left(word value, unsigned by)
{
    return ((value << by) | (value >> (8 - by))) & 0xffU;
}
constexpr word gs_checksum(word value)
{
    return (value & 0xffU) ^ rotate_byte_left((value >> 8) & 0xffU, 3) ^ rotate_byte_left((value >> 16) & 0xffU, 5);
}
constexpr word with_gs_checksum(word payload)
{
    return payload | gs_checksum(payload) << 24;
}
} // namespace detail

/// The word with its checksum.
constexpr word encode_gs_state(const gs_state& state)
{
    const word payload =
        state.slot | state.last_stream << 16 | (state.stream_valid ? detail::gs_stream_valid : 0U) | state.strip << 20;
    return detail::with_gs_checksum(payload);
}
/// The fields; meaningful for valid words only.
constexpr gs_state decode_gs_state(word value)
{
    return {value & 0xffffU, (value >> 16) & 3U, (value & detail::gs_stream_valid) != 0, (value >> 20) & 0xfU};
}
/// True for a word that OUT can have produced in a thread of at most `max_vertices` vertices. Without branches, so that
/// a loop over lanes vectorises.
constexpr bool gs_state_valid(word value, word max_vertices)
{
    const bool started = (value & detail::gs_stream_valid) != 0;
    const bool blank = (value & detail::gs_payload) == 0;
    return bool(unsigned{value >> 24 == detail::gs_checksum(value)} & unsigned{(value & detail::gs_zero_bit) == 0} &
                unsigned{(value & 0xffffU) <= max_vertices} & (unsigned{started} | unsigned{blank}));
}

/// How far output vertices and token numbers are apart: from slot to slot of a thread, and from thread to thread.
struct gs_steps {
    word slot;
    word thread;
};
constexpr gs_steps gs_steps_of(gs_slot_order order, const geometry_output& geometry)
{
    if (order == gs_slot_order::interleaved) return {geometry.thread_count, 1};
    return {1, geometry.max_vertices};
}

/// Output vertex and token number of a thread's slot.
constexpr word gs_slot_index(gs_slot_order order, word slot, unsigned lane, const geometry_output& geometry)
{
    const gs_steps steps = gs_steps_of(order, geometry);
    return slot * steps.slot + lane * steps.thread;
}

/// One token byte. A byte without `vertex` says that the slot was never emitted.
struct gs_token {
    bool vertex = false;
    bool cut = false;     ///< the strip ends after this vertex
    bool enabled = false; ///< the stream is in StreamOutMask
    std::uint8_t stream = 0;
};
gs_token decode_gs_token(std::uint8_t value);

/// Output vertex that the geometry state of each lane stands for, and the lanes that have none.
struct gs_slots {
    per_lane<word> vertex; ///< some number where there is none
    lane_mask bad_state;   ///< gs_state
    lane_mask overflow;    ///< gs_overflow: no slot left, or no geometry thread; of any lane without bad_state
};
gs_slots slots_of(const per_lane<word>& states, const geometry_output& geometry, gs_slot_order order);

/// Byte offset of token `index` in the output MAP region: the first word is the primitive count.
constexpr word gs_token_offset(word index)
{
    return 4 + index;
}

/// Effect of OUT on the threads of a warp. No two of them write the same token.
struct gs_step {
    lane_mask bad_state = 0; ///< gs_state
    lane_mask overflow = 0;  ///< gs_overflow
    lane_mask writes = 0;    ///< lanes with a token
    per_lane<word> state;    ///< new state, or the old one of lanes without a token; 0 for inactive lanes
    per_lane<word> address;  ///< of the token in the storage, bytes; 0 for lanes without one
    per_lane<word> token;
};
void step_gs(const warp_op& op, const context& context, gs_slot_order order, gs_step& step);

} // namespace isbesim

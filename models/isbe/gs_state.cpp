#include "models/isbe/gs_state.h"

#include <algorithm>

#include "models/isbe/lanes.h"
#include "models/isbe/vector_clones.h"

namespace isbesim {

namespace {

constexpr word strip_limit = 15;

} // namespace

gs_token decode_gs_token(std::uint8_t value)
{
    return {(value & 0x80U) != 0, (value & 0x40U) != 0, (value & 0x20U) != 0, static_cast<std::uint8_t>(value & 3U)};
}

ISBESIM_VECTOR_CLONES
gs_slots slots_of(const per_lane<word>& states, const geometry_output& geometry, gs_slot_order order)
{
    const gs_steps steps = gs_steps_of(order, geometry);
    gs_slots slots;
    lane_mask invalid = 0;
    lane_mask full = ~first_lanes(geometry.thread_count);
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const word slot = states[i] & 0xffffU;
        invalid |= gs_state_valid(states[i], geometry.max_vertices) ? 0 : lane_bit[i];
        full |= slot < geometry.max_vertices ? 0 : lane_bit[i];
        slots.vertex[i] = slot * steps.slot + i * steps.thread;
    }
    slots.bad_state = invalid;
    slots.overflow = full & ~invalid;
    return slots;
}

// Section 4.6's list as one calculation per lane; the line of the list that applies is chosen by masks.
ISBESIM_VECTOR_CLONES
void step_gs(const warp_op& op, const context& context, gs_slot_order order, gs_step& step)
{
    const auto& geometry = context.geometry;
    const per_lane<word> active = lane_masks(op.lanes);
    step.bad_state = step.overflow = step.writes = 0;
    if (context.fast_geometry) {
        for (unsigned i = 0; i < warp_lanes; ++i) step.state[i] = op.handle[i] & active[i];
        return;
    }
    const bool cut = op.type == out_type::cut;
    const word cutting = cut ? ~word{0} : 0;
    const word emitting = op.type == out_type::emit ? ~word{0} : 0;
    const word slot_added = cut ? 0 : 1;
    const gs_steps steps = gs_steps_of(order, geometry);

    // Results in locals and no short-circuits, so that the loops vectorise.
    const per_lane<word>& old = op.handle;
    const per_lane<word>& wanted = op.address;
    per_lane<word> next;
    per_lane<word> address;
    per_lane<word> token;
    lane_mask invalid = 0;
    lane_mask full = 0;
    lane_mask idle = 0; // CUT of an empty strip
    lane_mask beyond = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const gs_state s = decode_gs_state(old[i]);
        invalid |= gs_state_valid(old[i], geometry.max_vertices) ? 0 : lane_bit[i];
        full |= s.slot == geometry.max_vertices ? lane_bit[i] : 0;
        // A forged state can claim a strip in slot 0; there is no vertex of this thread to mark then.
        idle |= (s.strip == 0) | (s.slot == 0) ? lane_bit[i] : 0;
    }
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const word last = old[i] >> 16 & 3U; // the fields as words: one bool among them and the loop stays scalar
        const word started = old[i] >> 18 & 1U;
        const word stream = (last & cutting) | (wanted[i] & 3U & ~cutting);
        const word changed = (last ^ stream) * started;
        const word before = changed == 0 ? old[i] >> 20 & 0xfU : 0;
        const word longer = before < strip_limit ? before + 1 : strip_limit;
        next[i] = detail::with_gs_checksum(((old[i] & 0xffffU) + slot_added) | stream << 16 |
                                           (started | (~cutting & 1U)) << 18 | (longer & emitting) << 20);
    }
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const gs_state s = decode_gs_state(old[i]);
        const word offset = gs_token_offset((s.slot - 1 + slot_added) * steps.slot + i * steps.thread);
        const word stream = (s.last_stream & cutting) | (wanted[i] & 3U & ~cutting);
        const word enabled = word{geometry.stream_mask} >> stream & 1U;
        beyond |= offset >= context.output.map_bytes ? lane_bit[i] : 0;
        address[i] = context.output.map_base + offset;
        token[i] = 0x80U | (0x40U & ~emitting) | enabled << 5 | stream;
    }

    lane_mask left = op.lanes;
    const auto take = [&left](lane_mask which) {
        which &= left;
        left &= ~which;
        return which;
    };
    step.bad_state = take(invalid);
    step.overflow = take(~first_lanes(geometry.thread_count));
    if (op.type != out_type::final) {
        if (cut) take(idle | full);
        step.overflow |= take(full);
        step.overflow |= take(beyond);
        step.writes = left;
    }
    const per_lane<word> writes = lane_masks(step.writes);
    for (unsigned i = 0; i < warp_lanes; ++i) {
        step.state[i] = (old[i] ^ ((old[i] ^ next[i]) & writes[i])) & active[i];
        step.address[i] = address[i] & writes[i];
        step.token[i] = token[i];
    }
}

} // namespace isbesim

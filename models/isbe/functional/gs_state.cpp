// SPDX-License-Identifier: Apache-2.0
#include "models/isbe/functional/gs_state.h"

#include "models/isbe/functional/lane_set.h"
#include "models/isbe/functional/lanes.h"
#include "models/isbe/rules/attribute_tests.h"
#include "tlm/vector_clones.h"

namespace isbesim {

gs_token decode_gs_token(std::uint8_t value)
{
    return {(value & 0x80U) != 0, (value & 0x40U) != 0, (value & 0x20U) != 0, static_cast<std::uint8_t>(value & 3U)};
}

namespace {

lane_mask threads_of(const geometry_output& geometry)
{
    lane_mask threads = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) threads |= bit_if(rules::is_thread<word>(i, geometry.thread_count), i);
    return threads;
}

} // namespace

ISBESIM_VECTOR_CLONES
gs_slots slots_of(const per_lane<word>& states, const geometry_output& geometry, gs_slot_order order, word vertex_count)
{
    const word threads = geometry.thread_count;
    const word maximum = geometry.max_vertices;
    gs_slots slots;
    lane_mask valid = 0;
    lane_mask placed = 0;
    with_constant(order == gs_slot_order::interleaved, [&](auto interleaved) {
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const word slot = rules::state_slot(states[i]);
            const word vertex = rules::slot_index<word>(interleaved, slot, i, threads, maximum);
            valid |= bit_if(rules::state_is_valid(states[i], maximum), i);
            placed |= bit_if(rules::slot_is_left(slot, maximum) & rules::vertex_exists(vertex, vertex_count), i);
            slots.vertex[i] = vertex;
        }
    });
    slots.bad_state = ~valid;
    slots.overflow = valid & ~(placed & threads_of(geometry));
    return slots;
}

// Section 4.6's list as one calculation per lane; the line of the list that applies is chosen for all lanes at once.
ISBESIM_VECTOR_CLONES
void step_gs(const warp_op& op, const context& context, gs_slot_order order, gs_step& step)
{
    const word threads = context.geometry.thread_count;
    const word maximum = context.geometry.max_vertices;
    const word stream_mask = context.geometry.stream_mask;
    const word map_base = context.output.map_base;
    const word map_bytes = context.output.map_bytes;
    const auto type = static_cast<word>(op.type);

    // Results in locals and no short-circuits, so that the loops vectorise.
    const per_lane<word>& old = op.handle;
    const per_lane<word>& streams = op.address;
    const per_lane<word> active = lane_masks(op.lanes);
    lane_mask invalid = 0;
    lane_mask full = 0;
    lane_mask empty = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        invalid |= bit_if(!rules::state_is_valid(old[i], maximum), i);
        full |= bit_if(rules::state_slot(old[i]) == maximum, i);
        empty |= bit_if(rules::strip_is_empty(old[i]), i);
    }
    rules::out_facts<lane_set> known;
    known.active = {op.lanes};
    known.fast = all_or_none(context.fast_geometry);
    known.bad_state = {invalid};
    known.no_thread = {~threads_of(context.geometry)};
    known.final = all_or_none(op.type == out_type::final);
    known.cut = all_or_none(op.type == out_type::cut);
    known.at_maximum = {full};
    known.empty_strip = {empty};
    known.beyond_map = all_or_none(false);
    const auto take = [&step](const rules::out_verdict<lane_set>& found) {
        step.bad_state = found.gs_state.lanes;
        step.overflow = found.gs_overflow.lanes;
        step.writes = found.writes.lanes;
    };
    take(rules::line_that_applies(known));
    if (step.writes == 0) { // no lane writes a token
        for (unsigned i = 0; i < warp_lanes; ++i) step.state[i] = old[i] & active[i];
        return;
    }

    per_lane<word> next;
    per_lane<word> address;
    per_lane<word> token;
    lane_mask beyond = 0;
    for (unsigned i = 0; i < warp_lanes; ++i)
        next[i] = rules::next_state(type, old[i], rules::token_stream(type, old[i], streams[i]));
    with_constant(order == gs_slot_order::interleaved, [&](auto interleaved) {
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const word slot = rules::token_slot(type, old[i]);
            const word offset = rules::token_offset(rules::slot_index<word>(interleaved, slot, i, threads, maximum));
            const word stream = rules::token_stream(type, old[i], streams[i]);
            beyond |= bit_if(!rules::token_fits(offset, map_bytes), i);
            address[i] = map_base + offset;
            token[i] = rules::token_byte(type, stream, stream_mask);
        }
    });
    known.beyond_map = {beyond};
    take(rules::line_that_applies(known));
    const per_lane<word> writes = lane_masks(step.writes);
    for (unsigned i = 0; i < warp_lanes; ++i) {
        step.state[i] = (old[i] ^ ((old[i] ^ next[i]) & writes[i])) & active[i];
        step.address[i] = address[i] & writes[i];
        step.token[i] = token[i];
    }
}

} // namespace isbesim

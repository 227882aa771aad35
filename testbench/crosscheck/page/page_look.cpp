// SPDX-License-Identifier: Apache-2.0
// Sections 4.1, 4.5 and 4.6 of the micro-architecture page, and what an operation's lanes make of it together.
#include "testbench/crosscheck/page/page_look.h"

#include "models/isbe/functional/lanes.h"

namespace isbesim::testbench {

namespace detail {

bool look_at_state(lane_look& at, word state)
{
    const auto rotated = [](word byte, unsigned left) { return (byte << left | byte >> (8 - left)) & 0xffU; };
    const word checksum = (state & 0xffU) ^ rotated(state >> 8 & 0xffU, 3) ^ rotated(state >> 16 & 0xffU, 5);
    if (state >> 24 != checksum)
        at.meet(condition::state_checksum);
    else if ((state >> 19 & 1U) != 0)
        at.meet(condition::state_zero_bit);
    else if ((state & 0xffffU) > at.slot.geometry.max_vertices)
        at.meet(condition::state_slot);
    else if ((state >> 18 & 1U) == 0 && (state & 0xffffffU) != 0)
        at.meet(condition::state_stream);
    else
        return true;
    return false;
}

std::int64_t index_of(const lane_look& at, std::int64_t slot)
{
    const auto& g = at.slot.geometry;
    return at.config.gs_slot_order == gs_slot_order::interleaved ? slot * g.thread_count + at.lane
                                                                 : std::int64_t{at.lane} * g.max_vertices + slot;
}

void look_at_bytes(lane_look& at)
{
    const auto& layout = at.space();
    std::int64_t base = 0;
    std::int64_t bytes = 0;
    switch (at.op.region) {
    case region::map:
        base = layout.map_base, bytes = layout.map_bytes;
        break;
    case region::patch:
        base = layout.patch_base, bytes = std::int64_t{4} * layout.patch_words * layout.patch_count;
        break;
    case region::prim:
        base = layout.prim_base, bytes = layout.prim_bytes;
        break;
    case region::attr:
        base = layout.attr_base, bytes = layout.attr_bytes;
        break;
    case region::physical:
        bytes = std::int64_t{at.config.lines} * 128;
        break;
    }
    const std::int64_t size = at.op.size;
    const bool reversed = at.is(opcode::isbewr) && at.op.region == region::map;
    const auto first = at.sum() - (reversed ? size - 1 : 0);
    const auto last = first + size - 1;
    if (first < 0 || last >= bytes) {
        at.meet(condition::region_empty, bytes == 0);
        at.meet(condition::bytes_below, last < 0);
        at.meet(condition::bytes_partly_below, first < 0 && last >= 0 && last < bytes);
        at.meet(condition::reversed_below, reversed && first < 0 && last >= 0 && last < bytes);
        at.meet(condition::bytes_beyond, bytes != 0 && first >= bytes);
        at.meet(condition::bytes_partly_beyond, first >= 0 && first < bytes && last >= bytes);
        return at.set(lane_status::out_of_range);
    }
    const auto begin = static_cast<word>(base + first);
    const unsigned place = begin % 4;
    const unsigned covered = ((1U << at.op.size) - 1U) << place;
    at.access(0, begin, covered & 15U);
    const bool two = covered >> 4 != 0;
    if (two) at.access(1, begin + 4, covered >> 4);
    if (size == 1) return at.meet(condition::byte_accessed);
    if (size == 2) return at.meet(two ? condition::half_in_two_words : condition::half_accessed);
    at.meet(two ? condition::word_in_two_words : condition::word_accessed);
}

void look_at_out(lane_look& at)
{
    const auto& g = at.slot.geometry;
    const word state = at.op.handle[at.lane];
    const word slot = state & 0xffffU;
    const word strip = state >> 20 & 15U;
    const auto type = at.op.type;
    if (at.slot.fast_geometry) return at.meet(condition::fast_geometry);
    if (!look_at_state(at, state)) return at.set(lane_status::gs_state);
    if (at.lane >= g.thread_count) {
        at.meet(condition::lane_no_thread);
        return at.set(lane_status::gs_overflow);
    }
    if (type == out_type::final) return at.meet(condition::final_kept);
    const bool cut = type == out_type::cut;
    if (cut && (slot == g.max_vertices || slot == 0 || strip == 0)) {
        at.meet(condition::cut_at_maximum, slot == g.max_vertices && slot != 0 && strip != 0);
        at.meet(condition::cut_slot_0, slot == 0 && slot != g.max_vertices && strip != 0);
        return at.meet(condition::cut_strip_0, strip == 0 && slot != 0 && slot != g.max_vertices);
    }
    if (!cut && slot == g.max_vertices) {
        at.meet(condition::emit_at_maximum);
        return at.set(lane_status::gs_overflow);
    }
    const auto index = index_of(at, std::int64_t{slot} - (cut ? 1 : 0));
    if (4 + index + 1 > at.slot.output.map_bytes) {
        at.meet(condition::token_beyond);
        return at.set(lane_status::gs_overflow);
    }
    const bool started = (state >> 18 & 1U) != 0;
    const word last_stream = state >> 16 & 3U;
    const word stream = cut ? last_stream : at.op.address[at.lane] & 3U;
    at.meet((g.stream_mask >> stream & 1U) != 0 ? condition::token_written : condition::token_of_masked_stream);
    const bool changed = started && last_stream != stream;
    at.meet(condition::first_vertex, !started);
    at.meet(condition::stream_changed, changed);
    at.meet(condition::strip_saturated, !cut && strip == 15 && !changed);
    const auto address = at.slot.output.map_base + 4 + static_cast<word>(index);
    at.access(0, address, 1U << address % 4);
}

} // namespace detail

namespace {

using detail::lane_look;

/// Section 4.1, the table's order.
condition refusal(const isbe_config& config, const context& slot, const warp_op& op, bool& refused)
{
    const auto stage = slot.stage;
    const bool ald = op.op == opcode::ald;
    const bool input = op.space == space::input;
    const bool patch = op.form == address_form::patch;
    refused = true;
    if (op.op == opcode::bind) {
        refused = op.context >= config.contexts;
        return condition::slot_beyond_table;
    }
    if (is_raw(op.op) && op.region == region::physical) {
        refused = false;
        return condition::stage_none;
    }
    if (op.context >= config.contexts) return condition::slot_beyond_table;
    if (stage == stage::none) return condition::stage_none;
    if (op.op == opcode::isbewr && input) return condition::store_to_input;
    if (is_attribute(op.op) && op.form == address_form::phys && op.size > 1) return condition::phys_vector;
    if (ald && patch && (input ? stage != stage::tess : stage != stage::tess_init))
        return condition::patch_load_elsewhere;
    if (ald && !patch && !input && (stage == stage::geometry || stage == stage::task || stage == stage::mesh))
        return condition::output_load_refused;
    if (op.op == opcode::ast && patch && stage != stage::tess_init) return condition::patch_store_elsewhere;
    if (op.op == opcode::out && stage != stage::geometry) return condition::out_elsewhere;
    refused = false;
    return condition::stage_none;
}

using looker = void (*)(lane_look&);

looker looker_of(const warp_op& op)
{
    switch (op.op) {
    case opcode::ald:
    case opcode::ast:
        return op.form == address_form::patch ? detail::look_at_patch : detail::look_at_attribute;
    case opcode::al2p:
        return detail::look_at_al2p;
    case opcode::out:
        return detail::look_at_out;
    case opcode::isberd:
    case opcode::isbewr:
        return detail::look_at_bytes;
    case opcode::bind:
        break;
    }
    return nullptr;
}

bool writes(opcode op)
{
    return is_store(op) || op == opcode::out;
}

/// Section 5: passes and writers.
void look_at_passes(const isbe_config& config, const context& slot, const warp_op& op, const access_list& accesses,
                    page_look& look)
{
    auto& set = look.conditions;
    bool several = false;
    look.passes = accesses.passes(config, several);
    meet(set, condition::no_access, accesses.empty());
    meet(set, condition::several_passes, several);
    meet(set, condition::component_skipped, accesses.component_skipped());
    meet(set, condition::same_word, accesses.same_word());
    if (!writes(op.op) || accesses.empty()) return;
    const auto found = accesses.written(config.patch_winner);
    meet(set, condition::bytes_of_one_word, found.share);
    meet(set, condition::lane_overwritten, found.overwrite);
    meet(set, condition::lane_lost, found.losers != 0);
    add_bits(look.status, found.losers, lane_status::write_conflict);
    const bool physical = is_raw(op.op) && op.region == region::physical;
    if (!physical) meet(set, slot.shared_spaces ? condition::store_in_shared : condition::store_in_others);
}

} // namespace

page_look look_at(const isbe_config& config, const context& slot, const warp_op& op)
{
    page_look look;
    bool refused = false;
    const auto why = refusal(config, slot, op, refused);
    if (refused) {
        meet(look.conditions, why);
        const bool encoding = why == condition::store_to_input || why == condition::phys_vector;
        look.error = encoding ? op_error::illegal_instr_encoding : op_error::illegal_sph_instr_combo;
        return look;
    }
    const auto looker = looker_of(op);
    access_list accesses;
    for_each_lane(looker != nullptr ? op.lanes : 0, [&](unsigned lane) {
        lane_look at{config, slot, op, lane, look.conditions, accesses};
        looker(at);
        look.status[lane] = at.status;
        meet(look.conditions, condition::two_statuses, (at.status & (at.status - 1)) != 0);
    });
    if (looker != nullptr) look_at_passes(config, slot, op, accesses, look);
    return look;
}

} // namespace isbesim::testbench

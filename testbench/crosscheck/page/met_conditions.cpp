// SPDX-License-Identifier: Apache-2.0
// The conditions of sections 4.1, 4.5 and 4.6 of the micro-architecture page, and those between lanes of an operation.
#include "testbench/crosscheck/page/met_conditions.h"

#include <algorithm>

#include "models/isbe/functional/gs_state.h"
#include "models/isbe/functional/lanes.h"
#include "models/isbe/rules/raw_bytes.h"

namespace isbesim::testbench {

namespace detail {

bool meet_state(lane_view& view, word state)
{
    if (state >> 24 != rules::state_checksum(state))
        view.meet(condition::state_checksum);
    else if ((state & rules::state_zero) != 0)
        view.meet(condition::state_zero_bit);
    else if (rules::state_slot(state) > view.slot.geometry.max_vertices)
        view.meet(condition::state_slot);
    else if (!gs_state_valid(state, view.slot.geometry.max_vertices))
        view.meet(condition::state_stream);
    else
        return true;
    return false;
}

} // namespace detail

namespace {

using detail::lane_view;

void meet_bytes(lane_view& view)
{
    const auto extent = extent_of(view.op.region, view.space(), view.config.lines * 128);
    const std::int64_t bytes = extent.bytes;
    const std::int64_t size = view.op.size;
    const bool reversed = rules::runs_downwards<word>(view.is(opcode::isbewr), view.op.region == region::map);
    const auto first = view.sum() - (reversed ? size - 1 : 0);
    const auto last = first + size - 1;
    if (first < 0 || last >= bytes) {
        view.meet(condition::region_empty, bytes == 0);
        view.meet(condition::bytes_below, last < 0);
        view.meet(condition::bytes_partly_below, first < 0 && last >= 0 && last < bytes);
        view.meet(condition::reversed_below, reversed && first < 0 && last >= 0 && last < bytes);
        view.meet(condition::bytes_beyond, bytes != 0 && first >= bytes);
        view.meet(condition::bytes_partly_beyond, first >= 0 && first < bytes && last >= bytes);
        return;
    }
    const word place = rules::byte_in_word(extent.base + static_cast<word>(first));
    const bool crosses = rules::crosses_words<word>(place, view.op.size);
    if (size == 1) return view.meet(condition::byte_accessed);
    if (size == 2) return view.meet(crosses ? condition::half_in_two_words : condition::half_accessed);
    view.meet(crosses ? condition::word_in_two_words : condition::word_accessed);
}

void meet_out(lane_view& view)
{
    const auto& g = view.slot.geometry;
    const word state = view.op.handle[view.lane];
    const word slot = rules::state_slot(state);
    const word strip = rules::state_strip(state);
    const auto type = rules::code<word>(view.op.type);
    if (view.slot.fast_geometry) return view.meet(condition::fast_geometry);
    if (!detail::meet_state(view, state)) return;
    if (view.lane >= g.thread_count) return view.meet(condition::lane_no_thread);
    if (view.op.type == out_type::final) return view.meet(condition::final_kept);
    const bool cut = !rules::emits_vertex(type);
    const bool at_maximum = slot == g.max_vertices;
    if (cut && (at_maximum || rules::strip_is_empty(state))) {
        view.meet(condition::cut_at_maximum, at_maximum && slot != 0 && strip != 0);
        view.meet(condition::cut_slot_0, slot == 0 && !at_maximum && strip != 0);
        return view.meet(condition::cut_strip_0, strip == 0 && slot != 0 && !at_maximum);
    }
    if (at_maximum) return view.meet(condition::emit_at_maximum);
    const auto index = gs_slot_index(view.config.gs_slot_order, rules::token_slot(type, state), view.lane, g);
    if (!rules::token_fits(gs_token_offset(index), view.slot.output.map_bytes))
        return view.meet(condition::token_beyond);
    const bool started = rules::state_has_stream(state) != 0;
    const word stream = rules::token_stream(type, state, view.op.address[view.lane]);
    view.meet((g.stream_mask >> stream & 1U) != 0 ? condition::token_written : condition::token_of_masked_stream);
    const bool changed = started && rules::state_stream(state) != stream;
    view.meet(condition::first_vertex, !started);
    view.meet(condition::stream_changed, changed);
    view.meet(condition::strip_saturated, !cut && strip == rules::strip_limit && !changed);
}

/// The condition of an operation that is refused though its context has a stage.
condition reason_of(const warp_op& op, op_error error)
{
    if (error == op_error::illegal_instr_encoding)
        return op.op == opcode::isbewr ? condition::store_to_input : condition::phys_vector;
    if (op.op == opcode::out) return condition::out_elsewhere;
    if (op.op == opcode::ast) return condition::patch_store_elsewhere;
    return op.form == address_form::patch ? condition::patch_load_elsewhere : condition::output_load_refused;
}

void meet_lane(lane_view& view)
{
    if (is_attribute(view.op.op))
        view.op.form == address_form::patch ? detail::meet_patch(view) : detail::meet_attribute(view);
    else if (view.is(opcode::al2p))
        detail::meet_al2p(view);
    else if (view.is(opcode::out))
        meet_out(view);
    else
        meet_bytes(view);
}

} // namespace

condition_finder::condition_finder(const isbe_config& config)
    : config_(config), address_unit_(config), passes_(config, std::size_t{config.lines} * warp_lanes)
{
}

bool condition_finder::accepts(const context& slot, const warp_op& op)
{
    auto& error = found_.answer.error;
    if (names_storage(op)) return true;
    if (op.context >= config_.contexts) {
        error = op_error::illegal_sph_instr_combo;
        meet(condition::slot_beyond_table);
        return false;
    }
    if (op.op == opcode::bind) return false;
    error = address_unit::check(op, slot);
    if (error == op_error::none) return true;
    meet(slot.stage == stage::none ? condition::stage_none : reason_of(op, error));
    return false;
}

void condition_finder::resolve(const context& slot, const warp_op& op)
{
    auto& answer = found_.answer;
    if (op.op != opcode::out) {
        address_unit_.resolve(op, slot, resolved_, answer);
        for (auto& bits : written_) bits.fill(~word{0});
        if (is_raw(op.op))
            std::transform(resolved_.written.begin(), resolved_.written.end(), written_.begin(),
                           [](const written_bytes& bytes) { return bytes.mask; });
        return;
    }
    gs_step step;
    step_gs(op, slot, config_.gs_slot_order, step);
    add_bits(answer.status, step.bad_state, lane_status::gs_state);
    add_bits(answer.status, step.overflow, lane_status::gs_overflow);
    for (auto& access : resolved_.component) access.lanes = 0;
    resolved_.component[0].lanes = step.writes;
    for_each_lane(step.writes, [&](unsigned lane) {
        resolved_.component[0].index[lane] = step.address[lane] / 4;
        written_[0][lane] = word{0xff} << step.address[lane] % 4 * 8;
    });
}

void condition_finder::meet_passes()
{
    unsigned all = 0;
    bool skipped = false;
    for (const auto& access : resolved_.component) {
        const auto count = passes_.count(access.lanes, access.index);
        meet(condition::several_passes, count.passes > 1);
        meet(condition::same_word, count.shared);
        meet(condition::component_skipped, skipped && count.passes != 0);
        skipped = count.passes == 0;
        all += count.passes;
    }
    meet(condition::no_access, all == 0);
    found_.answer.passes = static_cast<std::uint16_t>(std::max(all, 1U));
}

void condition_finder::meet_writers(const context& slot, const warp_op& op)
{
    if (!(is_store(op.op) || op.op == opcode::out) || found_.met.test(static_cast<unsigned>(condition::no_access)))
        return;
    for (unsigned c = 0; c < max_components; ++c)
        for_each_lane(resolved_.component[c].lanes, [&](unsigned lane) {
            const word index = resolved_.component[c].index[lane];
            for (unsigned other = 0; other <= c; ++other) {
                const auto& access = resolved_.component[other];
                const lane_mask before = other == c ? (lane_mask{1} << lane) - 1 : ~lane_mask{0};
                for_each_lane(access.lanes & before, [&](unsigned i) {
                    if (access.index[i] != index) return;
                    const bool common = (written_[c][lane] & written_[other][i]) != 0;
                    meet(condition::bytes_of_one_word, other == c && !common);
                    meet(condition::lane_lost, other == c && common);
                    meet(condition::lane_overwritten, other != c && common);
                });
            }
        });
    if (!names_storage(op)) meet(slot.shared_spaces ? condition::store_in_shared : condition::store_in_others);
}

const met_conditions& condition_finder::find(const context& slot, const warp_op& op)
{
    found_ = {};
    found_.answer.passes = 1;
    if (!accepts(slot, op)) return found_;
    resolve(slot, op);
    meet_passes();
    meet_writers(slot, op);
    for_each_lane(op.lanes, [&](unsigned lane) {
        lane_view view{config_, slot, op, lane, found_.met};
        meet_lane(view);
        const auto status = found_.answer.status[lane];
        meet(condition::two_statuses, (status & (status - 1)) != 0);
    });
    return found_;
}

} // namespace isbesim::testbench

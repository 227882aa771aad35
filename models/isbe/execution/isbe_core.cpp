// SPDX-License-Identifier: Apache-2.0
#include "models/isbe/execution/isbe_core.h"

#include <algorithm>

#include "models/isbe/execution/execution_counter.h"
#include "models/isbe/functional/lanes.h"
#include "models/isbe/rules/lane_winner.h"
#include "models/isbe/rules/raw_bytes.h"
#include "tlm/operation_table.h"
#include "tlm/vector_clones.h"

namespace isbesim {

isbe_core::isbe_core(const isbe_config& config)
    : config_(config),
      storage_(config.lines),
      contexts_(config.contexts + 1),
      address_unit_(config),
      passes_(config, storage_.words())
{
}

namespace {

/// Resets `result` to one pass without data, lane status or error.
void clear(warp_result& result)
{
    for (auto& data : result.data) clear_lanes(data);
    clear_lanes(result.status);
    result.error = op_error::none;
    result.passes = 1;
}

} // namespace

void isbe_core::execute(const warp_op& op, warp_result& result, access_footprint& footprint)
{
    const isbe_counters before = counters();
    execute(op, result);
    footprint_recorder recorder(footprint, config_, passes_, counter_.busy_banks());
    recorder.difference(before, counters());
    if (executed_.by == executed_op::path::uniform) recorder.banks(uniform_);
    if (executed_.by == executed_op::path::resolved) recorder.banks(resolved_, executed_);
}

unsigned isbe_core::passes_by(pass_counter& other) const
{
    unsigned passes = 0;
    if (executed_.by == executed_op::path::uniform) {
        const auto words = uniform_.words();
        for (unsigned c = 0; c < uniform_.components; ++c) {
            if ((uniform_.reachable >> c & 1U) == 0) continue;
            auto index = words;
            for (auto& each : index) each += uniform_.base[c];
            passes += other.count(uniform_.lanes, index).passes;
        }
    } else if (executed_.by == executed_op::path::resolved) {
        for (const auto& access : resolved_.component) passes += other.count(access.lanes, access.index).passes;
    } else {
        return 0;
    }
    return std::max(passes, 1U);
}

ISBESIM_VECTOR_CLONES
void isbe_core::execute(const warp_op& op, warp_result& result)
{
    counter_.begin(op);
    executed_.by = executed_op::path::none;
    const bool raw_storage = names_storage(op);
    const std::size_t raw_slot = contexts_.size() - 1;
    if ((op.context >= raw_slot) & !raw_storage) {
        clear(result);
        result.error = op_error::illegal_sph_instr_combo;
        return;
    }
    if (op.op == opcode::bind) {
        bind(op, result);
        return;
    }
    const auto& where = contexts_[raw_storage ? raw_slot : op.context];
    const op_error error = address_unit::check(op, where);
    if (error != op_error::none) {
        clear(result);
        result.error = error;
        return;
    }
    if (op.op != opcode::out && uniform_.resolve(op, where, config_, passes_)) {
        executed_.by = executed_op::path::uniform;
        const lane_mask lost = execute_uniform(op, result);
        counter_.add(op, uniform_, lost, passes_);
        return;
    }
    clear(result);
    executed_.by = executed_op::path::resolved;
    executed_.overwritten_lanes = 0;
    if (op.op == opcode::out) {
        execute_out(op, where, result);
    } else {
        address_unit_.resolve(op, where, resolved_, result);
        execute_resolved(op, result);
    }
    counter_.add(op, resolved_, executed_, passes_);
}

bool isbe_core::can_read(const run_read& run) const
{
    return run.stride == 4 && run.address % 4 == 0 && run.lanes != 0 &&
           std::uint64_t{run.address} + 4 * last_lane(run.lanes) + 4 <= storage_.bytes();
}

ISBESIM_VECTOR_CLONES
unsigned isbe_core::read(const run_read& run)
{
    const word first = run.address / 4;
    storage_.read_run(first, run.lanes, run.to);
    const auto count = passes_.count_run(run.lanes, first);
    counter_.add_read(run.lanes, count, passes_);
    executed_.by = executed_op::path::none;
    return count.passes;
}

inline void isbe_core::bind(const warp_op& op, warp_result& result)
{
    const auto value = unpack_context(op);
    check_context(value, storage_.bytes());
    contexts_[op.context] = value;
    clear(result);
}

// ---- one pattern of words for every component (uniform_access.h): all of `result` is written, most of it once

// Returns the lanes that lost a word to another lane.
ISBESIM_VECTOR_CLONES
lane_mask isbe_core::execute_uniform(const warp_op& op, warp_result& result)
{
    const auto& u = uniform_;
    clear_lanes(result.status);
    lane_mask lost = 0;
    if (u.store)
        lost = store_uniform(op, result);
    else
        load_uniform(result);
    if (u.served != u.components)
        add_bits(result.status, u.lanes, u.store ? lane_status::dropped_map : lane_status::defaulted);
    u.masked_off.store(result);
    result.error = op_error::none;
    result.passes = static_cast<std::uint16_t>(std::max(u.served * u.count.passes, 1U));
    return lost;
}

inline void isbe_core::load_uniform(warp_result& result)
{
    const auto& u = uniform_;
    for (unsigned c = 0; c < max_components; ++c) {
        auto& data = result.data[c];
        if (c >= u.components || u.lanes == 0) {
            clear_lanes(data);
        } else if ((u.reachable & lane_bit[c]) == 0) {
            const word value = address_unit_.default_value(u.first_id + c);
            for (unsigned i = 0; i < warp_lanes; ++i) data[i] = value & lane_on(u.lanes, i);
        } else if (u.run) {
            storage_.read_run(u.base[c] + u.first, u.lanes, data);
        } else {
            storage_.gather(u.base[c], u.index, u.lanes, data);
        }
    }
    if (u.track_shared && u.lanes != 0) note_overwritten(u.words(), result);
}

inline void isbe_core::note_overwritten(const per_lane<word>& index, warp_result& result) const
{
    const auto& u = uniform_;
    lane_mask found = 0;
    for (unsigned c = 0; c < u.components; ++c)
        if ((u.reachable & lane_bit[c]) != 0) found |= storage_.overwritten(u.base[c], index, u.lanes);
    if (found != 0) add_bits(result.status, found, lane_status::overwritten);
}

inline lane_mask isbe_core::store_uniform(const warp_op& op, warp_result& result)
{
    const auto& u = uniform_;
    for (auto& data : result.data) clear_lanes(data);
    if (u.served == 0) return 0;
    lane_mask lanes = u.lanes;
    if (u.count.shared) {
        lanes = winners(u.index, lanes);
        flag_write_conflicts(u.lanes & ~lanes, result);
    }
    for (unsigned c = 0; c < u.components; ++c) {
        if ((u.reachable & lane_bit[c]) == 0) continue;
        if (u.run)
            storage_.write_run(u.base[c] + u.first, lanes, op.data[c], u.track_shared);
        else
            storage_.scatter(u.base[c], u.index, lanes, op.data[c], u.track_shared);
    }
    return u.lanes & ~lanes;
}

// ---- any other operation: resolved_, component by component

inline void isbe_core::execute_resolved(const warp_op& op, warp_result& result)
{
    unsigned passes = 0;
    lane_mask lost = 0;
    for (unsigned c = 0; c < max_components; ++c) {
        const auto& access = resolved_.component[c];
        if (access.lanes == 0) continue;
        passes_.count(access.lanes, access.index, executed_.count[c]);
        executed_.written[c] = 0;
        passes += executed_.count[c].passes;
        if (!resolved_.store)
            load(access, result.data[c], result);
        else if (resolved_.raw)
            lost |= store_bytes(c, resolved_.written[c]);
        else
            lost |= store(c, op.data[c]);
    }
    if (lost != 0) flag_write_conflicts(lost, result);
    executed_.overwritten_lanes = lost;
    result.passes = static_cast<std::uint16_t>(std::max(passes, 1U));
    if (op.op == opcode::isberd) join_bytes(result);
}

void isbe_core::load(const component_access& access, per_lane<word>& data, warp_result& result)
{
    per_lane<word> index;
    for (unsigned i = 0; i < warp_lanes; ++i) index[i] = access.index[i] & lane_on(access.lanes, i);
    per_lane<word> loaded;
    storage_.gather(0, index, access.lanes, loaded);
    for (unsigned i = 0; i < warp_lanes; ++i) data[i] |= loaded[i]; // other lanes have their default values already
    if (!resolved_.track_shared) return;
    const lane_mask found = storage_.overwritten(0, access.index, access.lanes);
    if (found != 0) add_bits(result.status, found, lane_status::overwritten);
}

// Stores whole words of component c. Returns the lanes that lost their word to another lane.
lane_mask isbe_core::store(unsigned c, const per_lane<word>& data)
{
    const auto& access = resolved_.component[c];
    const auto& count = executed_.count[c];
    const lane_mask lanes = count.shared ? winners(access.index, access.lanes) : access.lanes;
    storage_.scatter(0, access.index, lanes, data, resolved_.track_shared);
    executed_.written[c] = count.words * 4;
    return access.lanes & ~lanes;
}

// Stores parts of words. The winner of a byte writes last; returns the lanes that lost a byte.
lane_mask isbe_core::store_bytes(unsigned c, const written_bytes& written)
{
    const auto& access = resolved_.component[c];
    storage_.scatter_parts(access.index, access.lanes, written.data, written.mask, highest_wins(),
                           resolved_.track_shared);
    word bytes = 0;
    for (unsigned i = 0; i < warp_lanes; ++i)
        bytes += sum_of_bytes(written.mask[i] & 0x01010101U) & lane_on(access.lanes, i);
    lost_bytes lost;
    if (executed_.count[c].shared)
        lost = passes_.last_writers().lose(access.index, written.mask, access.lanes, highest_wins());
    executed_.written[c] = bytes - lost.bytes;
    return lost.lanes;
}

// ISBERD: component 0 holds the first byte's word, component 1 the next word.
void isbe_core::join_bytes(warp_result& result)
{
    const word size = resolved_.raw_size;
    const lane_mask lanes = resolved_.component[0].lanes;
    for (unsigned i = 0; i < warp_lanes; ++i)
        result.data[0][i] = rules::joined_value(result.data[0][i], result.data[1][i], resolved_.byte_offset[i], size) &
                            lane_on(lanes, i);
    clear_lanes(result.data[1]);
}

// Section 4.6: the token is a byte of the output MAP.
ISBESIM_VECTOR_CLONES
void isbe_core::execute_out(const warp_op& op, const context& context, warp_result& result)
{
    gs_step step;
    step_gs(op, context, config_.gs_slot_order, step);
    copy_lanes(step.state.data(), result.data[0].data());
    add_bits(result.status, step.bad_state, lane_status::gs_state);
    add_bits(result.status, step.overflow, lane_status::gs_overflow);
    for (auto& access : resolved_.component) access.lanes = 0;
    resolved_.store = true;
    resolved_.discarded = {};
    resolved_.discarded.gs_overflow = lane_count(step.overflow);
    resolved_.discarded.bad_register = lane_count(step.bad_state);
    if (step.writes == 0) return;
    storage_.scatter_bytes(step.address, step.writes, step.token, context.shared_spaces);
    auto& tokens = resolved_.component[0];
    tokens.lanes = step.writes;
    for (unsigned i = 0; i < warp_lanes; ++i) tokens.index[i] = step.address[i] / 4;
    passes_.count(tokens.lanes, tokens.index, executed_.count[0]);
    executed_.written[0] = lane_count(tokens.lanes);
    result.passes = static_cast<std::uint16_t>(executed_.count[0].passes);
}

// ---- several lanes that write one word

inline bool isbe_core::highest_wins() const
{
    return rules::wins_over<word>(config_.patch_winner == lane_winner::highest, 1, 0);
}

inline lane_mask isbe_core::winners(const per_lane<word>& index, lane_mask lanes)
{
    auto& table = passes_.last_writers();
    return highest_wins() ? table.last_of_each(index, lanes) : table.first_of_each(index, lanes);
}

inline void isbe_core::flag_write_conflicts(lane_mask lost, warp_result& result) const
{
    add_bits(result.status, lost, lane_status::write_conflict);
}

unsigned unloaded_latency(const isbe_config& config, opcode op, unsigned passes)
{
    return 1 + passes + response_latency(config, op);
}

unsigned response_latency(const isbe_config& config, opcode op)
{
    const std::array latencies{config.pipeline_latency, config.write_latency, config.al2p_latency, config.out_latency};
    static_assert(latencies.size() == latency_classes);
    return latencies[static_cast<unsigned>(row_of(op).latency)];
}

} // namespace isbesim

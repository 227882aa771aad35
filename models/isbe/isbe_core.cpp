#include "models/isbe/isbe_core.h"

#include <algorithm>

#include "models/isbe/gs_state.h"
#include "models/isbe/lanes.h"
#include "models/isbe/passes.h"
#include "models/isbe/vector_clones.h"

namespace isbesim {

isbe_core::isbe_core(const isbe_config& config)
    : config_(config),
      storage_(config.lines),
      contexts_(config.contexts),
      address_unit_(config),
      passes_(config.access, config.banks, storage_.words())
{
}

namespace {

/// A result without data, lane status or error, of one pass.
void clear(warp_result& result)
{
    for (auto& data : result.data) clear_lanes(data);
    clear_lanes(result.status);
    result.error = op_error::none;
    result.passes = 1;
}

/// The maps decide where the operation goes.
bool looks_up(const warp_op& op)
{
    return op.op == opcode::al2p || (is_attribute(op.op) && op.form == address_form::logical);
}

} // namespace

void isbe_core::execute(const warp_op& op, warp_result& result, access_footprint& footprint)
{
    const auto before = counters_;
    footprint_ = &footprint;
    execute(op, result);
    footprint_ = nullptr;
    const auto difference = [&](auto member) { return static_cast<std::uint32_t>(counters_.*member - before.*member); };
    footprint.passes = difference(&isbe_counters::passes);
    footprint.ideal_passes = difference(&isbe_counters::ideal_passes);
    footprint.bytes_read = difference(&isbe_counters::bytes_read);
    footprint.bytes_written = difference(&isbe_counters::bytes_written);
    footprint.bank_reads = difference(&isbe_counters::bank_reads);
    footprint.bank_writes = difference(&isbe_counters::bank_writes);
    footprint.crossbar_words = difference(&isbe_counters::crossbar_words);
    footprint.map_lookups = difference(&isbe_counters::map_lookups);
    footprint.discarded_bmap = difference(&isbe_counters::discarded_bmap);
    footprint.discarded_out_of_range = difference(&isbe_counters::discarded_out_of_range);
    footprint.discarded_patch_conflict = difference(&isbe_counters::discarded_patch_conflict);
    footprint.discarded_gs_overflow = difference(&isbe_counters::discarded_gs_overflow);
}

// What components of an operation did, each the same.
inline void isbe_core::count_components(unsigned components, const pass_count& count, lane_mask lanes, bool store)
{
    const unsigned words = components * count.words;
    counters_.passes += components * count.passes;
    counters_.ideal_passes += components * passes_.ideal(count.words);
    counters_.bank_writes += store ? words : 0;
    counters_.bank_reads += store ? 0 : words;
    counters_.crossbar_words += components * lane_count(lanes);
}

// Which banks one component kept busy, and which of them longer than evenly spread words would have.
void isbe_core::note_banks(lane_mask lanes, word base, const per_lane<word>& index, const pass_count& count)
{
    const unsigned columns = columns_of(config_);
    const unsigned ideal = passes_.ideal(count.words);
    if (count.words == warp_lanes && count.passes == ideal) { // every bank equally often
        for (unsigned b = 0; b < columns; ++b)
            footprint_->bank_words[b] = static_cast<std::uint16_t>(footprint_->bank_words[b] + warp_lanes / columns);
        return;
    }
    std::array<std::uint8_t, warp_lanes> words{};
    const auto add = [&](unsigned i) { ++words[(base + index[i]) % columns]; };
    if (count.shared)
        for_each_lane(passes_.marks().last_of_each(index, lanes), add);
    else
        for_each_lane(lanes, add);
    for (unsigned b = 0; b < columns; ++b) {
        footprint_->bank_words[b] = static_cast<std::uint16_t>(footprint_->bank_words[b] + words[b]);
        const unsigned excess = words[b] > ideal ? words[b] - ideal : 0;
        footprint_->bank_excess[b] = static_cast<std::uint16_t>(footprint_->bank_excess[b] + excess);
    }
}

void isbe_core::note_uniform_banks()
{
    const auto& u = uniform_;
    const per_lane<word> index = u.words();
    for (unsigned c = 0; c < u.components; ++c)
        if ((u.reachable & lane_bit[c]) != 0 && u.lanes != 0) note_banks(u.lanes, u.base[c], index, u.count);
}

ISBESIM_VECTOR_CLONES
void isbe_core::execute(const warp_op& op, warp_result& result)
{
    ++counters_.operations[static_cast<unsigned>(op.op)];
    const bool raw_storage = is_raw(op.op) && op.region == region::physical;
    if (op.context >= contexts_.size() && !raw_storage) {
        clear(result);
        result.error = op_error::illegal_sph_instr_combo;
        return;
    }
    if (op.op == opcode::bind) {
        const auto value = unpack_context(op);
        check_context(value, storage_.bytes());
        contexts_[op.context] = value;
        clear(result);
        return;
    }
    static const context no_context;
    const auto& where = raw_storage ? no_context : contexts_[op.context];
    const op_error error = address_unit::check(op, where);
    if (error != op_error::none) {
        clear(result);
        result.error = error;
        return;
    }
    if (op.op == opcode::out) {
        execute_out(op, where, result);
        return;
    }
    if (uniform_.resolve(op, where, config_, passes_)) {
        execute_uniform(op, result);
        return;
    }
    clear(result);
    address_unit_.resolve(op, where, resolved_, result);
    counters_.discarded_bmap += resolved_.discarded.bmap;
    counters_.discarded_out_of_range += resolved_.discarded.out_of_range;
    counters_.discarded_gs_overflow += resolved_.discarded.gs_overflow;
    if (looks_up(op) && op.lanes != 0) {
        const auto& lookup = resolved_.lookup;
        const lane_mask different = passes_.marks().last_of_each(lookup.id, op.lanes & lookup.inside);
        counters_.map_lookups += lane_count(different) * component_count(op);
    }

    unsigned passes = 0;
    lane_mask lost = 0;
    for (unsigned c = 0; c < max_components; ++c) {
        const auto& access = resolved_.component[c];
        if (access.lanes == 0) continue;
        const auto count = passes_.count(access.lanes, access.index);
        passes += count.passes;
        count_components(1, count, access.lanes, resolved_.store);
        if (footprint_ != nullptr) note_banks(access.lanes, 0, access.index, count);
        if (!resolved_.store)
            load(access, result.data[c], result);
        else if (resolved_.raw)
            lost |= store_bytes(access, resolved_.written[c], count.shared);
        else
            lost |= store(access, op.data[c], count);
        if (op.op == opcode::ald) counters_.bytes_read += std::uint64_t{lane_count(access.lanes)} * 4;
    }
    if (lost != 0) flag_write_conflicts(lost, result);
    if (passes != 0) {
        ++counters_.accesses;
        result.passes = static_cast<std::uint16_t>(passes);
    }
    if (op.op == opcode::isberd) join_bytes(result);
}

inline void isbe_core::flag_write_conflicts(lane_mask lost, warp_result& result)
{
    add_bits(result.status, lost, lane_status::write_conflict);
    counters_.discarded_patch_conflict += lane_count(lost);
}

// One pattern of words serves every component (uniform_access.h); all of `result` is written, most of it once.
ISBESIM_VECTOR_CLONES
void isbe_core::execute_uniform(const warp_op& op, warp_result& result)
{
    const auto& u = uniform_;
    if (footprint_ != nullptr) note_uniform_banks();
    clear_lanes(result.status);
    if (u.store)
        store_uniform(op, result);
    else
        load_uniform(result);

    const unsigned served = u.served;
    const unsigned unserved = u.components - served;
    const auto status = unserved == 0 ? lane_status::ok : u.store ? lane_status::dropped_map : lane_status::defaulted;
    if (status != lane_status::ok) add_bits(result.status, u.lanes, status);
    u.masked_off.store(result);
    result.error = op_error::none;
    result.passes = static_cast<std::uint16_t>(std::max(served * u.count.passes, 1U));

    const auto words = std::uint64_t{lane_count(u.lanes)};
    counters_.accesses += served != 0 ? 1 : 0;
    count_components(served, u.count, u.lanes, u.store);
    if (looks_up(op)) counters_.map_lookups += u.components;
    if (u.store) {
        counters_.bytes_written += std::uint64_t{served} * u.count.words * 4;
        counters_.discarded_bmap += unserved * words;
        counters_.discarded_gs_overflow += std::uint64_t{u.components} * u.discarded.gs_overflow;
        counters_.discarded_out_of_range += std::uint64_t{u.components} * u.discarded.out_of_range;
    } else {
        counters_.bytes_read += served * words * 4;
    }
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

inline void isbe_core::store_uniform(const warp_op& op, warp_result& result)
{
    const auto& u = uniform_;
    for (auto& data : result.data) clear_lanes(data);
    if (u.lanes == 0 || u.reachable == 0) return;
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
}

// Section 4.6: the token is one byte of the output MAP.
ISBESIM_VECTOR_CLONES
void isbe_core::execute_out(const warp_op& op, const context& context, warp_result& result)
{
    gs_step step;
    step_gs(op, context, config_.gs_slot_order, step);
    clear(result);
    copy_lanes(step.state.data(), result.data[0].data());
    add_bits(result.status, step.bad_state, lane_status::gs_state);
    add_bits(result.status, step.overflow, lane_status::gs_overflow);
    counters_.discarded_gs_overflow += lane_count(step.overflow);
    if (step.writes == 0) return;
    storage_.scatter_bytes(step.address, step.writes, step.token, context.shared_spaces);
    for (auto& address : step.address) address /= 4;
    const auto count = passes_.count(step.writes, step.address);
    result.passes = static_cast<std::uint16_t>(count.passes);
    ++counters_.accesses;
    count_components(1, count, step.writes, true);
    counters_.bytes_written += lane_count(step.writes);
    if (footprint_ != nullptr) note_banks(step.writes, 0, step.address, count);
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

inline bool isbe_core::highest_wins() const
{
    return config_.patch_winner == lane_winner::highest;
}

inline lane_mask isbe_core::winners(const per_lane<word>& index, lane_mask lanes)
{
    auto& marks = passes_.marks();
    return highest_wins() ? marks.last_of_each(index, lanes) : marks.first_of_each(index, lanes);
}

// Whole words. Returns the lanes whose word went to another lane.
lane_mask isbe_core::store(const component_access& access, const per_lane<word>& data, const pass_count& count)
{
    const lane_mask lanes = count.shared ? winners(access.index, access.lanes) : access.lanes;
    storage_.scatter(0, access.index, lanes, data, resolved_.track_shared);
    counters_.bytes_written += std::uint64_t{count.words} * 4;
    return access.lanes & ~lanes;
}

// Parts of words. The winner of a byte writes last; returns the lanes that lost one.
lane_mask isbe_core::store_bytes(const component_access& access, const written_bytes& written, bool shared)
{
    storage_.scatter_parts(access.index, access.lanes, written.data, written.mask, highest_wins(),
                           resolved_.track_shared);
    word bytes = 0;
    for (unsigned i = 0; i < warp_lanes; ++i)
        bytes += sum_of_bytes(written.mask[i] & 0x01010101U) & lane_on(access.lanes, i);
    lost_bytes lost;
    if (shared) lost = passes_.marks().lose(access.index, written.mask, access.lanes, highest_wins());
    counters_.bytes_written += bytes - lost.bytes;
    return lost.lanes;
}

// ISBERD: component 0 holds the first byte's word, component 1 the next one; the value is zero-extended.
void isbe_core::join_bytes(warp_result& result)
{
    const unsigned bytes = resolved_.raw_size;
    const word mask = bytes == 4 ? ~word{0} : (word{1} << (8 * bytes)) - 1U;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const unsigned shift = 8 * resolved_.byte_offset[i];
        const word high = result.data[1][i];
        const word joined = result.data[0][i] >> shift | high << 1 << (31 - shift); // a shift by 32 gives 0
        result.data[0][i] = joined & mask & lane_on(resolved_.component[0].lanes, i);
    }
    clear_lanes(result.data[1]);
    counters_.bytes_read += std::uint64_t{lane_count(resolved_.component[0].lanes)} * bytes;
}

unsigned unloaded_latency(const isbe_config& config, opcode op, unsigned passes)
{
    return 1 + passes + response_latency(config, op);
}

unsigned response_latency(const isbe_config& config, opcode op)
{
    switch (op) {
    case opcode::ald:
    case opcode::isberd:
        return config.pipeline_latency;
    case opcode::al2p:
        return config.al2p_latency;
    case opcode::out:
        return config.out_latency;
    case opcode::ast:
    case opcode::isbewr:
    case opcode::bind:
        break;
    }
    return config.write_latency;
}

} // namespace isbesim

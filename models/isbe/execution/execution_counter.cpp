// SPDX-License-Identifier: Apache-2.0
#include "models/isbe/execution/execution_counter.h"

#include <algorithm>
#include <array>

#include "models/isbe/functional/lanes.h"

namespace isbesim {
namespace {

/// True if the operation looks up attributes in the maps.
bool looks_up(const warp_op& op)
{
    return (op.op == opcode::al2p) | (is_attribute(op.op) & (op.form == address_form::logical));
}

} // namespace

// Adds `components` components that all did the same.
inline void execution_counter::add_components(unsigned components, const pass_count& count, lane_mask lanes, bool store,
                                              const pass_counter& passes)
{
    const unsigned words = components * count.words;
    counters_.passes += components * count.passes;
    counters_.ideal_passes += components * passes.ideal(count.words);
    counters_.bank_writes += store ? words : 0;
    counters_.bank_reads += store ? 0 : words;
    counters_.crossbar_words += components * lane_count(lanes);
}

void execution_counter::add(const warp_op& op, const uniform_access& u, lane_mask lost, const pass_counter& passes)
{
    const auto words = std::uint64_t{lane_count(u.lanes)};
    counters_.accesses += u.served != 0 ? 1 : 0;
    add_components(u.served, u.count, u.lanes, u.store, passes);
    if (looks_up(op)) counters_.map_lookups += u.components;
    if (!u.store) {
        counters_.bytes_read += u.served * words * 4;
        return;
    }
    const unsigned unserved = u.components - u.served;
    counters_.bytes_written += std::uint64_t{u.served} * u.count.words * 4;
    counters_.discarded_bmap += unserved * words;
    counters_.discarded_gs_overflow += std::uint64_t{u.components} * u.discarded.gs_overflow;
    counters_.discarded_bad_register += std::uint64_t{u.components} * u.discarded.bad_register;
    counters_.discarded_out_of_range += std::uint64_t{u.components} * u.discarded.out_of_range;
    counters_.discarded_patch_conflict += lane_count(lost);
}

void execution_counter::add_read(lane_mask lanes, const pass_count& count, const pass_counter& passes)
{
    ++counters_.operations[static_cast<unsigned>(opcode::isberd)];
    ++counters_.accesses;
    add_components(1, count, lanes, false, passes);
    counters_.bytes_read += std::uint64_t{lane_count(lanes)} * 4;
}

void execution_counter::add(const warp_op& op, const resolved_op& resolved, const executed_op& executed,
                            pass_counter& passes)
{
    counters_.discarded_bmap += resolved.discarded.bmap;
    counters_.discarded_out_of_range += resolved.discarded.out_of_range;
    counters_.discarded_gs_overflow += resolved.discarded.gs_overflow;
    counters_.discarded_bad_register += resolved.discarded.bad_register;
    counters_.discarded_patch_conflict += lane_count(executed.overwritten_lanes);
    if (looks_up(op)) {
        const auto& lookup = resolved.lookup;
        const lane_mask different = passes.last_writers().last_of_each(lookup.id, op.lanes & lookup.inside);
        counters_.map_lookups += lane_count(different) * component_count(op);
    }
    bool accessed = false;
    for (unsigned c = 0; c < max_components; ++c) {
        const lane_mask lanes = resolved.component[c].lanes;
        if (lanes == 0) continue;
        accessed = true;
        add_components(1, executed.count[c], lanes, resolved.store, passes);
        counters_.bytes_written += executed.written[c];
        if (op.op == opcode::ald) counters_.bytes_read += std::uint64_t{lane_count(lanes)} * 4;
    }
    counters_.accesses += accessed ? 1 : 0;
    if (op.op == opcode::isberd)
        counters_.bytes_read += std::uint64_t{lane_count(resolved.component[0].lanes)} * resolved.raw_size;
}

void footprint_recorder::difference(const isbe_counters& before, const isbe_counters& after)
{
    const auto increase = [&](auto member) { return static_cast<std::uint32_t>(after.*member - before.*member); };
    footprint_.passes = increase(&isbe_counters::passes);
    footprint_.ideal_passes = increase(&isbe_counters::ideal_passes);
    footprint_.bytes_read = increase(&isbe_counters::bytes_read);
    footprint_.bytes_written = increase(&isbe_counters::bytes_written);
    footprint_.bank_reads = increase(&isbe_counters::bank_reads);
    footprint_.bank_writes = increase(&isbe_counters::bank_writes);
    footprint_.crossbar_words = increase(&isbe_counters::crossbar_words);
    footprint_.map_lookups = increase(&isbe_counters::map_lookups);
    footprint_.discarded_bmap = increase(&isbe_counters::discarded_bmap);
    footprint_.discarded_out_of_range = increase(&isbe_counters::discarded_out_of_range);
    footprint_.discarded_patch_conflict = increase(&isbe_counters::discarded_patch_conflict);
    footprint_.discarded_gs_overflow = increase(&isbe_counters::discarded_gs_overflow);
    footprint_.discarded_bad_register = increase(&isbe_counters::discarded_bad_register);
}

void footprint_recorder::banks(const uniform_access& u)
{
    const per_lane<word> index = u.words();
    for (unsigned c = 0; c < u.components; ++c)
        if ((u.reachable & lane_bit[c]) != 0 && u.lanes != 0) component(u.lanes, u.base[c], index, u.count);
}

void footprint_recorder::banks(const resolved_op& resolved, const executed_op& executed)
{
    for (unsigned c = 0; c < max_components; ++c) {
        const auto& access = resolved.component[c];
        if (access.lanes != 0) component(access.lanes, 0, access.index, executed.count[c]);
    }
}

// Records the banks that one component kept busy, and for how long beyond the passes of evenly spread words.
void footprint_recorder::component(lane_mask lanes, word base, const per_lane<word>& index, const pass_count& count)
{
    const auto add_to = [](std::uint16_t& sum, unsigned more) { sum = static_cast<std::uint16_t>(sum + more); };
    const unsigned ideal = passes_.ideal(count.words);
    if (count.words == warp_lanes && count.passes == ideal) { // every bank equally often
        for (unsigned b = 0; b < columns_; ++b) add_to(footprint_.bank_words[b], warp_lanes / columns_);
        busy_banks_[columns_] += count.passes;
        return;
    }
    const auto different = count.shared ? passes_.last_writers().last_of_each(index, lanes) : lanes;
    std::array<std::uint8_t, warp_lanes> words{};
    for_each_lane(different, [&](unsigned i) { ++words[passes_.column_of(base + index[i])]; });
    if (count.passes == 1)
        ++busy_banks_[count.words];
    else if (by_line_)
        busy_in_lines(different, index, base);
    else
        for (unsigned pass = 0; pass < count.passes; ++pass) // each bank serves its next word
            ++busy_banks_[static_cast<std::size_t>(
                std::count_if(words.begin(), words.end(), [pass](auto n) { return n > pass; }))];
    for (unsigned b = 0; b < columns_; ++b) {
        add_to(footprint_.bank_words[b], words[b]);
        add_to(footprint_.bank_excess[b], words[b] > ideal ? words[b] - ideal : 0);
    }
}

void footprint_recorder::busy_in_lines(lane_mask different, const per_lane<word>& index, word base)
{
    std::array<word, warp_lanes> line{};
    unsigned count = 0;
    for_each_lane(different, [&](unsigned i) { line[count++] = (base + index[i]) / warp_lanes; });
    std::sort(line.begin(), line.begin() + count);
    for (unsigned first = 0, to = 0; first < count; first = to) {
        while (to < count && line[to] == line[first]) ++to;
        ++busy_banks_[to - first];
    }
}

} // namespace isbesim

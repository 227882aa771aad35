// SPDX-License-Identifier: Apache-2.0
#include "models/isbe/execution/execution_counter.h"

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

} // namespace isbesim

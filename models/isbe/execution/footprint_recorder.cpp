// SPDX-License-Identifier: Apache-2.0
#include "models/isbe/execution/footprint_recorder.h"

#include <algorithm>
#include <array>

#include "models/isbe/functional/lanes.h"

namespace isbesim {

void footprint_recorder::difference(const isbe_counters& before, const isbe_counters& after)
{
    const auto of = [&](auto member) { return static_cast<std::uint32_t>(after.*member - before.*member); };
    footprint_.passes = of(&isbe_counters::passes);
    footprint_.ideal_passes = of(&isbe_counters::ideal_passes);
    footprint_.bytes_read = of(&isbe_counters::bytes_read);
    footprint_.bytes_written = of(&isbe_counters::bytes_written);
    footprint_.bank_reads = of(&isbe_counters::bank_reads);
    footprint_.bank_writes = of(&isbe_counters::bank_writes);
    footprint_.crossbar_words = of(&isbe_counters::crossbar_words);
    footprint_.map_lookups = of(&isbe_counters::map_lookups);
    footprint_.discarded_bmap = of(&isbe_counters::discarded_bmap);
    footprint_.discarded_out_of_range = of(&isbe_counters::discarded_out_of_range);
    footprint_.discarded_patch_conflict = of(&isbe_counters::discarded_patch_conflict);
    footprint_.discarded_gs_overflow = of(&isbe_counters::discarded_gs_overflow);
    footprint_.discarded_bad_register = of(&isbe_counters::discarded_bad_register);
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
    for (unsigned from = 0, to = 0; from < count; from = to) {
        while (to < count && line[to] == line[from]) ++to;
        ++busy_banks_[to - from];
    }
}

} // namespace isbesim

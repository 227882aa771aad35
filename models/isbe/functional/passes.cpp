// SPDX-License-Identifier: Apache-2.0
#include "models/isbe/functional/passes.h"

#include <algorithm>
#include <cstdint>

#include "models/isbe/functional/lanes.h"
#include "tlm/vector_clones.h"

namespace isbesim {

namespace {

/// Distinct rows of the fullest bank. `places` has the banks that the words, all different, would have if there were
/// 32; with fewer, the bank is that number modulo `banks`.
unsigned fullest_bank(word places, unsigned banks)
{
    if (banks == 32) return 1;
    if (banks == 16) return (places & (places >> 16)) != 0 ? 2 : 1;
    unsigned most = 0;
    for (unsigned r = 0; r < 8; ++r) most = std::max(most, bit_count(places & (0x01010101U << r)));
    return most;
}

/// The largest number of `lanes`, whose words are all different, in one bank. `places` as above, lane by lane.
unsigned fullest_bank(const per_lane<word>& places, lane_mask lanes, unsigned banks)
{
    per_lane<word> column; // 32 for lanes outside the mask
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const word on = lane_on(lanes, i);
        column[i] = (places[i] & (banks - 1) & on) | (warp_lanes & ~on);
    }
    // Four tables, so that neighbouring lanes need not wait for each other's count.
    std::uint8_t rows[4][2 * warp_lanes] = {};
    for_all_lanes([&](unsigned i) { ++rows[i % 4][column[i]]; });
    std::uint8_t most = 0;
    for (unsigned b = 0; b < warp_lanes; ++b)
        most = std::max(most, static_cast<std::uint8_t>(rows[0][b] + rows[1][b] + rows[2][b] + rows[3][b]));
    return most;
}

} // namespace

pass_count pass_counter::count_run(lane_mask lanes, word first) const
{
    if (lanes == 0) return {};
    const unsigned words = lane_count(lanes);
    const bool two_lines = (first + first_lane(lanes)) / 32 != (first + last_lane(lanes)) / 32;
    if (rule_ == access_rule::line) return {two_lines ? 2U : 1U, words, false};
    // Every map gives each word of a line a different place. The place of the first word makes no difference.
    if (map_ == bank_map::modulo || !two_lines) return {fullest_bank(lanes, columns_), words, false};
    per_lane<word> places;
    for (unsigned i = 0; i < warp_lanes; ++i) places[i] = place_of(first + i);
    return {fullest_bank(places, lanes, columns_), words, false};
}

ISBESIM_VECTOR_CLONES
void pass_counter::count(lane_mask lanes, const per_lane<word>& index, pass_count& found)
{
    found = {};
    if (lanes == 0) return;
    const word any_index = index[first_lane(lanes)];
    per_lane<word> mapped;
    if (map_ != bank_map::modulo)
        for (unsigned i = 0; i < warp_lanes; ++i) mapped[i] = place_of(index[i]);
    const per_lane<word>& place = map_ == bank_map::modulo ? index : mapped;
    word spread = 0;
    word places = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const word on = lane_on(lanes, i);
        spread |= (index[i] ^ any_index) & on;
        places |= (word{1} << (place[i] % 32)) & on;
    }
    const bool one_line = spread < 32;
    unsigned words = bit_count(places);
    unsigned passes = 0;
    if (one_line || words == lane_count(lanes)) { // each place has one word
        passes = fullest_bank(places, columns_);
    } else {
        const lane_mask different = last_writers_.last_of_each(index, lanes);
        words = lane_count(different);
        passes = fullest_bank(place, different, columns_);
    }
    const bool shared = words != lane_count(lanes);
    if (rule_ == access_rule::line) {
        per_lane<word> line;
        for (unsigned i = 0; i < warp_lanes; ++i) line[i] = index[i] / 32;
        passes = one_line ? 1 : lane_count(last_writers_.last_of_each(line, lanes));
    }
    found.passes = passes;
    found.words = words;
    found.shared = shared;
}

} // namespace isbesim

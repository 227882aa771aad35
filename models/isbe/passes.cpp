#include "models/isbe/passes.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/isbe/faults.h"
#include "models/isbe/lanes.h"
#include "models/isbe/vector_clones.h"

namespace isbesim {

namespace {

/// Distinct rows of the fullest bank for different words, given by their places modulo 32: the words of one bank are
/// `banks` places apart.
unsigned fullest_bank(word places, unsigned banks)
{
    if (banks == 32) return 1;
    if (banks == 16) return (places & (places >> 16)) != 0 ? 2 : 1;
    unsigned most = 0;
    for (unsigned r = 0; r < 8; ++r) most = std::max(most, bit_count(places & (0x01010101U << r)));
    return most;
}

/// The lanes of the mask whose value no higher lane of the mask has. All pairs are compared: 32 lanes make that a short
/// loop without branches.
lane_mask last_of_each(const per_lane<word>& values, lane_mask lanes)
{
    word padded[2 * warp_lanes];
    word repeated[warp_lanes] = {};
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const word on = lane_on(lanes, i);
        padded[i] = (values[i] & on) | (~i & ~on); // values are word numbers: far below ~63
        padded[warp_lanes + i] = ~(warp_lanes + i);
    }
    for (unsigned distance = 1; distance < warp_lanes; ++distance)
        for (unsigned i = 0; i < warp_lanes; ++i) repeated[i] |= padded[i] == padded[i + distance] ? ~word{0} : 0;
    lane_mask all = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) all |= repeated[i] & lane_bit[i];
    return lanes & ~all;
}

/// The most of these lanes, whose words are different, that one bank has.
unsigned fullest_bank(const per_lane<word>& index, lane_mask lanes, unsigned banks)
{
    std::array<std::uint8_t, warp_lanes> rows{};
    for_each_lane(lanes, [&](unsigned i) { ++rows[index[i] % banks]; });
    return *std::max_element(rows.begin(), rows.end());
}

constexpr word rotate_left(word value, unsigned by)
{
    return value << by % 32 | value >> (32 - by % 32) % 32;
}

} // namespace

pass_count count_run_passes(lane_mask lanes, word first, access_rule rule, unsigned banks)
{
    if (lanes == 0) return {};
    const unsigned words = lane_count(lanes);
    if (rule == access_rule::banked) return {fullest_bank(rotate_left(lanes, first), banks), words, false};
    const bool two_lines = (first + first_lane(lanes)) / 32 != (first + last_lane(lanes)) / 32;
    return {two_lines ? 2U : 1U, words, false};
}

ISBESIM_VECTOR_CLONES
pass_count count_passes(lane_mask lanes, const per_lane<word>& index, access_rule rule, unsigned banks)
{
    if (lanes == 0) return {};
    const word any_index = index[first_lane(lanes)];
    word spread = 0;
    word places = 0; // modulo 32, a whole number of rounds through the banks
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const word on = lane_on(lanes, i);
        spread |= (index[i] ^ any_index) & on;
        places |= (word{1} << (index[i] % 32)) & on;
    }
    const bool one_line = spread < 32;
    unsigned words = bit_count(places);
    unsigned passes = 0;
    if (one_line || words == lane_count(lanes)) { // places stand for words
        passes = fullest_bank(places, banks);
    } else {
        const lane_mask different = last_of_each(index, lanes);
        words = lane_count(different);
        passes = fullest_bank(index, different, banks);
    }
    const bool shared = words != lane_count(lanes);
    if (ISBESIM_FAULT(23) && shared) passes += lane_count(lanes) - words;
    if (rule == access_rule::line) {
        per_lane<word> line;
        for (unsigned i = 0; i < warp_lanes; ++i) line[i] = index[i] / 32;
        passes = one_line ? 1 : lane_count(last_of_each(line, lanes));
    }
    return {passes, words, shared};
}

} // namespace isbesim

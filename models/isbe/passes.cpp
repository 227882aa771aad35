#include "models/isbe/passes.h"

#include <algorithm>
#include <cstdint>

#include "models/isbe/lanes.h"

namespace isbesim {

namespace {

/// Distinct rows of the fullest bank when lane i has word base + i: lanes of one bank are `banks` lanes apart.
unsigned consecutive_rows(lane_mask lanes, unsigned banks)
{
    if (banks == 32) return 1;
    if (banks == 16) return (lanes & (lanes >> 16)) != 0 ? 2 : 1;
    unsigned most = 0;
    for (unsigned r = 0; r < 8; ++r) most = std::max(most, lane_count(lanes & (0x01010101U << r)));
    return most;
}

/// Every word is kept in the bucket of its bank (or all in one of lines), so a lane compares with its rivals only.
struct buckets {
    std::uint8_t used[warp_lanes] = {};
    word entry[warp_lanes][warp_lanes];

    /// True when the value is new in its bucket.
    bool add(unsigned bucket, word value)
    {
        const unsigned n = used[bucket];
        for (unsigned j = 0; j < n; ++j)
            if (entry[bucket][j] == value) return false;
        entry[bucket][n] = value;
        used[bucket] = static_cast<std::uint8_t>(n + 1);
        return true;
    }
    unsigned fullest() const { return *std::max_element(std::begin(used), std::end(used)); }
};

} // namespace

pass_count count_passes(lane_mask lanes, const per_lane<word>& index, access_rule rule, unsigned banks)
{
    pass_count result;
    if (lanes == 0) return result;
    const auto first = static_cast<unsigned>(__builtin_ctz(lanes));
    const auto last = 31U - static_cast<unsigned>(__builtin_clz(lanes));

    const word base = index[first] - first;
    word step_error = 0;
    word spread = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const word on = (lanes & lane_bit[i]) != 0 ? ~word{0} : 0;
        step_error |= (index[i] - base - i) & on;
        spread |= (index[i] ^ index[first]) & on;
    }
    if (step_error == 0) {
        result.consecutive = true;
        result.words = lane_count(lanes);
        result.passes = rule == access_rule::line ? (index[first] / 32 == index[last] / 32 ? 1 : 2)
                                                  : consecutive_rows(lanes, banks);
        return result;
    }
    if (spread == 0) return {1, 1, false, true};

    buckets rows;
    for_each_lane(lanes, [&](unsigned i) { result.words += rows.add(index[i] & (banks - 1), index[i]) ? 1U : 0U; });
    result.shared = result.words != lane_count(lanes);
    result.passes = rows.fullest();
    if (rule == access_rule::line) {
        buckets lines;
        for_each_lane(lanes, [&](unsigned i) { lines.add((index[i] / 32) & 31U, index[i] / 32); });
        result.passes = 0;
        for (const auto n : lines.used) result.passes += n;
    }
    return result;
}

} // namespace isbesim

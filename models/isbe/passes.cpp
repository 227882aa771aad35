#include "models/isbe/passes.h"

#include <algorithm>
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

/// Every word is kept in the bucket of its bank (or all in one of lines), so a lane compares with its rivals only.
class buckets {
public:
    /// True when the value is new in its bucket.
    bool add(unsigned bucket, word value)
    {
        const unsigned n = used_[bucket];
        for (unsigned j = 0; j < n; ++j)
            if (entry_[bucket][j] == value) return false;
        entry_[bucket][n] = value;
        used_[bucket] = static_cast<std::uint8_t>(n + 1);
        fullest_ = std::max(fullest_, n + 1);
        ++total_;
        return true;
    }
    unsigned fullest() const { return fullest_; }
    unsigned total() const { return total_; }

private:
    std::uint8_t used_[warp_lanes] = {};
    unsigned fullest_ = 0;
    unsigned total_ = 0;
    word entry_[warp_lanes][warp_lanes];
};

} // namespace

pass_count count_passes_in_lane_order(lane_mask lanes, access_rule rule, unsigned banks)
{
    if (lanes == 0) return {};
    return {rule == access_rule::line ? 1 : fullest_bank(lanes, banks), lane_count(lanes), true, false};
}

ISBESIM_VECTOR_CLONES
pass_count count_passes(lane_mask lanes, const per_lane<word>& index, access_rule rule, unsigned banks)
{
    if (lanes == 0) return {};
    const unsigned first = first_lane(lanes);
    const word base = index[first] - first;
    word step_error = 0;
    word spread = 0;
    word places = 0; // modulo 32, a whole number of rounds through the banks
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const word on = lane_on(lanes, i);
        step_error |= (index[i] - base - i) & on;
        spread |= (index[i] ^ index[first]) & on;
        places |= (word{1} << (index[i] % 32)) & on;
    }
    const bool one_line = spread < 32;
    unsigned words = bit_count(places);
    unsigned passes = 0;
    if (one_line || words == lane_count(lanes)) { // places stand for words, so buckets are not needed
        passes = fullest_bank(places, banks);
    } else {
        buckets rows;
        for_each_lane(lanes, [&](unsigned i) { rows.add(index[i] & (banks - 1), index[i]); });
        words = rows.total();
        passes = rows.fullest();
    }
    const bool shared = words != lane_count(lanes);
    if (ISBESIM_FAULT(23) && shared) passes += lane_count(lanes) - words;
    if (rule == access_rule::line) {
        buckets lines;
        if (!one_line) for_each_lane(lanes, [&](unsigned i) { lines.add((index[i] / 32) % 32, index[i] / 32); });
        passes = one_line ? 1 : lines.total();
    }
    return {passes, words, step_error == 0, shared};
}

} // namespace isbesim

// How many cycles one component of an operation holds the banks (micro-architecture section 5). Nothing allocates.
#pragma once

#include "models/machine_config.h"
#include "tlm/warp_op.h"

namespace isbesim {

/// Words that one pass can serve: banks, or word columns of a line.
constexpr unsigned columns_of(const isbe_config& config)
{
    return config.access == access_rule::line ? warp_lanes : config.banks;
}

struct pass_count {
    unsigned passes = 0; ///< 0 when no lane has an access
    unsigned words = 0;  ///< distinct words touched
    bool shared = false; ///< at least two lanes have the same word
};

/// `index[i]` is the word index (byte address / 4) of active lane i. `banks` is 8, 16 or 32.
pass_count count_passes(lane_mask lanes, const per_lane<word>& index, access_rule rule, unsigned banks);

/// The same when lane i has word first + i.
pass_count count_run_passes(lane_mask lanes, word first, access_rule rule, unsigned banks);

/// Passes that `words` distinct words would take without any conflict: every bank, or every word of the line, busy.
constexpr unsigned ideal_passes(unsigned words, access_rule rule, unsigned banks)
{
    const unsigned width = rule == access_rule::banked ? banks : 32U;
    return (words + width - 1) >> __builtin_ctz(width); // a power of two
}

} // namespace isbesim

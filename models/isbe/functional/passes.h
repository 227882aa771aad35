// How many cycles one component of an operation holds the banks (micro-architecture section 5). Nothing allocates.
#pragma once

#include <cstddef>

#include "models/isbe/functional/last_writer_table.h"
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

class pass_counter {
public:
    /// For words 0 .. words - 1. `banks` is 8, 16 or 32.
    pass_counter(access_rule rule, unsigned banks, std::size_t words) : rule_(rule), banks_(banks), last_writers_(words)
    {
    }

    /// `index[i]` is the word index (byte address / 4) of active lane i.
    pass_count count(lane_mask lanes, const per_lane<word>& index);

    /// The same when lane i has word first + i.
    pass_count count_run(lane_mask lanes, word first) const;

    /// Passes that `words` distinct words would take without any conflict: every bank, or every word of the line, busy.
    unsigned ideal(unsigned words) const
    {
        const unsigned width = rule_ == access_rule::banked ? banks_ : warp_lanes;
        return (words + width - 1) >> __builtin_ctz(width); // a power of two
    }

    /// Of the words that it counts.
    last_writer_table& last_writers() { return last_writers_; }

private:
    access_rule rule_;
    unsigned banks_;
    last_writer_table last_writers_;
};

} // namespace isbesim

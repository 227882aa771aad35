// SPDX-License-Identifier: Apache-2.0
// Cycles for which one component of an operation holds the banks (micro-architecture section 5). Allocates nothing.
#pragma once

#include <cstddef>

#include "models/isbe/functional/last_writer_table.h"
#include "models/isbe/rules/bank_map.h"
#include "models/machine_config.h"
#include "tlm/warp_op.h"

namespace isbesim {

/// Words that one pass can serve: banks, or word columns of a line.
constexpr unsigned columns_of(const isbe_config& config)
{
    return config.access == access_rule::line ? warp_lanes : config.banks;
}

/// The map of words to those columns: the map of the banks, and modulo for a line, which has no banks.
constexpr bank_map column_map(const isbe_config& config)
{
    return config.access == access_rule::line ? bank_map::modulo : config.bank_map;
}

/// Index of the word in a row of a column.
constexpr word word_in_column(const isbe_config& config, word column, word row)
{
    return rules::word_in_bank(rules::code<word>(column_map(config)), column, row, columns_of(config));
}

/// True if a shift of all words by the same distance never changes their number of passes.
constexpr bool any_distance_keeps_passes(const isbe_config& config)
{
    return config.access == access_rule::banked && config.bank_map == bank_map::modulo;
}

/// The same for shifts by whole lines.
constexpr bool whole_lines_keep_passes(const isbe_config& config)
{
    return column_map(config) != bank_map::exclusive_or;
}

struct pass_count {
    unsigned passes = 0; ///< 0 when no lane has an access
    unsigned words = 0;  ///< distinct words touched
    bool shared = false; ///< at least two lanes have the same word
};

class pass_counter {
public:
    /// For words 0 .. words - 1 of an ISBE with `config`.
    pass_counter(const isbe_config& config, std::size_t words)
        : rule_(config.access), map_(column_map(config)), columns_(columns_of(config)), last_writers_(words)
    {
    }

    /// Where a word lies: its bank, or its place in the line.
    unsigned column_of(word index) const { return rules::bank_of(map_code(), index, columns_); }

    /// `index[i]` is the word index (byte address / 4) of active lane i.
    pass_count count(lane_mask lanes, const per_lane<word>& index)
    {
        pass_count found;
        count(lanes, index, found);
        return found;
    }
    /// The same in place: a structure that is returned in two registers goes through memory in pieces.
    void count(lane_mask lanes, const per_lane<word>& index, pass_count& found);

    /// The same when lane i has word first + i.
    pass_count count_run(lane_mask lanes, word first) const;

    /// Passes that `words` distinct words would take without any conflict: every bank, or every word of the line, busy.
    unsigned ideal(unsigned words) const
    {
        return (words + columns_ - 1) >> __builtin_ctz(columns_); // a power of two
    }

    /// The table of the words that this counter counts.
    last_writer_table& last_writers() { return last_writers_; }

private:
    word map_code() const { return rules::code<word>(map_); }
    /// The bank that a word would have if there were 32.
    word place_of(word index) const { return rules::bank_of<word>(map_code(), index, warp_lanes); }

    access_rule rule_;
    bank_map map_;
    unsigned columns_;
    last_writer_table last_writers_;
};

} // namespace isbesim

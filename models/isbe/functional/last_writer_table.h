// SPDX-License-Identifier: Apache-2.0
// Finds lanes of a warp that have the same value: every lane writes its number to the place of its value, and then
// reads whether another lane wrote there later. That takes two short loops; comparing all pairs takes 31.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/isbe/functional/lanes.h"
#include "tlm/warp_op.h"

namespace isbesim {

/// Lanes that lost at least one byte to another lane, and how many bytes they lost.
struct lost_bytes {
    lane_mask lanes = 0;
    unsigned bytes = 0;
};

class last_writer_table {
public:
    /// For values below `values`.
    explicit last_writer_table(std::size_t values) : marks_(values + 1) {}

    /// The lanes of the mask whose value no higher lane of the mask has.
    lane_mask last_of_each(const per_lane<word>& values, lane_mask lanes) { return leave<true>(values, lanes); }
    /// The lanes of the mask whose value no lower lane of the mask has.
    lane_mask first_of_each(const per_lane<word>& values, lane_mask lanes) { return leave<false>(values, lanes); }

    /// Finds the lanes that lose bytes: a lane has the bytes of `byte_mask` (0xff each) in the word that its value
    /// names. Each byte goes to the highest lane that has it, or to the lowest.
    lost_bytes lose(const per_lane<word>& values, const per_lane<word>& byte_mask, lane_mask lanes, bool highest)
    {
        const per_lane<word> place = places(values, lanes);
        word* const marks = marks_.data();
        const auto leave = [&](unsigned i) {
            word& mark = marks[place[i]];
            mark ^= (mark ^ i * every_byte) & byte_mask[i];
        };
        if (highest)
            for_all_lanes(leave);
        else
            for_all_lanes([&](unsigned n) { leave(warp_lanes - 1 - n); });
        const per_lane<word> on = lane_masks(lanes);
        lane_mask losers = 0;
        unsigned bytes = 0;
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const word others = (mark_at(place[i]) ^ i * every_byte) & byte_mask[i] & on[i];
            losers |= others != 0 ? lane_bit[i] : 0;
            // Lane numbers are below 0x20: a difference sets bit 7 when 0x7f is added.
            bytes += sum_of_bytes((others + 0x7f7f7f7fU) >> 7 & every_byte);
        }
        return {losers, bytes};
    }

private:
    static constexpr word every_byte = 0x01010101U;

    /// Lanes outside the mask share a spare place.
    per_lane<word> places(const per_lane<word>& values, lane_mask lanes) const
    {
        const auto nowhere = static_cast<word>(marks_.size() - 1);
        per_lane<word> place;
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const word on = lane_on(lanes, i);
            place[i] = (values[i] & on) | (nowhere & ~on);
        }
        return place;
    }
    /// The signed index turns a loop over lanes into a few gather instructions.
    word mark_at(word place) const { return marks_.data()[static_cast<std::int32_t>(place)]; }

    template <bool highest>
    lane_mask leave(const per_lane<word>& values, lane_mask lanes)
    {
        const per_lane<word> place = places(values, lanes);
        word* const marks = marks_.data();
        for_all_lanes([&](unsigned n) {
            const unsigned i = highest ? n : warp_lanes - 1 - n;
            marks[place[i]] = i;
        });
        lane_mask kept = 0;
        for (unsigned i = 0; i < warp_lanes; ++i) kept |= mark_at(place[i]) == i ? lane_bit[i] : 0;
        return kept & lanes;
    }

    std::vector<word> marks_;
};

} // namespace isbesim

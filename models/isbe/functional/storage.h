// SPDX-License-Identifier: Apache-2.0
// The ISBE's memory: words, one "overwritten" bit per word (micro-architecture section 4.7), and raw byte access for
// debug transport and DMI. Everything is 0 after construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/attribute/layout.h"
#include "models/isbe/functional/lanes.h"
#include "tlm/warp_op.h"

namespace isbesim {

class storage {
public:
    explicit storage(unsigned lines);

    std::size_t bytes() const { return words() * 4; }
    std::size_t words() const { return words_.size() - 2 * margin; }

    /// `index` is a byte address / 4, below words().
    word read(word index) const { return *word_at(index); }
    bool overwritten(word index) const { return overwritten_[margin + index] != 0; }

    /// Stores the bytes of `value` whose bits are set in `byte_mask` (0xff per byte) and sets or clears the bit.
    void write(word index, word value, word byte_mask, bool overwritten);

    // Access to whole words by the lanes of a mask that is not 0. Other lanes read 0 and write nothing.

    /// Lane i has word first + i, modulo 2^32: `first` is below 0 if only higher lanes are inside.
    void read_run(word first, lane_mask lanes, per_lane<word>& to) const;
    /// The same for those lanes alone: to[i] of other lanes is unchanged and need not exist.
    void read_run(word first, lane_mask lanes, word* to) const;
    void write_run(word first, lane_mask lanes, const per_lane<word>& values, bool overwritten);
    /// Lane i has word base + index[i]. For gather(), that of other lanes must be inside the storage, too.
    void gather(word base, const per_lane<word>& index, lane_mask lanes, per_lane<word>& to) const;
    void scatter(word base, const per_lane<word>& index, lane_mask lanes, const per_lane<word>& values,
                 bool overwritten);
    /// Lanes whose word base + index[i] has the overwritten bit.
    lane_mask overwritten(word base, const per_lane<word>& index, lane_mask lanes) const;

    // Access to parts of words by the lanes of a mask, one lane after the other.

    /// Stores the bytes of values[i] whose bits are set in byte_mask[i] (0xff per byte) in word index[i].
    void scatter_parts(const per_lane<word>& index, lane_mask lanes, const per_lane<word>& values,
                       const per_lane<word>& byte_mask, bool highest_last, bool overwritten);
    /// Stores the low byte of values[i] at byte address[i]; no two lanes have the same address.
    void scatter_bytes(const per_lane<word>& address, lane_mask lanes, const per_lane<word>& values, bool overwritten);

    /// Raw little-endian bytes, for DMI. Writes through this pointer leave the overwritten bits unchanged.
    std::uint8_t* data() { return reinterpret_cast<std::uint8_t*>(word_at(0)); }
    const std::uint8_t* data() const { return reinterpret_cast<const std::uint8_t*>(word_at(0)); }

    /// Debug access as in TLM-2.0: byte i is copied if `enables` is null or enables[i % enable_count] is 0xff. Returns
    /// the number of bytes inside the storage; a write clears the overwritten bits of the words it touches.
    std::size_t read_bytes(std::uint64_t address, std::uint8_t* to, std::size_t count,
                           const std::uint8_t* enables = nullptr, std::size_t enable_count = 0) const;
    std::size_t write_bytes(std::uint64_t address, const std::uint8_t* source, std::size_t count,
                            const std::uint8_t* enables = nullptr, std::size_t enable_count = 0);

private:
    /// Spare words at both ends, so that a run of 32 that begins or ends inside needs no test.
    static constexpr unsigned margin = warp_lanes;
    /// Two of the spare words: one takes masked-off writes, the other is never marked.
    static constexpr word nowhere = 0;
    static constexpr word unmarked = 1;

    word* word_at(word index) { return words_.data() + margin + static_cast<std::int32_t>(index); }
    const word* word_at(word index) const { return words_.data() + margin + static_cast<std::int32_t>(index); }
    std::uint8_t* flag_at(word index) { return overwritten_.data() + margin + static_cast<std::int32_t>(index); }
    void mark(word index, bool overwritten)
    {
        if (!overwritten && !any_overwritten_) return;
        any_overwritten_ = true;
        *flag_at(index) = overwritten ? 1 : 0;
    }

    /// Places of base + index[i] in words_ and overwritten_; `other` for lanes outside the mask. Loops then run
    /// over all lanes, without an unpredictable branch at their end.
    static per_lane<word> places(word base, const per_lane<word>& index, lane_mask lanes, word other);
    void mark_run(word first, lane_mask lanes, bool overwritten);
    void mark(const per_lane<word>& place, bool overwritten);

    std::vector<word> words_;
    std::vector<std::uint8_t> overwritten_; // a byte per word: two stores clear those of a warp
    bool any_overwritten_ = false;          // false: all of overwritten_ is 0, as without shared spaces
};

inline void storage::read_run(word first, lane_mask lanes, per_lane<word>& to) const
{
    const word* const source = word_at(first);
    if (lanes == all_lanes)
        copy_lanes(source, to.data());
    else
        for (unsigned i = 0; i < warp_lanes; ++i) to[i] = source[i] & lane_on(lanes, i);
}

inline void storage::read_run(word first, lane_mask lanes, word* to) const
{
    const word* const source = word_at(first);
    if (lanes == all_lanes)
        copy_lanes(source, to);
    else
        for_each_lane(lanes, [&](unsigned i) { to[i] = source[i]; });
}

inline void storage::write_run(word first, lane_mask lanes, const per_lane<word>& values, bool overwritten)
{
    word* const to = word_at(first);
    if (lanes == all_lanes)
        copy_lanes(values.data(), to);
    else
        for (unsigned i = 0; i < warp_lanes; ++i) to[i] ^= (to[i] ^ values[i]) & lane_on(lanes, i);
    if (overwritten || any_overwritten_) mark_run(first, lanes, overwritten);
}

// Signed indices and an unaliased local turn the loop into a few gather instructions.
inline void storage::gather(word base, const per_lane<word>& index, lane_mask lanes, per_lane<word>& to) const
{
    const word* const source = word_at(base);
    const per_lane<word> on = lane_masks(lanes);
    per_lane<word> values;
    for (unsigned i = 0; i < warp_lanes; ++i) values[i] = source[static_cast<std::int32_t>(index[i])] & on[i];
    copy_lanes(values.data(), to.data());
}

inline per_lane<word> storage::places(word base, const per_lane<word>& index, lane_mask lanes, word other)
{
    const per_lane<word> on = lane_masks(lanes);
    per_lane<word> place;
    for (unsigned i = 0; i < warp_lanes; ++i) place[i] = ((margin + base + index[i]) & on[i]) | (other & ~on[i]);
    return place;
}

inline void storage::scatter(word base, const per_lane<word>& index, lane_mask lanes, const per_lane<word>& values,
                             bool overwritten)
{
    const per_lane<word> place = places(base, index, lanes, nowhere);
    word* const to = words_.data();
    for_all_lanes([&](unsigned i) { to[place[i]] = values[i]; });
    if (overwritten || any_overwritten_) mark(place, overwritten);
}

inline lane_mask storage::overwritten(word base, const per_lane<word>& index, lane_mask lanes) const
{
    if (!any_overwritten_) return 0;
    const per_lane<word> place = places(base, index, lanes, unmarked);
    const std::uint8_t* const flags = overwritten_.data();
    unsigned any = 0;
    for_all_lanes([&](unsigned i) { any |= flags[place[i]]; });
    lane_mask found = 0;
    if (any != 0) for_all_lanes([&](unsigned i) { found |= bit_if(flags[place[i]] != 0, i); });
    return found;
}

inline void storage::scatter_parts(const per_lane<word>& index, lane_mask lanes, const per_lane<word>& values,
                                   const per_lane<word>& byte_mask, bool highest_last, bool overwritten)
{
    const auto write = [&](unsigned i) {
        word& stored = *word_at(index[i]);
        stored ^= (stored ^ values[i]) & byte_mask[i];
    };
    if (highest_last)
        for_each_lane(lanes, write);
    else
        for_each_lane_down(lanes, write);
    if (overwritten || any_overwritten_) mark(places(0, index, lanes, nowhere), overwritten);
}

inline void storage::scatter_bytes(const per_lane<word>& address, lane_mask lanes, const per_lane<word>& values,
                                   bool overwritten)
{
    std::uint8_t* const to = data();
    for_each_lane(lanes, [&](unsigned i) { to[address[i]] = static_cast<std::uint8_t>(values[i]); });
    if (!overwritten && !any_overwritten_) return;
    for_each_lane(lanes, [&](unsigned i) { mark(address[i] / 4, overwritten); });
}

} // namespace isbesim

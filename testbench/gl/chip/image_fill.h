// SPDX-License-Identifier: Apache-2.0
// Clears: every texel in a part of an image gets the same bits. They wait until something else uses the memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <vector>

#include "testbench/gl/chip/surface.h"

namespace isbesim::gl {

/// A set of addresses, kept as ranges that do not overlap.
class address_ranges {
public:
    bool empty() const { return ends_.empty(); }
    const std::map<std::uint64_t, std::uint64_t>& ends() const { return ends_; } ///< by first address

    void add(std::uint64_t first, std::uint64_t end)
    {
        remove(first, end);
        if (first < end) ends_.emplace(first, end);
    }
    void remove(std::uint64_t first, std::uint64_t end)
    {
        if (first >= end) return;
        cut(first);
        cut(end);
        ends_.erase(ends_.lower_bound(first), ends_.lower_bound(end));
    }
    /// True if any address from `first` to before `end` is in the set.
    bool touches(std::uint64_t first, std::uint64_t end) const
    {
        const auto next = ends_.lower_bound(end);
        return next != ends_.begin() && std::prev(next)->second > first;
    }
    /// True if one range has all of them.
    bool contains(std::uint64_t first, std::uint64_t end) const
    {
        const auto next = ends_.upper_bound(first);
        return next != ends_.begin() && std::prev(next)->second >= end;
    }

private:
    /// Splits a range that continues past an address.
    void cut(std::uint64_t address)
    {
        const auto next = ends_.lower_bound(address);
        if (next == ends_.begin()) return;
        auto& end = std::prev(next)->second;
        if (end <= address) return;
        ends_.emplace_hint(next, address, end);
        end = address;
    }

    std::map<std::uint64_t, std::uint64_t> ends_;
};

struct image_fill {
    static constexpr unsigned piece = 16; ///< bytes that are contiguous in every image, a whole number of texels
    struct range {
        std::uint32_t first = 0, end = 0;
    };

    surface where;
    std::uint32_t z = 0;                            ///< layer
    range x, y;                                     ///< bytes of a line; lines
    std::array<std::uint8_t, piece> bits{}, kept{}; ///< of a piece; bits of the memory that stay

    /// The memory that the fill may change.
    byte_range reach() const;
    /// True if the fill replaces every byte of reach().
    bool is_whole() const;
    /// True if nothing remains of the older fill.
    bool replaces(const image_fill& older) const;

    /// Writes runs of bytes. `at(address, count)` returns where they are, or null: they are left out. Returns false
    /// then.
    template <typename At>
    bool write(At&& at) const
    {
        bool complete = true;
        for (auto line = y.first; line < y.end; ++line) {
            for (auto place = x.first; place < x.end;) {
                const auto count = std::min(where.run(place), x.end - place);
                if (auto* bytes = at(where.address_of(place, line, z), count); bytes != nullptr)
                    for (std::uint32_t i = 0; i < count; ++i) put(bytes[i], (place + i) % piece);
                else
                    complete = false;
                place += count;
            }
        }
        return complete;
    }
    /// Writes all of reach(), whose bytes are at `bytes`.
    void write_to(std::uint8_t* bytes) const;

private:
    void put(std::uint8_t& byte, unsigned i) const { byte = static_cast<std::uint8_t>((byte & kept[i]) | bits[i]); }
};

/// Fills that are not carried out yet, by their places in the session's memory, oldest first.
class waiting_fills {
public:
    explicit waiting_fills(std::uint8_t* memory) : memory_(memory) {}

    /// Buffers that programs can't map: only the session sees their bytes.
    address_ranges hidden;

    bool empty() const { return fills_.empty(); }
    void add(const image_fill& fill);
    /// Carries out the fills that reach a byte from `first` to before `end`, and what they depend on.
    void carry_out(std::uint64_t first, std::uint64_t end)
    {
        if (first < end_ && end > first_) carry_out_overlapping(first, end);
    }
    void carry_out_all() { carry_out(0, ~std::uint64_t{0}); }
    /// The memory's content is lost.
    void drop(std::uint64_t first, std::uint64_t end);
    void drop_all() { drop(0, ~std::uint64_t{0}); }

private:
    void carry_out_overlapping(std::uint64_t first, std::uint64_t end);
    void set_bounds();

    std::uint8_t* memory_;
    std::vector<image_fill> fills_;
    std::uint64_t first_ = 0, end_ = 0; ///< all fills are in here
};

} // namespace isbesim::gl

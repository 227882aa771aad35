// SPDX-License-Identifier: Apache-2.0
// A set of addresses, kept as ranges that do not overlap.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>

namespace isbesim::gl {

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

} // namespace isbesim::gl

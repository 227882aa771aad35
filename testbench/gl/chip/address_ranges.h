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
        const auto behind = ends_.lower_bound(end);
        return behind != ends_.begin() && std::prev(behind)->second > first;
    }
    /// True if one range has all of them.
    bool contains(std::uint64_t first, std::uint64_t end) const
    {
        const auto behind = ends_.upper_bound(first);
        return behind != ends_.begin() && std::prev(behind)->second >= end;
    }

private:
    /// Splits a range that continues past an address.
    void cut(std::uint64_t address)
    {
        const auto behind = ends_.lower_bound(address);
        if (behind == ends_.begin()) return;
        auto& end = std::prev(behind)->second;
        if (end <= address) return;
        ends_.emplace_hint(behind, address, end);
        end = address;
    }

    std::map<std::uint64_t, std::uint64_t> ends_;
};

} // namespace isbesim::gl

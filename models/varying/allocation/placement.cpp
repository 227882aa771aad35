// SPDX-License-Identifier: Apache-2.0
#include "models/varying/allocation/placement.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace isbesim::varying {

namespace {

/// Dead ends after which the search gives up: packing is NP-complete, and no text should take seconds.
constexpr std::size_t most_states = 20000;

class search {
public:
    search(std::vector<hole>& holes, const std::vector<unsigned>& sizes)
        : holes_(holes), sizes_(sizes), begins_(sizes.size())
    {
        order_.resize(sizes.size());
        std::iota(order_.begin(), order_.end(), 0U);
        std::stable_sort(order_.begin(), order_.end(), [&](auto a, auto b) { return sizes[a] > sizes[b]; });
    }

    bool run(std::size_t next = 0)
    {
        if (next == order_.size()) return true;
        if (!enough_room(next)) return false;
        // A state is the sizes of the remaining holes; it does not matter how the others were filled.
        std::vector<unsigned> key = {static_cast<unsigned>(next)};
        for (const auto& each : holes_) key.push_back(each.end - each.begin);
        std::sort(key.begin() + 1, key.end());
        if (failed_.count(key) != 0 || failed_.size() >= most_states) return false;

        const unsigned size = sizes_[order_[next]];
        std::vector<unsigned> candidates;
        for (unsigned i = 0; i < holes_.size(); ++i)
            if (room(i) >= size) candidates.push_back(i);
        std::stable_sort(candidates.begin(), candidates.end(), [&](auto a, auto b) { return room(a) < room(b); });
        unsigned previous_room = 0;
        for (const auto i : candidates) {
            if (room(i) == previous_room) continue; // as good as the previous candidate
            previous_room = room(i);
            begins_[order_[next]] = holes_[i].begin;
            holes_[i].begin += size;
            if (run(next + 1)) return true;
            holes_[i].begin -= size;
        }
        failed_.insert(std::move(key));
        return false;
    }

    std::vector<unsigned>& begins() { return begins_; }

private:
    /// Whether the usable holes are large enough in total. A hole smaller than the smallest run is unusable.
    bool enough_room(std::size_t next) const
    {
        const unsigned smallest = sizes_[order_.back()];
        unsigned usable = 0, needed = 0;
        for (unsigned i = 0; i < holes_.size(); ++i)
            if (room(i) >= smallest) usable += room(i);
        for (std::size_t i = next; i < order_.size(); ++i) needed += sizes_[order_[i]];
        return usable >= needed;
    }
    unsigned room(unsigned i) const { return holes_[i].end - holes_[i].begin; }

    std::vector<hole>& holes_;
    const std::vector<unsigned>& sizes_;
    std::vector<unsigned> begins_;
    std::vector<unsigned> order_;
    std::set<std::vector<unsigned>> failed_;
};

} // namespace

std::optional<std::vector<unsigned>> place_runs(std::vector<hole> holes, const std::vector<unsigned>& sizes)
{
    search arrangement(holes, sizes);
    if (!arrangement.run()) return std::nullopt;
    return std::move(arrangement.begins());
}

} // namespace isbesim::varying

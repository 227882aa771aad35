// SPDX-License-Identifier: Apache-2.0
#include "models/pe/linking/line_ring.h"

#include <algorithm>
#include <stdexcept>

namespace isbesim {

std::optional<extent> line_ring::allocate(unsigned count)
{
    if (count > lines_) return std::nullopt;
    auto at = first_;
    if (!entries_.empty()) {
        const auto oldest = entries_.front().space.first;
        const auto& newest = entries_.back().space;
        at = newest.first + newest.count;
        // The free lines are one run after the newest space, or two: to the end and from the start to the oldest.
        const auto wrapped = newest.first < oldest;
        if (!wrapped && at + count > first_ + lines_) {
            at = first_;
            if (at + count > oldest) return std::nullopt;
        } else if (wrapped && at + count > oldest) {
            return std::nullopt;
        }
    }
    entries_.push_back({{at, count}, false});
    return entries_.back().space;
}

void line_ring::release(const extent& space)
{
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const entry& e) {
        return !e.released && e.space.first == space.first && e.space.count == space.count;
    });
    if (found == entries_.end()) throw std::logic_error("released lines that were not allocated");
    found->released = true;
    while (!entries_.empty() && entries_.front().released) entries_.pop_front();
}

} // namespace isbesim

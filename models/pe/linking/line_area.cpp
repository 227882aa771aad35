// SPDX-License-Identifier: Apache-2.0
#include "models/pe/linking/line_area.h"

#include <algorithm>
#include <stdexcept>

namespace isbesim {

line_area::line_area(unsigned first, unsigned lines, allocation_rule rule) : first_(first), lines_(lines), rule_(rule)
{
    if (lines != 0) gaps_.push_back({first, lines});
}

std::optional<extent> line_area::allocate(unsigned count, side from)
{
    const auto gaps = gaps_.size();
    auto best = gaps;
    for (std::size_t i = 0; i < gaps; ++i) {
        const auto g = from == side::start ? i : gaps - 1 - i;
        if (gaps_[g].count < count || (best != gaps && gaps_[g].count >= gaps_[best].count)) continue;
        best = g;
        if (rule_ == allocation_rule::first_fit) break;
    }
    if (best == gaps) return std::nullopt;
    auto& gap = gaps_[best];
    gap.count -= count;
    const extent space{from == side::start ? gap.first : gap.first + gap.count, count};
    if (from == side::start) gap.first += count;
    if (gap.count == 0) gaps_.erase(gaps_.begin() + static_cast<std::ptrdiff_t>(best));
    return space;
}

void line_area::release(const extent& space)
{
    if (!holds(space)) throw std::logic_error("released lines that were not allocated");
    const auto after = std::lower_bound(gaps_.begin(), gaps_.end(), space,
                                        [](const extent& a, const extent& b) { return a.first < b.first; });
    const auto touches_after = after != gaps_.end() && space.first + space.count == after->first;
    const auto touches_before = after != gaps_.begin() && (after - 1)->first + (after - 1)->count == space.first;
    if (touches_before && touches_after) {
        (after - 1)->count += space.count + after->count;
        gaps_.erase(after);
    } else if (touches_before) {
        (after - 1)->count += space.count;
    } else if (touches_after) {
        after->first = space.first;
        after->count += space.count;
    } else {
        gaps_.insert(after, space);
    }
}

} // namespace isbesim

#include "models/pe/linking/allocator.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace isbesim {

line_allocator::line_allocator(unsigned lines, allocation_rule rule, const std::vector<unsigned>& reserves)
    : rule_(rule), common_(lines)
{
    const auto reserved = std::accumulate(reserves.begin(), reserves.end(), std::uint64_t{0});
    if (reserved > lines) throw std::invalid_argument("the reserves of the later stages exceed the ISBE");
    common_ = lines - static_cast<unsigned>(reserved);
    auto first = common_;
    for (const auto count : reserves) {
        reserves_.push_back({{first, count}, false});
        first += count;
    }
    if (common_ != 0) gaps_.push_back({0, common_});
}

void line_allocator::took(unsigned count)
{
    used_ += count;
    peak_ = std::max(peak_, used_);
}

std::optional<extent> line_allocator::allocate(unsigned count, unsigned level)
{
    if (count == 0) return extent{};
    auto best = gaps_.end();
    for (auto gap = gaps_.begin(); gap != gaps_.end(); ++gap) {
        if (gap->count < count || (best != gaps_.end() && gap->count >= best->count)) continue;
        best = gap;
        if (rule_ == allocation_rule::first_fit) break;
    }
    if (best != gaps_.end()) {
        const extent space{best->first, count};
        best->first += count;
        best->count -= count;
        if (best->count == 0) gaps_.erase(best);
        took(count);
        return space;
    }
    if (level == 0 || level > reserves_.size()) return std::nullopt;
    auto& own = reserves_[level - 1];
    if (own.taken || own.space.count < count) return std::nullopt;
    own.taken = true;
    took(count);
    return extent{own.space.first, count};
}

void line_allocator::release(const extent& space)
{
    if (space.count == 0) return;
    used_ -= space.count;
    if (space.first >= common_) {
        const auto own = std::find_if(reserves_.begin(), reserves_.end(),
                                      [&](const reserve& r) { return r.taken && r.space.first == space.first; });
        if (own == reserves_.end()) throw std::logic_error("released lines that were not allocated");
        own->taken = false;
        return;
    }
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

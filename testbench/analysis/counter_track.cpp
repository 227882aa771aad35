// SPDX-License-Identifier: Apache-2.0
#include "testbench/analysis/counter_track.h"

#include <algorithm>

namespace isbesim::testbench {

void counter_track::add(std::uint64_t cycle, std::int64_t amount)
{
    if (amount == 0) return;
    changes_[std::max(cycle, shown_to_)] += amount;
    latest_ = std::max(latest_, cycle);
    // Occasionally, not with every change: looking at the front of the map each time would cost as much as the map.
    if (latest_ >= shown_to_ + 2 * horizon) flush(latest_ - horizon);
}

void counter_track::flush(std::uint64_t end)
{
    auto change = changes_.begin();
    for (; change != changes_.end() && change->first < end; ++change) {
        const auto& [cycle, amount] = *change;
        if (!begun_ && cycle >= window_.first) {
            begun_ = true;
            if (level_ != 0 && cycle > window_.first) show_(window_.first, level_);
        }
        level_ += amount;
        if (amount != 0 && window_.contains(cycle)) show_(cycle, level_);
    }
    changes_.erase(changes_.begin(), change);
    shown_to_ = end;
}

} // namespace isbesim::testbench

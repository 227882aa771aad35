// SPDX-License-Identifier: Apache-2.0
#include "models/statistics/time_weighted.h"

#include <algorithm>

namespace isbesim {

void time_weighted::set(std::uint64_t cycle, std::uint64_t level)
{
    if (cycle > since_) {
        integral_ += (cycle - since_) * level_;
        cycles_at_[log_bins::bin_of(level_)] += cycle - since_;
        since_ = cycle;
    }
    level_ = level;
    peak_ = std::max(peak_, level);
}

std::uint64_t time_weighted::integral(std::uint64_t cycle) const
{
    return cycle <= since_ ? integral_ : integral_ + (cycle - since_) * level_;
}

double time_weighted::mean(std::uint64_t cycle) const
{
    return cycle == 0 ? 0.0 : static_cast<double>(integral(cycle)) / static_cast<double>(cycle);
}

void time_weighted::merge(const time_weighted& other)
{
    const std::uint64_t cycle = std::max(since_, other.since_);
    integral_ = integral(cycle) + other.integral(cycle);
    since_ = cycle;
    level_ += other.level_;
    peak_ = std::max(peak_, other.peak_);
    for (unsigned b = 0; b < log_bins::count; ++b) cycles_at_[b] += other.cycles_at_[b];
}

void time_weighted::subtract(const time_weighted& earlier)
{
    integral_ -= earlier.integral_;
    for (unsigned b = 0; b < log_bins::count; ++b) cycles_at_[b] -= earlier.cycles_at_[b];
}

} // namespace isbesim

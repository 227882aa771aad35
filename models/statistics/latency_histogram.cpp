// SPDX-License-Identifier: Apache-2.0
#include "models/statistics/latency_histogram.h"

#include <algorithm>

namespace isbesim {

void latency_histogram::make_room(std::uint64_t cycles)
{
    // In powers of two, so that a run stops allocating after a few growths.
    std::size_t size = std::max<std::size_t>(counts_.size(), 64);
    while (size <= cycles) size *= 2;
    counts_.resize(size);
}

void latency_histogram::add(std::uint64_t cycles)
{
    ++count_;
    sum_ += cycles;
    min_ = std::min(min_, cycles);
    max_ = std::max(max_, cycles);
    if (cycles > limit) {
        ++overflowed_;
        return;
    }
    if (cycles >= counts_.size()) make_room(cycles);
    ++counts_[static_cast<std::size_t>(cycles)];
}

void latency_histogram::merge(const latency_histogram& other)
{
    if (other.counts_.size() > counts_.size()) counts_.resize(other.counts_.size());
    for (std::size_t i = 0; i < other.counts_.size(); ++i) counts_[i] += other.counts_[i];
    count_ += other.count_;
    sum_ += other.sum_;
    min_ = std::min(min_, other.min_);
    max_ = std::max(max_, other.max_);
    overflowed_ += other.overflowed_;
}

void latency_histogram::subtract(const latency_histogram& earlier)
{
    for (std::size_t i = 0; i < earlier.counts_.size(); ++i) counts_[i] -= earlier.counts_[i];
    count_ -= earlier.count_;
    sum_ -= earlier.sum_;
    overflowed_ -= earlier.overflowed_;
    min_ = UINT64_MAX;
    if (overflowed_ == 0) max_ = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        if (counts_[i] == 0) continue;
        min_ = std::min<std::uint64_t>(min_, i);
        if (overflowed_ == 0) max_ = i;
    }
    if (min_ == UINT64_MAX) min_ = max_;
}

double latency_histogram::mean() const
{
    return count_ == 0 ? 0.0 : static_cast<double>(sum_) / static_cast<double>(count_);
}

std::uint64_t latency_histogram::percentile(unsigned percent) const
{
    if (count_ == 0) return 0;
    // rank = ceil(count * percent / 100), without overflow for any count that a run can reach.
    const std::uint64_t whole = count_ / 100 * percent;
    const std::uint64_t rest = (count_ % 100 * percent + 99) / 100;
    const std::uint64_t rank = std::max<std::uint64_t>(1, whole + rest);
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        seen += counts_[i];
        if (seen >= rank) return i;
    }
    return max_;
}

} // namespace isbesim

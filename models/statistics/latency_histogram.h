// SPDX-License-Identifier: Apache-2.0
// Exact distribution of integer cycle counts in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace isbesim {

/// Counts every value up to `limit` exactly; larger values share one overflow record of their number, sum and
/// maximum. So count, min, mean and max are always exact; a percentile is exact unless it falls among the overflowed
/// values: it is max() then.
class latency_histogram {
public:
    static constexpr std::uint64_t limit = 65535; ///< cycles; 512 KiB at most

    void add(std::uint64_t cycles);
    /// Adds the samples of another instance (SM, port): per-instance figures add up to the total.
    void merge(const latency_histogram& other);

    /// Removes the samples of `earlier`, an earlier copy of this histogram. If samples above `limit` remain, max()
    /// stays that of all samples.
    void subtract(const latency_histogram& earlier);

    std::uint64_t count() const { return count_; }
    std::uint64_t sum() const { return sum_; }
    std::uint64_t overflowed() const { return overflowed_; } ///< samples above `limit`
    /// Cycles; 0 without samples.
    std::uint64_t min() const { return count_ == 0 ? 0 : min_; }
    std::uint64_t max() const { return max_; }
    double mean() const;
    /// Nearest-rank percentile, 0 < percent <= 100: the smallest sample with at least that share of samples at or
    /// below it. 0 without samples.
    std::uint64_t percentile(unsigned percent) const;
    /// Samples of exactly this many cycles (<= limit).
    std::uint64_t samples(std::uint64_t cycles) const
    {
        return cycles < counts_.size() ? counts_[static_cast<std::size_t>(cycles)] : 0;
    }

    /// Calls one(member) for each member, to transfer it between this process and a copy of it.
    template <typename Function>
    void pass_members(Function one)
    {
        one(counts_);
        one(count_);
        one(sum_);
        one(min_);
        one(max_);
        one(overflowed_);
    }

private:
    void make_room(std::uint64_t cycles);

    std::vector<std::uint64_t> counts_; ///< by cycles; as long as the largest value needs
    std::uint64_t count_ = 0;
    std::uint64_t sum_ = 0;
    std::uint64_t min_ = UINT64_MAX;
    std::uint64_t max_ = 0;
    std::uint64_t overflowed_ = 0;
};

} // namespace isbesim

// SPDX-License-Identifier: Apache-2.0
// Mean, peak and distribution of a level (warps resident, lines allocated, queued requests) over cycles.
#pragma once

#include <array>
#include <cstdint>

/// Bins of distributions: one bin for each value below 16, eight for each power of two above.
namespace isbesim::log_bins {

inline constexpr unsigned exact = 16;                      ///< number of values with a bin of their own
inline constexpr unsigned per_octave = 8;                  ///< a bin is at most an eighth of its first value wide
inline constexpr unsigned count = exact + 16 * per_octave; ///< the last bin has all larger values, too

constexpr unsigned bin_of(std::uint64_t value)
{
    if (value < exact) return static_cast<unsigned>(value);
    const auto log2 = 63U - static_cast<unsigned>(__builtin_clzll(value));
    const auto bin = exact + (log2 - 4) * per_octave + static_cast<unsigned>(value >> (log2 - 3) & (per_octave - 1));
    return bin < count ? bin : count - 1;
}

/// The smallest value of a bin; `count` gives the end of the last bin.
constexpr std::uint64_t first_of(unsigned bin)
{
    if (bin < exact) return bin;
    const auto beyond = bin - exact;
    return std::uint64_t{per_octave + beyond % per_octave} << (beyond / per_octave + 1);
}

} // namespace isbesim::log_bins

namespace isbesim {

/// The level is a step function of the cycle; cycles never go backwards.
class time_weighted {
public:
    /// From `cycle` on the level is `level`.
    void set(std::uint64_t cycle, std::uint64_t level);
    void add(std::uint64_t cycle, std::uint64_t amount) { set(cycle, level_ + amount); }
    void subtract(std::uint64_t cycle, std::uint64_t amount) { set(cycle, level_ - amount); }

    std::uint64_t level() const { return level_; }
    /// Largest level ever set, even if for less than a cycle.
    std::uint64_t peak() const { return peak_; }
    /// Level times cycles over cycles 0 .. cycle-1.
    std::uint64_t integral(std::uint64_t cycle) const;
    /// Mean level over cycles 0 .. cycle-1; 0 for no cycles.
    double mean(std::uint64_t cycle) const;

    /// Advances to `cycle` at the current level.
    void settle(std::uint64_t cycle) { set(cycle, level_); }
    /// Cycles before the last change, by the bin of their level (log_bins).
    const std::array<std::uint64_t, log_bins::count>& cycles_at() const { return cycles_at_; }
    /// Subtracts an earlier state of this level: the rest covers the cycles since then, except for the peak.
    void subtract(const time_weighted& earlier);

    /// Adds another instance on the same time axis: integrals and levels, hence means, add up; the peak becomes the
    /// largest peak of one instance, because the cycles of the peaks are not kept. cycles_at() adds up if both are
    /// settled.
    void merge(const time_weighted& other);

private:
    std::uint64_t since_ = 0; ///< cycle of the last change
    std::uint64_t level_ = 0;
    std::uint64_t peak_ = 0;
    std::uint64_t integral_ = 0; ///< up to since_
    std::array<std::uint64_t, log_bins::count> cycles_at_{};
};

} // namespace isbesim

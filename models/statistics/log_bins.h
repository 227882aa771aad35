// SPDX-License-Identifier: Apache-2.0
// Bins of distributions: one bin for each value below 16, eight for each power of two above.
#pragma once

#include <cstdint>

namespace isbesim::log_bins {

inline constexpr unsigned exact = 16;             ///< number of values with a bin of their own
inline constexpr unsigned per_octave = 8;         ///< a bin is at most an eighth of its first value wide
inline constexpr unsigned count = exact + 8 * 16; ///< the last bin has all larger values, too

constexpr unsigned of(std::uint64_t value)
{
    if (value < exact) return static_cast<unsigned>(value);
    const auto log2 = 63U - static_cast<unsigned>(__builtin_clzll(value));
    const auto bin = exact + (log2 - 4) * per_octave + static_cast<unsigned>(value >> (log2 - 3) & (per_octave - 1));
    return bin < count ? bin : count - 1;
}

/// The smallest value of a bin; for `count`, that of the bin which would come next.
constexpr std::uint64_t first_of(unsigned bin)
{
    if (bin < exact) return bin;
    const auto beyond = bin - exact;
    return std::uint64_t{per_octave + beyond % per_octave} << (beyond / per_octave + 1);
}

} // namespace isbesim::log_bins

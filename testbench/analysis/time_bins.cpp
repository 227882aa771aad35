// SPDX-License-Identifier: Apache-2.0
#include "testbench/analysis/time_bins.h"

#include <algorithm>

namespace isbesim::testbench {

void time_bins::add_interval(std::size_t row, std::uint64_t first, std::uint64_t end, std::uint64_t amount)
{
    if (first >= end) return;
    while ((end - 1) >> shift_ >= limit) fold();
    for (auto from = first; from < end;) {
        const auto to = std::min(end, end_of(from));
        add(row, from, amount * (to - from));
        from = to;
    }
}

void time_bins::fold()
{
    for (std::size_t bin = 0; bin < limit / 2; ++bin) {
        const auto* const pair = sums_.data() + 2 * bin * rows_;
        for (std::size_t row = 0; row < rows_; ++row) sums_[bin * rows_ + row] = pair[row] + pair[rows_ + row];
    }
    std::fill(sums_.begin() + static_cast<std::ptrdiff_t>(limit / 2 * rows_), sums_.end(), 0);
    ++shift_;
    used_ = (used_ + 1) / 2;
}

} // namespace isbesim::testbench

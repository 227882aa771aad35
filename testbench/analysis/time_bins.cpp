#include "testbench/analysis/time_bins.h"

#include <algorithm>

namespace isbesim::testbench {

void time_bins::add_interval(std::size_t row, std::uint64_t first, std::uint64_t end, std::uint64_t amount)
{
    if (first >= end) return;
    while (end - 1 >= width_ * limit) fold();
    for (auto from = first; from < end;) {
        const auto to = std::min(end, (from / width_ + 1) * width_);
        add(row, from, amount * (to - from));
        from = to;
    }
}

void time_bins::fold()
{
    for (std::size_t row = 0; row < rows_; ++row) {
        auto* const sums = sums_.data() + row * limit;
        for (std::size_t bin = 0; bin < limit / 2; ++bin) sums[bin] = sums[2 * bin] + sums[2 * bin + 1];
        std::fill(sums + limit / 2, sums + limit, 0);
    }
    width_ *= 2;
    used_ = (used_ + 1) / 2;
}

} // namespace isbesim::testbench

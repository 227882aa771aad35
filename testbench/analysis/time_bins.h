// SPDX-License-Identifier: Apache-2.0
// Sums over time in a fixed number of bins, independent of the length of the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace isbesim::testbench {

/// Rows of sums over the same bins. When a cycle lies beyond the last bin, neighbouring bins are merged and all bins
/// become twice as wide: memory never grows and every sum stays exact.
class time_bins {
public:
    static constexpr std::size_t limit = 128; ///< bins

    explicit time_bins(std::size_t rows) : rows_(rows), sums_(rows * limit, 0) {}

    /// The sums of the bin with this cycle, one per row: all additions of a cycle go to adjacent memory.
    std::uint64_t* at(std::uint64_t cycle)
    {
        while (cycle >> shift_ >= limit) fold();
        const auto bin = static_cast<std::size_t>(cycle >> shift_);
        used_ = bin >= used_ ? bin + 1 : used_;
        return sums_.data() + bin * rows_;
    }
    void add(std::size_t row, std::uint64_t cycle, std::uint64_t amount) { at(cycle)[row] += amount; }
    /// Adds `amount` in every cycle of [first, end).
    void add_interval(std::size_t row, std::uint64_t first, std::uint64_t end, std::uint64_t amount);

    std::uint64_t width() const { return std::uint64_t{1} << shift_; } ///< cycles of a bin
    /// First cycle after the bin with this cycle.
    std::uint64_t end_of(std::uint64_t cycle) const { return ((cycle >> shift_) + 1) << shift_; }
    std::size_t used() const { return used_; } ///< bins up to the last one with an addition
    std::uint64_t sum(std::size_t row, std::size_t bin) const { return sums_[bin * rows_ + row]; }

private:
    void fold();

    std::size_t rows_;
    std::vector<std::uint64_t> sums_; ///< [bin][row]
    unsigned shift_ = 0;              ///< log2 of the width
    std::size_t used_ = 0;
};

} // namespace isbesim::testbench

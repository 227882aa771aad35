// SPDX-License-Identifier: Apache-2.0
// Figures of the report over time: bandwidth, occupancy, stalls, banks, and the lifetimes of the first warps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "models/machine_config.h"
#include "testbench/analysis/run_events.h"

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

class run_series : public run_listener {
public:
    static constexpr std::size_t warp_limit = 512;     ///< lifetimes kept
    static constexpr std::size_t meshlet_limit = 4096; ///< meshlets kept

    /// `trace`: there are no warps, spaces or schedulers, and no figures about them.
    explicit run_series(const machine_config& config, bool trace = false);

    void granted(std::uint64_t cycle, unsigned passes, const access_footprint& footprint) override;
    void warp(const warp_event& event) override;
    void space(const space_event& event) override;
    void stall(const stall_event& event) override;
    void output(const output_event& event) override;

    /// report.json's `series` of a run of `cycles`, with the bins that cover them; the last bin may be shorter.
    boost::json::object json(std::uint64_t cycles);

private:
    /// A figure of operations that is added up in bins. `footprint` null: the passes of the pass engine.
    struct operation_row {
        std::string key;
        std::uint32_t access_footprint::*footprint;
    };
    enum row : std::size_t { warps, lines, first_stall, first_operation = first_stall + stall_reason_count };

    static std::vector<operation_row> operation_rows();

    /// Number of bins of a run, and the cycles in the last bin.
    struct extent {
        std::size_t bins = 0;
        std::uint64_t last = 0;
    };
    /// Adds an operation whose passes lie in several bins, in proportion to the passes in each bin, so that no bank
    /// serves more words in a bin than the bin has cycles.
    void spread(std::uint64_t cycle, unsigned passes, const access_footprint& footprint);
    std::uint64_t sum(std::size_t sums_row, std::size_t bin, const extent& range) const;
    boost::json::array sums(std::size_t sums_row, const extent& range) const;
    boost::json::array means(std::size_t sums_row, const extent& range) const;
    /// Adds the figures of the PE and the SMs.
    void put_warps(boost::json::object& result, std::uint64_t cycles, const extent& range);

    bool trace_;
    unsigned columns_; ///< banks, or word columns of a line
    std::vector<operation_row> operations_;
    time_bins bins_;
    std::size_t first_bank_;
    std::size_t first_excess_;
    std::vector<warp_event> first_warps_;
    std::vector<warp_event> unfinished_warps_;
    std::vector<output_event> first_outputs_; ///< of stream 0
    bool meshes_ = false;                     ///< the draw has mesh warps
    std::vector<space_event> unfinished_spaces_;
};

} // namespace isbesim::testbench

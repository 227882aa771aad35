// SPDX-License-Identifier: Apache-2.0
// One level over time, as a list of changes in order: what a counter track of a timeline shows.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "testbench/report/cycle_window.h"

namespace isbesim::testbench {

/// A change may be reported up to `horizon` cycles after the latest one, because records come when an operation ends;
/// the track sorts them. A change that is reported later counts from the horizon on, so memory stays flat.
class counter_track {
public:
    static constexpr std::uint64_t horizon = 1U << 14; ///< cycles

    using output = std::function<void(std::uint64_t cycle, std::int64_t level)>;
    /// `show` gets every cycle with a new level inside the window, and the level at its beginning if that is not 0.
    counter_track(const cycle_window& window, output show) : window_(window), show_(std::move(show)) {}

    /// The level changes in `cycle`.
    void add(std::uint64_t cycle, std::int64_t amount);
    /// Writes the pending value.
    void finish() { flush(UINT64_MAX); }

private:
    /// Shows the changes before `end`, which are final.
    void flush(std::uint64_t end);

    cycle_window window_;
    output show_;
    std::map<std::uint64_t, std::int64_t> changes_; ///< not shown yet
    std::uint64_t shown_to_ = 0;                    ///< changes before this cycle are final
    std::uint64_t latest_ = 0;
    std::int64_t level_ = 0;
    bool begun_ = false;
};

} // namespace isbesim::testbench

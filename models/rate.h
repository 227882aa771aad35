// SPDX-License-Identifier: Apache-2.0
// Time in ticks, parts of a cycle: rates like 0.63 per cycle add up without rounding, and sums do not depend on the
// order in which they are made.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace isbesim {

inline constexpr std::uint64_t ticks_per_cycle = std::uint64_t{1} << 20U;

inline std::uint64_t ticks_of(double cycles)
{
    return static_cast<std::uint64_t>(std::llround(cycles * static_cast<double>(ticks_per_cycle)));
}
/// Ticks of one item; 0: no limit. At most 2^30 cycles, longer than runs, so that sums of a queue stay below 2^64.
inline std::uint64_t ticks_of_rate(double per_cycle)
{
    return per_cycle == 0 ? 0 : ticks_of(std::min(1 / per_cycle, 0x1p30));
}
/// The first cycle that begins at or after `ticks`.
constexpr std::uint64_t cycle_after(std::uint64_t ticks)
{
    return (ticks + ticks_per_cycle - 1) / ticks_per_cycle;
}

/// A unit that serves one request after the other.
class serial_unit {
public:
    /// Returns the cycle in which `ticks` of work that arrive in cycle `now` are done: `now` without work.
    std::uint64_t serve(std::uint64_t now, std::uint64_t ticks) { return serve(now, ticks, now); }
    /// The same without gaps from cycle `begun` on, earlier than `now` for a warp that runs ahead of time.
    std::uint64_t serve(std::uint64_t now, std::uint64_t ticks, std::uint64_t begun)
    {
        if (ticks == 0) return now;
        free_ = std::max(free_, begun * ticks_per_cycle) + ticks;
        taken_ += ticks;
        return cycle_after(std::max(free_, now * ticks_per_cycle + ticks));
    }
    /// Drops work that nothing has waited for.
    void rewind() { free_ = 0; }
    /// Whole cycles before `now` in which it worked.
    std::uint64_t busy(std::uint64_t now) const
    {
        const auto left = free_ - std::min(free_, now * ticks_per_cycle);
        return (taken_ - std::min(taken_, left)) / ticks_per_cycle;
    }

private:
    std::uint64_t free_ = 0;
    std::uint64_t taken_ = 0; ///< ticks of all work
};

} // namespace isbesim

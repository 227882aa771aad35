// SPDX-License-Identifier: Apache-2.0
// Cycles <-> sc_time <-> nanoseconds. Inside the models time is an integer number of cycles; sc_time appears at sockets
// only, nanoseconds in output for people.
#pragma once

#include <cstdint>

#include <systemc>

namespace isbesim {

/// A clock without events: period and arithmetic. Cycle c is the interval [c * period, (c + 1) * period).
///
/// At the sockets a cycle is a whole number of ticks of SystemC's resolution, so cycles(time(c)) is c for every c up to
/// last_cycle(). The ticks only carry cycles: with 3 GHz and the usual resolution of 1 ps a period is 333 ticks.
/// Reported times (nanoseconds, picoseconds) are computed from the cycle and the frequency and do not inherit that
/// rounding.
class cycle_clock {
public:
    /// Throws std::invalid_argument for a period of less than one tick of the resolution.
    explicit cycle_clock(const sc_core::sc_time& period) : cycle_clock(period, 1000.0 / (period.to_seconds() * 1e12)) {}

    /// The ticks of a period are those of 1 / `ghz` ns, rounded to the SystemC time resolution. Throws
    /// std::invalid_argument where that is less than one tick, or changes the period by more than 1 %.
    static cycle_clock from_ghz(double ghz) { return {sc_core::sc_time(1.0 / ghz, sc_core::SC_NS), ghz}; }

    const sc_core::sc_time& period() const { return period_; }
    std::uint64_t now() const
    {
        const std::uint64_t ticks = current_ticks();
        if (ticks != last_ticks_) { // often called in the same cycle: divide once
            last_ticks_ = ticks;
            last_cycle_ = ticks / ticks_;
        }
        return last_cycle_;
    }
    std::uint64_t cycles(const sc_core::sc_time& time) const { return time.value() / ticks_; }
    /// The first cycle that begins at `time` or later.
    std::uint64_t cycle_from(const sc_core::sc_time& time) const { return (time.value() + ticks_ - 1) / ticks_; }
    sc_core::sc_time time(std::uint64_t cycles) const { return sc_core::sc_time::from_value(cycles * ticks_); }
    /// From now to the start of `cycle`; zero when it has begun, also when now is inside it.
    sc_core::sc_time until(std::uint64_t cycle) const
    {
        const std::uint64_t begin = cycle * ticks_;
        const std::uint64_t ticks = current_ticks();
        return sc_core::sc_time::from_value(begin > ticks ? begin - ticks : 0);
    }
    /// The last cycle that sc_time (64 bits of ticks) can represent; with a resolution of 1 ps that is after 213 days.
    std::uint64_t last_cycle() const { return UINT64_MAX / ticks_; }

    double ghz() const { return ghz_; }
    /// Duration of `cycles`.
    double nanoseconds(std::uint64_t cycles) const { return static_cast<double>(cycles) / ghz_; }
    /// End of the first `half_cycles` half cycles, to the nearest picosecond: for up to 2^54 of them, strictly
    /// increasing up to 500 GHz.
    std::uint64_t picoseconds(std::uint64_t half_cycles) const
    {
        return static_cast<std::uint64_t>(static_cast<long double>(half_cycles) * 500.0L / ghz_ + 0.5L);
    }

private:
    /// sc_time_stamp() without the call into the library, because the models read the time very often.
    static std::uint64_t current_ticks()
    {
        const auto* const context = sc_core::sc_curr_simcontext;
        return (context != nullptr ? context->time_stamp() : sc_core::sc_time_stamp()).value();
    }
    cycle_clock(const sc_core::sc_time& period, double ghz);

    sc_core::sc_time period_;
    std::uint64_t ticks_;
    double ghz_;
    mutable std::uint64_t last_ticks_ = 0;
    mutable std::uint64_t last_cycle_ = 0;
};

} // namespace isbesim

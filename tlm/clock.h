// Cycles <-> sc_time. Inside the models time is an integer number of cycles; sc_time appears at sockets only.
#pragma once

#include <cstdint>

#include <systemc>

namespace isbesim {

/// A clock without events: period and arithmetic. Cycle c is the interval [c * period, (c + 1) * period).
class cycle_clock {
public:
    explicit cycle_clock(const sc_core::sc_time& period) : period_(period), ticks_(period.value()) {}

    /// Period of a frequency in GHz, rounded to the SystemC time resolution.
    static cycle_clock from_ghz(double ghz) { return cycle_clock(sc_core::sc_time(1.0 / ghz, sc_core::SC_NS)); }

    const sc_core::sc_time& period() const { return period_; }
    std::uint64_t now() const
    {
        const std::uint64_t ticks = sc_core::sc_time_stamp().value();
        if (ticks != last_ticks_) { // asked many times in the same cycle: divide once
            last_ticks_ = ticks;
            last_cycle_ = ticks / ticks_;
        }
        return last_cycle_;
    }
    std::uint64_t cycles(const sc_core::sc_time& time) const { return time.value() / ticks_; }
    sc_core::sc_time time(std::uint64_t cycles) const { return sc_core::sc_time::from_value(cycles * ticks_); }
    /// From now to the start of `cycle` (zero when it is the current one).
    sc_core::sc_time until(std::uint64_t cycle) const { return time(cycle) - sc_core::sc_time_stamp(); }

private:
    sc_core::sc_time period_;
    std::uint64_t ticks_;
    mutable std::uint64_t last_ticks_ = 0;
    mutable std::uint64_t last_cycle_ = 0;
};

} // namespace isbesim

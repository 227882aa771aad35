// SPDX-License-Identifier: Apache-2.0
#include "tlm/clock.h"

#include <cmath>
#include <sstream>
#include <stdexcept>

namespace isbesim {

cycle_clock::cycle_clock(const sc_core::sc_time& period, double ghz)
    : period_(period), ticks_(period.value()), ghz_(ghz)
{
    constexpr double most_change = 0.01; // of the period
    const double change = period.to_seconds() * 1e9 * ghz - 1.0;
    if (ticks_ != 0 && std::abs(change) <= most_change) return;
    std::ostringstream text;
    text << "a cycle of " << 1.0 / ghz << " ns (" << ghz << " GHz) is " << ticks_ << " ticks of the time resolution, "
         << sc_core::sc_get_time_resolution() << ", expected at least one, within 1 % of the cycle: a finer "
         << "sc_set_time_resolution() or another frequency";
    throw std::invalid_argument(text.str());
}

} // namespace isbesim

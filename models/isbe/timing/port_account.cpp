// SPDX-License-Identifier: Apache-2.0
#include "models/isbe/timing/port_account.h"

#include <algorithm>

namespace isbesim {

void port_account::go_on(std::uint64_t now, const port_state& state, std::uint64_t busy_end, bool own)
{
    // In the order in which a port goes through these uses while no event changes its state.
    const auto spend = [this, now](port_use use, std::uint64_t end) {
        end = std::min(end, now);
        if (end <= until_) return;
        uses_[use] += end - until_;
        until_ = end;
    };
    if (own) spend(port_use::passes, busy_end);
    spend(port_use::response, std::min(state.transferred_until, state.queued_from));
    spend(state.in_flight ? port_use::latency : port_use::idle, std::min(state.response_from, state.queued_from));
    spend(port_use::response, state.queued_from);
    spend(port_use::responses_full, state.blocked_until);
    spend(port_use::other_port, busy_end);
    spend(port_use::grant, now);
}

} // namespace isbesim

#include "models/isbe/timing/port_account.h"

#include <algorithm>

namespace isbesim {

namespace {

port_use use_of(std::uint64_t cycle, const port_state& state, std::uint64_t busy_end, bool own)
{
    const bool busy = cycle < busy_end;
    if (busy && own) return port_use::passes;
    if (state.queued_from <= cycle) {
        if (cycle < state.blocked_until) return port_use::responses_full;
        return busy ? port_use::other_port : port_use::grant;
    }
    if (cycle < state.transferred_until || state.response_from <= cycle) return port_use::response;
    return state.in_flight ? port_use::latency : port_use::idle;
}

} // namespace

void port_account::advance_to(std::uint64_t now, const port_state& state, std::uint64_t busy_end, bool own)
{
    while (until_ < now) {
        // Up to the next cycle in which something changes by itself.
        auto next = now;
        for (const auto change :
             {busy_end, state.queued_from, state.blocked_until, state.response_from, state.transferred_until})
            if (change > until_) next = std::min(next, change);
        uses_[use_of(until_, state, busy_end, own)] += next - until_;
        until_ = next;
    }
}

} // namespace isbesim

// SPDX-License-Identifier: Apache-2.0
// Accounts for every cycle of an ISBE port (micro-architecture section 5).
#pragma once

#include <cstdint>

#include "tlm/enum_table.h"

namespace isbesim {

/// The use of a cycle is the first of these that applies.
enum class port_use : std::uint8_t {
    passes,         ///< the pass engine works for the port
    responses_full, ///< an operation is queued, but RESPONSE_QUEUE_DEPTH operations of the port are in flight
    other_port,     ///< an operation is queued, and the engine works for the other port or is given to it
    grant,          ///< an operation is queued, the engine idle: the cycle of its grant
    response,       ///< nothing is queued, a response is on the channel, its transfer included
    latency,        ///< nothing is queued, the oldest operation in flight is on its way through the pipeline
    idle,           ///< nothing is queued or in flight
};
inline constexpr auto last_port_use = port_use::idle;
inline constexpr auto port_use_names =
    enum_names<last_port_use>("passes", "responses_full", "other_port", "grant", "response", "latency", "idle");

/// The state of a port, as cycle numbers; `never` if another event must come first.
struct port_state {
    static constexpr std::uint64_t never = ~std::uint64_t{0};

    std::uint64_t queued_from = never;   ///< the oldest queued operation can be granted, if not blocked
    std::uint64_t blocked_until = 0;     ///< too many operations are in flight before this cycle
    std::uint64_t response_from = never; ///< the oldest response in flight is on the channel
    std::uint64_t transferred_until = 0; ///< the last response left in the cycle before
    bool in_flight = false;
};

class port_account {
public:
    /// Accounts for the cycles before `now`, in which the port had the state that `state` returns, and the engine
    /// worked until `busy_end`, for this port if `own`. Calls `state` only if it matters.
    template <typename state_source>
    void advance_to(std::uint64_t now, std::uint64_t busy_end, bool own, const state_source& state)
    {
        if (now <= until_) return;
        if (own && now <= busy_end) {
            uses_[port_use::passes] += now - until_;
            until_ = now;
        } else {
            go_on(now, state(), busy_end, own);
        }
    }
    /// The engine was granted to the other port in `cycle`; all earlier cycles are accounted for.
    void lost(std::uint64_t cycle)
    {
        ++uses_[port_use::other_port];
        until_ = cycle + 1;
    }
    const enum_array<last_port_use, std::uint64_t>& uses() const { return uses_; }

private:
    void go_on(std::uint64_t now, const port_state& state, std::uint64_t busy_end, bool own);

    enum_array<last_port_use, std::uint64_t> uses_;
    std::uint64_t until_ = 0;
};

} // namespace isbesim

// SPDX-License-Identifier: Apache-2.0
// The timing of the ISBE: request queues, arbitration, passes and response order of micro-architecture section 5, as
// arithmetic on cycle numbers. No SystemC and no per-cycle step: a grant is computed on the first query about a later
// cycle.
//
// The events that are possible in cycle c depend only on earlier cycles. So a caller advances past all grants before c,
// then reports accepts and transfers of c and queries c; the order of these calls within a cycle makes no difference.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "models/isbe/timing/isbe_timing_counters.h"
#include "models/isbe/timing/port_operation.h"
#include "models/statistics/cycle_stack.h"
#include "tlm/cause_log.h"
#include "tlm/enum_table.h"
#include "tlm/ring.h"
#include "tlm/transaction_observer.h"

namespace isbesim {

class isbe_core;

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

/// Accounts for every cycle of an ISBE port (micro-architecture section 5).
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

class grant_scheduler {
public:
    static constexpr std::uint64_t never = ~std::uint64_t{0};

    /// `core` executes operations when they are granted, in grant order.
    explicit grant_scheduler(isbe_core& core);

    /// Reports grants to all observers of the list, which may grow and must outlive this object.
    void report_to(const std::vector<transaction_observer*>& observers) { observers_ = &observers; }

    /// Performs every grant in cycles before `now`.
    void advance_to(std::uint64_t now)
    {
        while (next_grant_ < now) grant();
    }

    /// The operation is on the request channel from cycle `now` on; only its transfer matters here.
    void offer(unsigned /*port*/, const port_operation& /*operation*/, std::uint64_t /*now*/) {}
    /// req_ready of `port` in cycle `now` (advanced to it), at most one transfer a cycle.
    bool can_accept(unsigned port, std::uint64_t now) const
    {
        const channel& c = channels_[port];
        return c.queued() < queue_depth_ && c.accept_free <= now;
    }
    /// Request transfer in cycle `operation.accept` (advanced to it).
    void accept(unsigned port, const port_operation& operation);

    /// The response that is valid in cycle `now` (advanced to it) and has not been handed out yet, or null.
    port_operation* response(unsigned port, std::uint64_t now)
    {
        channel& c = channels_[port];
        if (c.granted == 0 || c.handed_out || c.operations.front().ready > now || c.response_free > now) return nullptr;
        c.handed_out = true;
        port_operation& due = c.operations.front();
        if (due.because != nullptr && *due.because) *due.because = response_event(c, due, now);
        return &due;
    }
    /// Transfer of the response that was handed out, in cycle `now` (advanced to it); returns the operation.
    port_operation transfer(unsigned port, std::uint64_t now);

    /// Earliest cycle in which response() can return a response that it does not return now.
    std::uint64_t next_response(unsigned port) const
    {
        const channel& c = channels_[port];
        if (c.handed_out || c.operations.empty()) return never;
        const port_operation& oldest = c.operations.front();
        if (c.granted != 0) return std::max(oldest.ready, c.response_free);
        // Not granted: nothing is in flight, so the grant waits for no event. The operation takes at least one pass.
        return earliest_grant(c) + 1 + latency_[static_cast<unsigned>(oldest.op->op)];
    }
    /// Earliest cycle in which can_accept() can be true.
    std::uint64_t next_accept(unsigned port) const;

    unsigned ports() const { return ports_; }
    /// Accepted operations whose responses are not transferred, oldest first; the first granted() of them are granted.
    const ring<port_operation>& operations(unsigned port) const { return channels_[port].operations; }
    std::size_t granted(unsigned port) const { return channels_[port].granted; }
    /// Whether the response of the oldest operation is on the channel.
    bool handed_out(unsigned port) const { return channels_[port].handed_out; }
    /// The next grant of advance_to(), as far as known now: its cycle and, unless that is `never`, its operation.
    std::uint64_t next_grant() const { return next_grant_; }
    const port_operation& next_granted() const
    {
        const channel& c = channels_[winner(next_grant_)];
        return c.operations[c.granted];
    }
    /// First cycle in which the arbiter can grant again: the engine is idle or in its last pass.
    std::uint64_t engine_free() const { return engine_free_; }
    const isbe_timing_counters& counters(unsigned port) const { return channels_[port].counters; }
    /// Stacks of the pass engine and of each port, for the cycles before `now` (advanced to it). The engine's parts:
    /// passes; bank_conflict: passes beyond the ideal; grant: the cycle of a grant that no pass hides; responses_full:
    /// every queued operation waits for that; no_request.
    std::vector<cycle_stack> stacks(std::uint64_t now);

private:
    struct channel {
        ring<port_operation> operations; // [granted ...][queued ...], oldest first
        std::size_t granted = 0;
        bool handed_out = false;         // the front operation's response is valid and not transferred yet
        std::uint64_t accept_free = 0;   // cycle after the last request transfer
        std::uint64_t response_free = 0; // cycle after the last response transfer
        std::uint64_t unblocked = 0;     // cycle in which the number in flight last fell below its limit
        std::uint64_t candidate = never; // candidate_from(), kept as every grant needs it several times
        cause last_accept, last_grant, last_transfer;
        cause unblocking; // the transfer before `unblocked`, kept: another may follow before the grant is computed
        isbe_timing_counters counters;
        port_account account;

        std::size_t queued() const { return operations.size() - granted; }
    };

    /// First cycle from which the oldest queued operation is a candidate; `never` if another event must come first.
    std::uint64_t candidate_from(const channel& c) const
    {
        if (c.queued() == 0 || c.granted >= response_depth_) return never;
        return std::max(c.operations[c.granted].accept + 1, c.unblocked);
    }
    // The events of an operation (tlm/cause.h). Of conditions that become true in the same cycle, the engine's is the
    // cause, so that the path of an engine that is never idle stays on it; else the operation's own, else its port's.
    void accept_event(channel& c, const port_operation& operation);
    void grant_event(channel& c, const port_operation& operation, std::uint64_t cycle, std::uint64_t beyond_ideal);
    cause response_event(const channel& c, const port_operation& operation, std::uint64_t cycle);
    port_state state_of(const channel& c) const;
    void account(unsigned port, std::uint64_t now);
    /// Accounts for an engine that is idle until `cycle`.
    void account_idle_engine(std::uint64_t cycle);
    void account_grant(unsigned winner, std::uint64_t cycle);
    std::uint64_t earliest_grant(const channel& c) const { return std::max(engine_free_, c.candidate); }
    unsigned winner(std::uint64_t cycle) const;
    void grant();
    void carry_out(unsigned port, const port_operation& operation, std::uint64_t cycle);
    /// To be called if `c` may have become a candidate and nothing else has changed.
    void plan(channel& c)
    {
        c.candidate = candidate_from(c);
        next_grant_ = std::min(next_grant_, earliest_grant(c));
    }
    /// To be called after any other change, of this port and perhaps of the engine.
    void plan_anew(channel& changed);

    isbe_core& core_;
    const std::vector<transaction_observer*>* observers_ = nullptr;
    std::vector<channel> channels_;
    unsigned ports_; // size of channels_
    std::array<unsigned, opcode_count> latency_;
    std::size_t queue_depth_;
    std::size_t response_depth_;
    bool fixed_priority_;
    unsigned last_port_;               // granted last
    std::uint64_t engine_free_ = 0;    // first cycle in which the arbiter can grant again
    std::uint64_t next_grant_ = never; // cycle of the next grant, as far as known now
    std::uint64_t busy_end_ = 0;       // first cycle after the last pass
    std::uint64_t engine_accounted_ = 0;
    cause last_pass_;                  // the end of the last pass: the engine is free from then on
    std::uint64_t last_conflicts_ = 0; // of the operation granted last
    std::uint64_t passes_ = 0, conflicts_ = 0, grants_ = 0, full_ = 0, no_request_ = 0; // the engine's cycles
};

} // namespace isbesim

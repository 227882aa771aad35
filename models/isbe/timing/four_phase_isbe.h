// SPDX-License-Identifier: Apache-2.0
// The TLM-2.0 side of an ISBE that is simulated cycle by cycle: four phases, blocking calls and plain accesses in front
// of an engine that determines the cycles of accepted requests and valid responses. The AT model and the RTL share it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <systemc>

#include "models/isbe/functional/storage.h"
#include "models/isbe/timing/isbe_module.h"
#include "models/isbe/timing/port_operation.h"
#include "models/isbe/timing/raw_access.h"
#include "tlm/clock.h"
#include "tlm/payload_extension.h"
#include "tlm/ring.h"

namespace isbesim {

/// An access that occupies a port but is not a plain four-phase warp operation: a raw access of several operations, or
/// a blocking call. It goes through the same queues, one operation after the other. Owns its operations and results,
/// because the thread of a blocking call may be killed or reset, and its payload destroyed, while the queues still hold
/// them.
class compound_access {
public:
    explicit compound_access(raw_access parts) : parts_(std::move(parts)) {}
    compound_access(const compound_access&) = delete;
    compound_access& operator=(const compound_access&) = delete;

    const raw_access& parts() const { return parts_; }

    /// The operation that waits for the request channel; valid until request_done() has been called for each operation.
    const warp_op& op() const { return parts_.ops[requested_]; }
    warp_result& result() { return parts_.results[requested_]; }
    /// Returns true if that was the last request.
    bool request_done() { return ++requested_ == parts_.ops.size(); }
    /// Returns true if that was the last response.
    bool response_done() { return ++responded_ == parts_.ops.size(); }

    /// Blocking calls only; notified when the call may return.
    std::optional<sc_core::sc_event> done;

private:
    raw_access parts_;
    std::size_t requested_ = 0;
    std::size_t responded_ = 0;
};

/// Four phases of the base protocol: BEGIN_REQ = req_valid, END_REQ = request transfer, BEGIN_RESP = resp_valid,
/// END_RESP = response transfer. END_REQ is returned as TLM_UPDATED if the queue has room; otherwise it comes on the
/// backward path in the cycle after a place becomes free. A BEGIN_REQ in the cycle of the previous END_REQ, which the
/// base protocol allows, is on the request channel from the next cycle on. The order of calls within a cycle makes no
/// difference.
///
/// The module wakes up only in cycles in which the engine may let a response leave or a waiting request enter.
///
/// A plain payload goes through the port as one or more operations (raw_access.h), one request transfer per cycle;
/// END_REQ is the last operation's request transfer, BEGIN_RESP its response. b_transport uses the same queues; it
/// waits for its delay and returns in the cycle of the response. The block completes an operation even if its thread is
/// killed or reset inside b_transport. A call with an annotated delay takes effect after the delay. A payload without a
/// memory manager in nb_transport_fw is an error.
///
/// `engine` is grant_scheduler or has the same members: advance_to, offer, can_accept, accept, response, transfer,
/// next_response, next_accept, ports, counters.
template <typename engine>
class four_phase_isbe : public isbe_module {
public:
    ~four_phase_isbe() override;

    /// Includes the wait so far of a request that still waits, as it may when a run is given up.
    isbe_timing_counters timing(unsigned port) const override
    {
        auto counters = engine_.counters(port);
        if (!waiting_[port].empty())
            counters.stalls[stall_reason::queue_full] += clock_.now() - waiting_[port].front().begin;
        return counters;
    }

protected:
    template <typename... engine_arguments>
    four_phase_isbe(const sc_core::sc_module_name& name, const isbe_config& config, const cycle_clock& clock,
                    engine_arguments&&... arguments)
        : isbe_module(name, config),
          engine_(config, std::forward<engine_arguments>(arguments)...),
          clock_(clock),
          waiting_(config.ports),
          channel_free_(config.ports),
          responding_(config.ports, nullptr)
    {
        construct();
    }

    tlm::tlm_sync_enum forward(unsigned port, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                               sc_core::sc_time& delay) override;
    void block(unsigned port, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
    /// Advances the engine to the current cycle.
    void advance_to() { engine_.advance_to(clock_.now()); }
    const cycle_clock& clock() const { return clock_; }

    engine engine_;

private:
    class delayed_calls;

    void construct();
    /// `extension` is the payload's, null for a plain access.
    tlm::tlm_sync_enum begin_request(unsigned port, tlm::tlm_generic_payload& payload, isbe_extension* extension,
                                     tlm::tlm_phase& phase);
    /// `payload` is null for a blocking call.
    bool begin_compound(unsigned port, tlm::tlm_generic_payload* payload, compound_access& access);
    /// Puts the port's front operation on the request channel.
    void offer(unsigned port, port_operation& operation, std::uint64_t now);
    /// Transfers the oldest waiting request if the channel is free and the queue has room; returns true if that
    /// ends the request phase of its payload.
    bool enter(unsigned port, std::uint64_t now);
    void accept(unsigned port, port_operation& operation, std::uint64_t now);
    void respond(unsigned port, const port_operation& operation, std::uint64_t now);
    /// Returns the compound access of which the operation is a part, or null.
    compound_access* transfer(unsigned port, std::uint64_t now);
    void end_response(unsigned port, tlm::tlm_generic_payload& payload);
    void forget(const compound_access* access);
    void wake();
    void act();
    /// Makes sure wake() runs in the next cycle that needs it, after something happened on `port`.
    void plan(unsigned port);
    std::uint64_t next_event(unsigned port) const;
    void wake_by(std::uint64_t cycle);

    static constexpr std::uint64_t never = ~std::uint64_t{0};

    cycle_clock clock_;
    std::vector<ring<port_operation>> waiting_;               // per port; the front operation is on the request channel
    std::vector<std::uint64_t> channel_free_;                 // per port; cycle after the last request transfer
    std::vector<tlm::tlm_generic_payload*> responding_;       // per port; BEGIN_RESP sent, END_RESP not seen
    std::vector<std::unique_ptr<delayed_calls>> delayed_;     // per port
    std::vector<std::shared_ptr<compound_access>> compounds_; // plain accesses and blocking calls in progress
    sc_core::sc_event wake_event_;
    std::uint64_t wake_cycle_ = never;
    bool waking_ = false;
    std::uint64_t next_id_ = 0;
};

} // namespace isbesim

// SPDX-License-Identifier: Apache-2.0
// The loosely timed ISBE: every operation is executed at once, and its delay comes from a closed form.
#pragma once

#include <vector>

#include "models/isbe/execution/isbe_core.h"
#include "models/isbe/timing/isbe_module.h"
#include "tlm/block_read.h"
#include "tlm/clock.h"
#include "tlm/ring.h"

namespace isbesim {

/// b_transport never waits: it adds cycles to the delay, so an initiator may run ahead as far as its quantum allows.
/// Operations take effect in the order of the calls.
///
/// A call without a delay is granted after earlier calls, when the pass engine is free and fewer than
/// RESPONSE_QUEUE_DEPTH operations of its port are in flight (micro-architecture section 5, with the order of the calls
/// instead of an arbiter); `next_request` is the cycle from which the port takes another request. A call with a delay,
/// of an initiator that runs ahead, is out of order and costs 1 + P + L; `busy_until` has the load of shared parts.
///
/// A plain access of several operations costs 1 + the sum of their P + L. nb_transport_fw completes in the call
/// (TLM_COMPLETED) with the same delay.
///
/// DMI covers the whole storage, until the first BIND of shared spaces: from then on a write has to clear overwritten
/// bits (micro-architecture section 4.7), so that BIND invalidates the pointers granted before, and no others are
/// granted.
class isbe_lt : public isbe_module {
public:
    isbe_lt(const sc_core::sc_module_name& name, const isbe_config& config, const cycle_clock& clock);

    isbe_core& core() { return core_; }
    const isbe_core& core() const { return core_; }
    /// Contention, full queues and stalls stay 0.
    isbe_timing_counters timing(unsigned port) const override { return counters_[port]; }

protected:
    tlm::tlm_sync_enum forward(unsigned port, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                               sc_core::sc_time& delay) override;
    void block(unsigned port, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
    unsigned debug(tlm::tlm_generic_payload& payload) override;
    bool direct_memory(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;

private:
    struct port_state {
        ring<std::uint64_t> grants;     ///< cycles of the last grants, as many as requests may wait
        ring<std::uint64_t> responses;  ///< cycles of the last responses, as many as operations may be in flight
        std::uint64_t engine_until = 0; ///< end of the passes of the last call without a delay
        std::uint64_t places = 0;       ///< mean end of the work of all places in flight, times their number
    };

    /// Cycle of the response of an operation that is granted in cycle `grant`.
    static std::uint64_t respond(port_state& state, std::uint64_t grant, std::uint64_t latency);
    /// Executes and counts `op`; returns P.
    unsigned execute(unsigned port, const warp_op& op, warp_result& result);
    /// Returns false and does nothing unless all reads are runs of words and there is no observer.
    bool read_block(unsigned port, block_read& block);
    void access_raw(unsigned port, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    void observe(unsigned port, const warp_op& op, const warp_result& result, std::uint64_t begin, std::uint64_t grant,
                 std::uint64_t latency);

    void end_direct_memory();

    isbe_core core_;
    cycle_clock clock_;
    bool direct_ = true;                         ///< no context has had shared spaces
    std::array<unsigned, opcode_count> latency_; // 1 + L
    std::vector<sc_core::sc_time> durations_;    // by cycles, up to those of the longest operation
    std::vector<isbe_timing_counters> counters_;
    access_footprint footprint_; ///< of the last executed operation, if there are observers
    std::vector<port_state> states_;
    std::uint64_t engine_until_ = 0; ///< end of the pass engine's work
    std::uint64_t turn_until_ = 0;   ///< the same for calls without a delay only
    std::uint64_t next_id_ = 0;
};

} // namespace isbesim

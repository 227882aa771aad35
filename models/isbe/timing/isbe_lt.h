// SPDX-License-Identifier: Apache-2.0
// The loosely timed ISBE: every operation is carried out at once, and its delay follows from a closed form.
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
/// A call without a delay is granted after those before it: when the pass engine is free, and fewer than
/// RESPONSE_QUEUE_DEPTH of its port are in flight (micro-architecture section 5, with the calls' order in the arbiter's
/// place); `next_request` says when its request has left room for another one. A call with a delay, of an initiator
/// that runs ahead, comes out of order and costs 1 + P + L; `busy_until` then says what the shared parts have to do.
///
/// A plain access of several operations costs 1 + the sum of their P + L. nb_transport_fw completes in the call
/// (TLM_COMPLETED) with the same delay. DMI covers the whole storage.
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
    bool direct_memory(tlm::tlm_dmi& dmi) override;

private:
    struct port_state {
        ring<std::uint64_t> grants;    ///< cycles of the last ones, as many as requests may wait
        ring<std::uint64_t> responses; ///< cycles of the last ones, as many as may be in flight
        std::uint64_t places = 0;      ///< work of the places in flight, in cycles of all of them
    };

    /// Cycle of the response of an operation that is granted in cycle `grant`.
    static std::uint64_t respond(port_state& state, std::uint64_t grant, std::uint64_t latency);
    /// Returns P.
    unsigned execute(unsigned port, const warp_op& op, warp_result& result);
    /// False, and nothing done, unless everything can be read as runs of words and there is no observer.
    bool read_block(unsigned port, block_read& block);
    void access_raw(unsigned port, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    void observe(unsigned port, const warp_op& op, const warp_result& result, std::uint64_t begin, std::uint64_t grant,
                 std::uint64_t latency);

    isbe_core core_;
    cycle_clock clock_;
    std::array<unsigned, opcode_count> latency_; // 1 + L
    std::vector<sc_core::sc_time> durations_;    // by cycles, up to the longest that one operation takes
    std::vector<isbe_timing_counters> counters_;
    access_footprint footprint_; ///< of the operation just executed, where there are observers
    std::vector<port_state> states_;
    std::uint64_t engine_until_ = 0; ///< work of the pass engine
    std::uint64_t turn_until_ = 0;   ///< that of calls without a delay
    std::uint64_t next_id_ = 0;
};

} // namespace isbesim

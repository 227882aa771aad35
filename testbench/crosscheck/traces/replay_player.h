// Plays the operations of one port of a trace in a closed loop, in four phases. Nothing runs between a port's
// transactions.
#pragma once

#include <systemc>

#include "testbench/crosscheck/traces/replay_schedule.h"
#include "testbench/crosscheck/traffic/traffic.h"
#include "tlm/clock.h"
#include "tlm/warp_initiator.h"

namespace isbesim::testbench {

class replay_player : public sc_core::sc_module, private warp_initiator::client {
public:
    replay_player(const sc_core::sc_module_name& name, const cycle_clock& clock, unsigned port,
                  replay_schedule& schedule, traffic_listener& owner);

    tlm::tlm_initiator_socket<>& socket() { return initiator_.socket; }
    /// The schedule has an operation for this port.
    void wake() { wake_.notify(sc_core::SC_ZERO_TIME); }

private:
    void act();
    void send_due();
    void response(std::uint64_t tag, const warp_op& op, const warp_result& result,
                  const transaction_times& times) override;
    void accepted(std::uint64_t tag) override;
    unsigned response_stall(std::uint64_t) override { return hold_; }

    cycle_clock clock_;
    unsigned port_;
    replay_schedule& schedule_;
    traffic_listener& listener_;
    warp_initiator initiator_;
    sc_core::sc_event wake_;
    std::uint64_t channel_free_ = 0;            ///< cycle in which the request channel can carry the next request
    std::uint64_t settled_ = ~std::uint64_t{0}; ///< cycle whose responses have been seen
    unsigned hold_ = 0;                         ///< of the response that was delivered last
};

} // namespace isbesim::testbench

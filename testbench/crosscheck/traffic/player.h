// Plays the traffic of one port into an ISBE with the request gaps and response holds that the traffic asks for.
// Nothing runs between a port's transactions.
#pragma once

#include <systemc>

#include "testbench/crosscheck/traffic/traffic.h"
#include "tlm/clock.h"
#include "tlm/warp_initiator.h"

namespace isbesim::testbench {

class traffic_player : public sc_core::sc_module, private warp_initiator::client {
public:
    traffic_player(const sc_core::sc_module_name& name, const cycle_clock& clock, unsigned port, traffic_source& source,
                   traffic_listener& owner);

    tlm::tlm_initiator_socket<>& socket() { return initiator_.socket; }
    /// Everything was sent and has responded.
    bool finished() const { return exhausted_ && initiator_.pending() == 0; }

private:
    void act();
    void send_due();
    void response(std::uint64_t tag, const warp_op& op, const warp_result& result,
                  const transaction_times& times) override;
    void accepted(std::uint64_t tag) override;
    unsigned response_stall(std::uint64_t tag) override;

    cycle_clock clock_;
    unsigned port_;
    traffic_source& source_;
    traffic_listener& listener_;
    warp_initiator initiator_;
    sc_core::sc_event wake_;
    traffic_item next_;
    bool have_next_ = false;
    bool exhausted_ = false;
};

} // namespace isbesim::testbench

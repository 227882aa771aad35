// SPDX-License-Identifier: Apache-2.0
// What plays operations into one port of an ISBE in four phases: each when it is due and the request channel is free.
// Nothing runs between a port's transactions.
#pragma once

#include <systemc>

#include "testbench/crosscheck/traffic/traffic.h"
#include "tlm/clock.h"
#include "tlm/warp_initiator.h"

namespace isbesim::testbench {

class port_player : public sc_core::sc_module, protected warp_initiator::client {
public:
    tlm::tlm_initiator_socket<>& socket() { return initiator_.socket; }
    /// Something may have become due.
    void wake() { wake_.notify(sc_core::SC_ZERO_TIME); }

protected:
    port_player(const sc_core::sc_module_name& name, const cycle_clock& clock, unsigned port, traffic_listener& owner);

    /// Sends what can be sent now. Runs at the start, after wake() and when the cycle of wake_in() has come.
    virtual void send_due() = 0;
    void wake_in(std::uint64_t cycle) { wake_.notify(clock_.until(cycle)); }

    cycle_clock clock_;
    unsigned port_;
    traffic_listener& listener_;
    warp_initiator initiator_;

private:
    void act();

    sc_core::sc_event wake_;
};

} // namespace isbesim::testbench

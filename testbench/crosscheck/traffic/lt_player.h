// SPDX-License-Identifier: Apache-2.0
// Plays the traffic of one port through b_transport, loosely timed: it runs ahead of simulated time by up to the global
// quantum and synchronises only then.
#pragma once

#include <systemc>
#include <tlm>

#include "testbench/crosscheck/traffic/traffic.h"
#include "tlm/clock.h"
#include "tlm/payload_pool.h"

namespace isbesim::testbench {

/// An item begins at max(earliest, cycle after the one before); response holds mean nothing here.
class lt_player : public sc_core::sc_module, private tlm::tlm_bw_transport_if<> {
public:
    tlm::tlm_initiator_socket<> socket;

    lt_player(const sc_core::sc_module_name& name, const cycle_clock& clock, unsigned port, traffic_source& source,
              traffic_listener& owner);

    bool finished() const { return finished_; }

private:
    void play();
    void play_all();
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override
    {
        return tlm::TLM_ACCEPTED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    cycle_clock clock_;
    unsigned port_;
    traffic_source& source_;
    traffic_listener& listener_;
    payload_pool pool_;
    bool finished_ = false;
};

} // namespace isbesim::testbench

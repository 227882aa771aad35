// SPDX-License-Identifier: Apache-2.0
// Plays all ports of a trace in a closed loop through b_transport, loosely timed: operations are called in the order in
// which they were carried out when they were recorded, so data are what they were.
#pragma once

#include <array>

#include <systemc>
#include <tlm>

#include "testbench/crosscheck/traces/replay_schedule.h"
#include "testbench/crosscheck/traffic/traffic.h"
#include "tlm/clock.h"
#include "tlm/payload_pool.h"

namespace isbesim::testbench {

/// An operation begins when the schedule says, and not before the one that was called before it: requests of a port
/// come in their order but don't wait for each other, and response holds mean nothing.
class replay_lt_player : public sc_core::sc_module, private tlm::tlm_bw_transport_if<> {
public:
    sc_core::sc_vector<tlm::tlm_initiator_socket<>> sockets; ///< by port

    replay_lt_player(const sc_core::sc_module_name& name, const cycle_clock& clock, unsigned ports,
                     replay_schedule& schedule, traffic_listener& owner);

private:
    void play();
    void play_all();
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override
    {
        return tlm::TLM_ACCEPTED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    cycle_clock clock_;
    replay_schedule& schedule_;
    traffic_listener& listener_;
    payload_pool pool_;
};

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
// Issues a producer's operations through b_transport, loosely timed: it runs ahead of simulated time by up to the
// quantum and synchronises only then.
#pragma once

#include <systemc>
#include <tlm>

#include "testbench/crosscheck/traffic/operation_producer.h"
#include "tlm/clock.h"
#include "tlm/payload_pool.h"

namespace isbesim::testbench {

/// Calls one operation after the other, even with several sockets.
class lt_issuer : public sc_core::sc_module, private tlm::tlm_bw_transport_if<> {
public:
    sc_core::sc_vector<tlm::tlm_initiator_socket<>> sockets;

    /// Without a quantum every operation is called in its cycle, so that the ISBE grants in turn.
    lt_issuer(const sc_core::sc_module_name& name, const cycle_clock& clock, unsigned sockets,
              std::uint64_t quantum_cycles, operation_producer& producer);

private:
    void act();
    void issue();
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override
    {
        return tlm::TLM_ACCEPTED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    cycle_clock clock_;
    std::uint64_t quantum_cycles_;
    operation_producer& producer_;
    payload_pool pool_;
};

} // namespace isbesim::testbench

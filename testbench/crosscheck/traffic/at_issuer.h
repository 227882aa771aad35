// SPDX-License-Identifier: Apache-2.0
// Issues a producer's operations on one port in four phases. No process runs between the port's transactions.
#pragma once

#include <systemc>

#include "testbench/crosscheck/traffic/operation_producer.h"
#include "tlm/at_initiator.h"
#include "tlm/clock.h"

namespace isbesim::testbench {

class at_issuer : public sc_core::sc_module, private warp_initiator::client {
public:
    at_issuer(const sc_core::sc_module_name& name, const cycle_clock& clock, operation_producer& producer);

    tlm::tlm_initiator_socket<>& socket() { return initiator_.socket; }
    /// To be called if the producer's due() may have changed for a reason other than an acceptance.
    void wake();

private:
    void act();
    void issue();
    void wake_for(std::uint64_t due, std::uint64_t now);
    void accepted(std::uint64_t tag) override;
    void response(std::uint64_t tag, const warp_op& op, const warp_result& result,
                  const transaction_times& times) override;
    unsigned response_stall(std::uint64_t) override { return hold_; }

    cycle_clock clock_;
    operation_producer& producer_;
    at_initiator initiator_;
    unsigned hold_ = 0; ///< of the response that was delivered last
    sc_core::sc_event wake_;
};

} // namespace isbesim::testbench

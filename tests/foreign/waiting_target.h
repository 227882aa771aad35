// SPDX-License-Identifier: Apache-2.0
// A foreign, loosely timed target in front of an ISBE: it knows b_transport only and waits inside the call.
#pragma once

#define SC_INCLUDE_DYNAMIC_PROCESSES // for the simple sockets
#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

namespace isbesim::test {

/// Waits for the annotated delay, for the ISBE's, and for up to 2.1 ns more, which is no number of cycles. To an
/// initiator that uses four phases the simple socket translates.
class waiting_target : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<waiting_target> target{"target"};
    tlm_utils::simple_initiator_socket<waiting_target> initiator{"initiator"};

    explicit waiting_target(const sc_core::sc_module_name& name) : sc_core::sc_module(name)
    {
        target.register_b_transport(this, &waiting_target::block);
    }
    std::uint64_t calls() const { return calls_; }

private:
    void block(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
    {
        wait(delay);
        delay = sc_core::SC_ZERO_TIME;
        initiator->b_transport(payload, delay);
        wait(delay + sc_core::sc_time(0.7 * static_cast<double>(calls_++ % 4), sc_core::SC_NS));
        delay = sc_core::SC_ZERO_TIME;
    }

    std::uint64_t calls_ = 0;
};

} // namespace isbesim::test

// SPDX-License-Identifier: Apache-2.0
// Two initiators on one ISBE port (isbe.ports = 1): the SM and the PE take turns on its request channel, and every
// response goes back to its requester.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "tlm/clock.h"

namespace isbesim::testbench {

/// Adds no queue and no delay. A request passes a free channel in the cycle of its arrival. If both initiators wait,
/// the one that was not served last goes first, in the cycle after the transfer.
class port_mux : public sc_core::sc_module {
public:
    static constexpr unsigned initiators = 2;

    sc_core::sc_vector<tlm_utils::simple_target_socket_tagged_optional<port_mux>> from;
    tlm_utils::simple_initiator_socket<port_mux> to;

    port_mux(const sc_core::sc_module_name& name, const cycle_clock& clock);

    /// Cycles in which requests of one initiator waited because the other initiator held the channel.
    std::uint64_t waited_cycles(unsigned initiator) const { return waited_[initiator]; }

private:
    struct pending {
        tlm::tlm_generic_payload* payload;
        int initiator;
    };

    tlm::tlm_sync_enum forward(int initiator, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                               sc_core::sc_time& delay);
    tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
    void block(int initiator, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    unsigned debug(int initiator, tlm::tlm_generic_payload& payload);
    bool direct_memory(int initiator, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
    void invalidate(sc_dt::uint64 first, sc_dt::uint64 last);

    bool anyone_waits() const { return waiting_[0] != nullptr || waiting_[1] != nullptr; }
    bool channel_free() const { return requesting_ < 0 && clock_.now() >= next_request_; }
    tlm::tlm_sync_enum request(int initiator, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                               sc_core::sc_time& delay);
    /// The request on the channel was transferred in `cycle`.
    void transferred(std::uint64_t cycle);
    void arbitrate();
    void serve_waiting();
    void forget(const tlm::tlm_generic_payload& payload);

    cycle_clock clock_;
    std::array<tlm::tlm_generic_payload*, initiators> waiting_{}; ///< BEGIN_REQ seen, not passed on
    std::array<std::uint64_t, initiators> waiting_since_{};
    std::array<std::uint64_t, initiators> waited_{};
    std::vector<pending> pending_; ///< passed on, but not ended
    int requesting_ = -1;          ///< whose request is on the channel
    int last_ = initiators - 1;
    std::uint64_t next_request_ = 0;
    sc_core::sc_event arbitrate_event_;
};

} // namespace isbesim::testbench

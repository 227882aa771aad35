// SPDX-License-Identifier: Apache-2.0
// The initiator side of an ISBE port in four phases.
#pragma once

#include "tlm/warp_initiator.h"

namespace isbesim {

class at_initiator final : public warp_initiator {
public:
    at_initiator(const sc_core::sc_module_name& name, const cycle_clock& clock, unsigned queue_depth, client& owner);

    bool is_free() const override { return waiting() == 0 && clock_.now() >= next_request_; }
    void wake_when_free() override
    {
        if (waiting() == 0) request_event_.notify(clock_.until(next_request_));
    }

private:
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void queued() override;
    void end_response(tlm::tlm_generic_payload& payload, unsigned stall) override;
    void request_method();
    void send_next();
    void request();
    void accepted(std::uint64_t cycle);
    void end_response_in(tlm::tlm_generic_payload& payload, unsigned stall);
    void end_response_method();

    tlm::tlm_generic_payload* stalled_ = nullptr; ///< waits for its END_RESP
    sc_core::sc_event end_response_event_;
};

} // namespace isbesim

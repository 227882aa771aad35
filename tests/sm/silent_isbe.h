// SPDX-License-Identifier: Apache-2.0
// An ISBE port that takes some requests and never answers: what a deadlock looks like from the SM.
#pragma once

#include <systemc>
#include <tlm>

namespace isbesim {

class silent_isbe : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
public:
    tlm::tlm_target_socket<> socket;

    /// END_REQ comes for the first `requests` transactions only.
    silent_isbe(const sc_core::sc_module_name& name, unsigned requests)
        : sc_core::sc_module(name), socket("socket"), left_(requests)
    {
        socket.bind(*this);
    }

private:
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_core::sc_time&) override
    {
        if (left_ == 0) return tlm::TLM_ACCEPTED;
        --left_;
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
    }
    void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override {}
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

    unsigned left_;
};

} // namespace isbesim

// SPDX-License-Identifier: Apache-2.0
// Targets that carry the payload and do nothing with it: how fast TLM-2.0 itself is on a machine.
#pragma once

#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/peq_with_get.h>

#include "tlm/has_process.h"

namespace isbesim::test {

/// Four phases without a model: END_REQ at once, BEGIN_RESP a fixed time later through the stock event queue.
class empty_at : public sc_core::sc_module, public tlm::tlm_fw_transport_if<> {
public:
    tlm::tlm_target_socket<> socket{"socket"};

    empty_at(const sc_core::sc_module_name& name, const sc_core::sc_time& latency)
        : sc_core::sc_module(name), latency_(latency)
    {
        socket.bind(*this);
        ISBESIM_HAS_PROCESS(empty_at);
        SC_METHOD(respond);
        sensitive << queue_.get_event();
        dont_initialize();
    }

private:
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override
    {
        if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
        payload.acquire();
        queue_.notify(payload, delay + latency_);
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
    }
    void respond()
    {
        while (tlm::tlm_generic_payload* payload = queue_.get_next_transaction()) {
            payload->set_response_status(tlm::TLM_OK_RESPONSE);
            tlm::tlm_phase phase = tlm::BEGIN_RESP;
            sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
            socket->nb_transport_bw(*payload, phase, delay);
            payload->release();
        }
    }
    void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override {}
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

    sc_core::sc_time latency_;
    tlm_utils::peq_with_get<tlm::tlm_generic_payload> queue_{"queue"};
};

/// The textbook version: every phase is a call of its own and goes through the stock queue of its receiver.
class textbook_at : public sc_core::sc_module, public tlm::tlm_fw_transport_if<> {
public:
    tlm::tlm_target_socket<> socket{"socket"};

    textbook_at(const sc_core::sc_module_name& name, const sc_core::sc_time& latency)
        : sc_core::sc_module(name), latency_(latency), queue_(this, &textbook_at::arrive)
    {
        socket.bind(*this);
    }

private:
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override
    {
        if (phase == tlm::BEGIN_REQ) payload.acquire();
        queue_.notify(payload, phase, delay);
        return tlm::TLM_ACCEPTED;
    }
    void arrive(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase)
    {
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        tlm::tlm_phase reply;
        if (phase == tlm::BEGIN_REQ) {
            queue_.notify(payload, tlm::BEGIN_RESP, latency_); // for ourselves
            reply = tlm::END_REQ;
            socket->nb_transport_bw(payload, reply, delay);
        } else if (phase == tlm::BEGIN_RESP) {
            payload.set_response_status(tlm::TLM_OK_RESPONSE);
            reply = tlm::BEGIN_RESP;
            if (socket->nb_transport_bw(payload, reply, delay) == tlm::TLM_COMPLETED) payload.release();
        } else {
            payload.release();
        }
    }
    void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override {}
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

    sc_core::sc_time latency_;
    tlm_utils::peq_with_cb_and_phase<textbook_at> queue_;
};

class empty_lt : public sc_core::sc_module, public tlm::tlm_fw_transport_if<> {
public:
    tlm::tlm_target_socket<> socket{"socket"};

    empty_lt(const sc_core::sc_module_name& name, const sc_core::sc_time& latency)
        : sc_core::sc_module(name), latency_(latency)
    {
        socket.bind(*this);
    }

private:
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override
    {
        return tlm::TLM_COMPLETED;
    }
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override
    {
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        delay += latency_;
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

    sc_core::sc_time latency_;
};

} // namespace isbesim::test

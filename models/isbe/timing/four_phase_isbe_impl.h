// SPDX-License-Identifier: Apache-2.0
// Definitions of four_phase_isbe, for the sources that instantiate it.
#pragma once

#include <algorithm>

#include <tlm_utils/peq_with_cb_and_phase.h>

#include "models/isbe/timing/four_phase_isbe.h"
#include "tlm/has_process.h"
#include "tlm/payload_extension.h"
#include "tlm/process_guard.h"

namespace isbesim {

/// Holds calls with an annotated delay until the delay is over.
template <typename engine>
class four_phase_isbe<engine>::delayed_calls {
public:
    delayed_calls(four_phase_isbe& owner, unsigned port)
        : owner_(owner), port_(port), queue_(this, &delayed_calls::arrive)
    {
    }

    void notify(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase, const sc_core::sc_time& delay)
    {
        queue_.notify(payload, phase, delay);
    }

private:
    void arrive(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase)
    {
        guard_process([&] { pass_on(payload, phase); }); // called by the queue's process
    }
    void pass_on(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase)
    {
        if (phase == tlm::END_RESP) {
            owner_.end_response(port_, payload);
            return;
        }
        tlm::tlm_phase reply = phase;
        if (owner_.begin_request(port_, payload, payload.get_extension<isbe_extension>(), reply) == tlm::TLM_UPDATED) {
            sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
            owner_.ports[port_]->nb_transport_bw(payload, reply, delay);
        }
    }

    four_phase_isbe& owner_;
    unsigned port_;
    tlm_utils::peq_with_cb_and_phase<delayed_calls> queue_;
};

template <typename engine>
void four_phase_isbe<engine>::construct()
{
    for (unsigned port = 0; port < engine_.ports(); ++port)
        delayed_.push_back(std::make_unique<delayed_calls>(*this, port));
    engine_.report_to(observers());
    ISBESIM_HAS_PROCESS(four_phase_isbe);
    SC_METHOD(wake);
    sensitive << wake_event_;
    dont_initialize();
}

template <typename engine>
four_phase_isbe<engine>::~four_phase_isbe() = default;

template <typename engine>
tlm::tlm_sync_enum four_phase_isbe<engine>::forward(unsigned port, tlm::tlm_generic_payload& payload,
                                                    tlm::tlm_phase& phase, sc_core::sc_time& delay)
{
    if (phase == tlm::BEGIN_REQ) {
        if (!payload.has_mm()) {
            SC_REPORT_ERROR("/isbesim/isbe", "a payload without memory manager in nb_transport_fw, expected one with "
                                             "set_mm() and acquire() (IEEE 1666, 14.5)");
            payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
            return tlm::TLM_COMPLETED;
        }
        auto* const extension = payload.get_extension<isbe_extension>();
        if (extension == nullptr) {
            const tlm::tlm_response_status status = check_raw_access(payload, storage_bytes());
            payload.set_response_status(status);
            if (status != tlm::TLM_OK_RESPONSE) return tlm::TLM_COMPLETED;
            payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        }
        if (delay == sc_core::SC_ZERO_TIME) return begin_request(port, payload, extension, phase);
    } else if (phase == tlm::END_RESP) {
        if (delay == sc_core::SC_ZERO_TIME) {
            end_response(port, payload);
            return tlm::TLM_COMPLETED;
        }
    } else {
        return tlm::TLM_ACCEPTED; // an ignorable phase
    }
    delayed_[port]->notify(payload, phase, delay);
    return tlm::TLM_ACCEPTED;
}

template <typename engine>
tlm::tlm_sync_enum four_phase_isbe<engine>::begin_request(unsigned port, tlm::tlm_generic_payload& payload,
                                                          isbe_extension* extension, tlm::tlm_phase& phase)
{
    payload.acquire();
    bool accepted = false;
    if (extension != nullptr) {
        const std::uint64_t now = clock_.now();
        port_operation operation;
        operation.op = &extension->op;
        operation.result = &extension->result;
        operation.payload = &payload;
        operation.because = &extension->because;
        engine_.advance_to(now);
        const bool first = waiting_[port].empty() && channel_free_[port] <= now;
        if (first) {
            offer(port, operation, now);
            accepted = engine_.can_accept(port, now);
        }
        if (accepted)
            accept(port, operation, now);
        else
            waiting_[port].push(operation);
    } else {
        compounds_.push_back(std::make_shared<compound_access>(split_raw_access(payload)));
        accepted = begin_compound(port, &payload, *compounds_.back());
    }
    plan(port);
    if (!accepted) return tlm::TLM_ACCEPTED;
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
}

template <typename engine>
bool four_phase_isbe<engine>::begin_compound(unsigned port, tlm::tlm_generic_payload* payload, compound_access& access)
{
    const std::uint64_t now = clock_.now();
    port_operation operation;
    operation.payload = payload;
    operation.compound = &access;
    engine_.advance_to(now);
    waiting_[port].push(operation);
    return waiting_[port].size() == 1 && enter(port, now);
}

template <typename engine>
bool four_phase_isbe<engine>::enter(unsigned port, std::uint64_t now)
{
    port_operation& operation = waiting_[port].front();
    compound_access* const access = operation.compound;
    if (!operation.offered) {
        if (channel_free_[port] > now) return false; // the previous transfer is in this cycle
        if (access != nullptr) {
            operation.op = &access->op();
            operation.result = &access->result();
        }
        offer(port, operation, now);
    }
    if (!engine_.can_accept(port, now)) return false;
    accept(port, operation, now);
    if (access != nullptr && !access->request_done()) {
        operation.offered = false; // the next operation follows in the next cycle
        return false;
    }
    waiting_[port].pop();
    return access == nullptr || !access->done;
}

template <typename engine>
void four_phase_isbe<engine>::offer(unsigned port, port_operation& operation, std::uint64_t now)
{
    operation.offered = true;
    operation.begin = now;
    operation.id = next_id_++;
    for (transaction_observer* observer : observers()) observer->begin_request(operation.id, port, *operation.op, now);
    engine_.offer(port, operation, now);
}

template <typename engine>
void four_phase_isbe<engine>::accept(unsigned port, port_operation& operation, std::uint64_t now)
{
    operation.accept = now;
    channel_free_[port] = now + 1;
    for (transaction_observer* observer : observers()) observer->accept(operation.id, port, now);
    engine_.accept(port, operation);
}

template <typename engine>
void four_phase_isbe<engine>::respond(unsigned port, const port_operation& operation, std::uint64_t now)
{
    const transaction_times times{operation.begin, operation.accept, now};
    for (transaction_observer* observer : observers())
        observer->response(operation.id, port, *operation.op, *operation.result, times);
    if (compound_access* const access = operation.compound) {
        const bool finished = access->response_done();
        if (!finished || access->done) {
            transfer(port, now); // an internal response, invisible outside
            if (!finished) return;
            access->done->notify();
            forget(access);
            return;
        }
        finish_raw_access(*operation.payload, access->parts());
    }
    tlm::tlm_generic_payload& payload = *operation.payload;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    responding_[port] = &payload;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum status = ports[port]->nb_transport_bw(payload, phase, delay);
    if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP)) {
        if (delay == sc_core::SC_ZERO_TIME)
            end_response(port, payload);
        else
            delayed_[port]->notify(payload, tlm::END_RESP, delay);
    }
}

template <typename engine>
compound_access* four_phase_isbe<engine>::transfer(unsigned port, std::uint64_t now)
{
    const port_operation operation = engine_.transfer(port, now);
    for (transaction_observer* observer : observers()) observer->end_response(operation.id, port, now);
    return operation.compound;
}

template <typename engine>
void four_phase_isbe<engine>::end_response(unsigned port, tlm::tlm_generic_payload& payload)
{
    if (responding_[port] != &payload) {
        SC_REPORT_ERROR("/isbesim/isbe", "END_RESP of a transaction without a response on this port");
        return;
    }
    responding_[port] = nullptr;
    const std::uint64_t now = clock_.now();
    engine_.advance_to(now);
    if (const compound_access* const access = transfer(port, now)) forget(access);
    payload.release();
    plan(port);
}

template <typename engine>
void four_phase_isbe<engine>::forget(const compound_access* access)
{
    const auto found = std::find_if(compounds_.begin(), compounds_.end(),
                                    [&](const auto& candidate) { return candidate.get() == access; });
    compounds_.erase(found);
}

template <typename engine>
void four_phase_isbe<engine>::wake()
{
    guard_process([this] { act(); });
}

template <typename engine>
void four_phase_isbe<engine>::act()
{
    wake_cycle_ = never;
    waking_ = true;
    const std::uint64_t now = clock_.now();
    engine_.advance_to(now);
    for (unsigned port = 0; port < engine_.ports(); ++port) {
        if (!waiting_[port].empty()) {
            auto* const payload = waiting_[port].front().payload;
            if (enter(port, now)) {
                tlm::tlm_phase phase = tlm::END_REQ;
                sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
                ports[port]->nb_transport_bw(*payload, phase, delay);
            }
        }
        if (const port_operation* due = engine_.response(port, now)) {
            const port_operation operation = *due; // a copy: the client may send, which moves the queue
            respond(port, operation, now);
        }
    }
    waking_ = false;
    std::uint64_t next = never;
    for (unsigned port = 0; port < engine_.ports(); ++port) next = std::min(next, next_event(port));
    wake_by(next);
}

template <typename engine>
std::uint64_t four_phase_isbe<engine>::next_event(unsigned port) const
{
    const std::uint64_t response = engine_.next_response(port);
    if (waiting_[port].empty()) return response;
    const bool offered = waiting_[port].front().offered;
    return std::min(response, offered ? engine_.next_accept(port) : clock_.now() + 1);
}

template <typename engine>
void four_phase_isbe<engine>::plan(unsigned port)
{
    if (!waking_) wake_by(next_event(port)); // this port brings no other port's event forward
}

template <typename engine>
void four_phase_isbe<engine>::wake_by(std::uint64_t cycle)
{
    if (cycle >= wake_cycle_) return;
    wake_cycle_ = cycle;
    wake_event_.notify(cycle > clock_.now() ? clock_.until(cycle) : sc_core::SC_ZERO_TIME);
}

template <typename engine>
void four_phase_isbe<engine>::block(unsigned port, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
{
    if (delay != sc_core::SC_ZERO_TIME) {
        sc_core::wait(delay);
        delay = sc_core::SC_ZERO_TIME;
    }
    auto* const extension = payload.get_extension<isbe_extension>();
    if (extension == nullptr) {
        const tlm::tlm_response_status status = check_raw_access(payload, storage_bytes());
        payload.set_response_status(status);
        if (status != tlm::TLM_OK_RESPONSE) return;
    }
    const auto access = std::make_shared<compound_access>(
        extension != nullptr ? raw_access{{extension->op}, {warp_result{}}} : split_raw_access(payload));
    access->done.emplace();
    compounds_.push_back(access); // kept even if this thread is killed or reset while it waits
    begin_compound(port, nullptr, *access);
    plan(port);
    sc_core::wait(*access->done);
    if (extension != nullptr)
        extension->result = access->parts().results.front();
    else
        finish_raw_access(payload, access->parts());
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

} // namespace isbesim

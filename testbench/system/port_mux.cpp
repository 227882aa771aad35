// SPDX-License-Identifier: Apache-2.0
#include "testbench/system/port_mux.h"

#include <algorithm>

#include "tlm/has_process.h"
#include "tlm/process_guard.h"

namespace isbesim::testbench {

port_mux::port_mux(const sc_core::sc_module_name& name, const cycle_clock& clock)
    : sc_core::sc_module(name), from("from", initiators), to("to"), clock_(clock)
{
    ISBESIM_HAS_PROCESS(port_mux);
    for (int i = 0; i < static_cast<int>(initiators); ++i) {
        auto& socket = from[static_cast<std::size_t>(i)];
        socket.register_nb_transport_fw(this, &port_mux::forward, i);
        socket.register_b_transport(this, &port_mux::block, i);
        socket.register_transport_dbg(this, &port_mux::debug, i);
        socket.register_get_direct_mem_ptr(this, &port_mux::direct_memory, i);
    }
    to.register_nb_transport_bw(this, &port_mux::backward);
    to.register_invalidate_direct_mem_ptr(this, &port_mux::invalidate);
    SC_METHOD(arbitrate);
    sensitive << arbitrate_event_;
    dont_initialize();
}

tlm::tlm_sync_enum port_mux::forward(int initiator, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay)
{
    if (phase != tlm::BEGIN_REQ) {
        const auto status = to->nb_transport_fw(payload, phase, delay);
        forget(payload); // END_RESP is its last phase
        return status;
    }
    // A waiting initiator is served first, even if its turn comes later in this cycle.
    if (channel_free() && !anyone_waits()) return request(initiator, payload, phase, delay);
    const auto i = static_cast<std::size_t>(initiator);
    payload.acquire();
    waiting_[i] = &payload;
    waiting_since_[i] = clock_.now();
    if (requesting_ < 0) arbitrate_event_.notify(clock_.until(next_request_));
    return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum port_mux::request(int initiator, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay)
{
    requesting_ = initiator;
    last_ = initiator;
    pending_.push_back({&payload, initiator});
    const auto status = to->nb_transport_fw(payload, phase, delay);
    if (status == tlm::TLM_COMPLETED) {
        transferred(clock_.now());
        forget(payload);
    } else if (status == tlm::TLM_UPDATED) {
        transferred(phase == tlm::END_REQ ? clock_.cycles(sc_core::sc_time_stamp() + delay) : clock_.now());
    }
    return status;
}

void port_mux::transferred(std::uint64_t cycle)
{
    requesting_ = -1;
    next_request_ = cycle + 1;
    if (anyone_waits()) arbitrate_event_.notify(clock_.until(next_request_));
}

void port_mux::arbitrate()
{
    guard_process([this] { serve_waiting(); });
}

void port_mux::serve_waiting()
{
    if (!channel_free()) {
        // An earlier notification of this cycle may have swallowed the one for the next.
        if (requesting_ < 0 && anyone_waits()) arbitrate_event_.notify(clock_.until(next_request_));
        return;
    }
    const int other = 1 - last_;
    const int next = waiting_[static_cast<std::size_t>(other)] != nullptr ? other : last_;
    const auto i = static_cast<std::size_t>(next);
    auto* payload = waiting_[i];
    if (payload == nullptr) return;
    waiting_[i] = nullptr;
    waited_[i] += clock_.now() - waiting_since_[i];
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const auto status = request(next, *payload, phase, delay);
    // The initiator already received TLM_ACCEPTED: a phase that the target returned at once is passed to it as a call.
    if (status == tlm::TLM_UPDATED) {
        const bool response = phase == tlm::BEGIN_RESP;
        auto answer = from[i]->nb_transport_bw(*payload, phase, delay);
        if (response && answer == tlm::TLM_COMPLETED) {
            phase = tlm::END_RESP;
            delay = sc_core::SC_ZERO_TIME;
            to->nb_transport_fw(*payload, phase, delay);
            forget(*payload);
        }
    } else if (status == tlm::TLM_COMPLETED) {
        phase = tlm::BEGIN_RESP;
        from[i]->nb_transport_bw(*payload, phase, delay);
    }
    payload->release();
}

tlm::tlm_sync_enum port_mux::backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay)
{
    const auto found =
        std::find_if(pending_.begin(), pending_.end(), [&](const pending& p) { return p.payload == &payload; });
    if (found == pending_.end()) return tlm::TLM_ACCEPTED;
    const int initiator = found->initiator;
    // Responses leave in the order of the transfers, so the newest payload is the one on the channel.
    if (requesting_ == initiator && pending_.back().payload == &payload) {
        transferred(phase == tlm::END_REQ ? clock_.cycles(sc_core::sc_time_stamp() + delay) : clock_.now());
    }
    const bool response = phase == tlm::BEGIN_RESP;
    const auto status = from[static_cast<std::size_t>(initiator)]->nb_transport_bw(payload, phase, delay);
    if (response && (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP))) {
        forget(payload);
    }
    return status;
}

void port_mux::block(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
{
    to->b_transport(payload, delay);
}

unsigned port_mux::debug(int, tlm::tlm_generic_payload& payload)
{
    return to->transport_dbg(payload);
}

bool port_mux::direct_memory(int, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi)
{
    return to->get_direct_mem_ptr(payload, dmi);
}

void port_mux::invalidate(sc_dt::uint64 first, sc_dt::uint64 last)
{
    for (auto& socket : from) socket->invalidate_direct_mem_ptr(first, last);
}

void port_mux::forget(const tlm::tlm_generic_payload& payload)
{
    const auto found =
        std::find_if(pending_.begin(), pending_.end(), [&](const pending& p) { return p.payload == &payload; });
    if (found != pending_.end()) pending_.erase(found);
}

} // namespace isbesim::testbench

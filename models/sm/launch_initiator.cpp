// SPDX-License-Identifier: Apache-2.0
#include "models/sm/launch_initiator.h"

#include <stdexcept>
#include <utility>

#include "tlm/process_guard.h"

namespace isbesim {

launch_initiator::launch_initiator(const sc_core::sc_module_name& name, const cycle_clock& clock, client& owner)
    : sc_core::sc_module(name),
      socket("socket"),
      clock_(clock),
      client_(owner),
      delayed_(this, &launch_initiator::arrive_later)
{
    socket.bind(*this);
}

void launch_initiator::launch(const warp_launch& launch, std::uint64_t tag, cause because)
{
    tlm::tlm_generic_payload& transaction = pool_.acquire();
    auto* extension = transaction.get_extension<launch_extension>();
    extension->launch = launch;
    extension->tag = tag;
    extension->because = std::move(because);
    waiting_.push(&transaction);
    send();
}

void launch_initiator::send()
{
    while (pending_ == nullptr && !waiting_.empty()) {
        tlm::tlm_generic_payload& transaction = *waiting_.front();
        waiting_.pop();
        pending_ = &transaction;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        const tlm::tlm_sync_enum status = socket->nb_transport_fw(transaction, phase, delay);
        if (status == tlm::TLM_ACCEPTED) continue;
        if (status == tlm::TLM_COMPLETED) phase = tlm::END_RESP;
        if (delay == sc_core::SC_ZERO_TIME)
            arrive(transaction, phase);
        else
            delayed_.notify(transaction, phase, delay);
    }
}

tlm::tlm_sync_enum launch_initiator::nb_transport_bw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                                                     sc_core::sc_time& delay)
{
    if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED; // an ignorable phase
    if (delay != sc_core::SC_ZERO_TIME) {
        delayed_.notify(transaction, phase, delay);
        return tlm::TLM_ACCEPTED;
    }
    if (phase == tlm::END_REQ) {
        accepted(transaction);
        send();
        return tlm::TLM_ACCEPTED;
    }
    accepted(transaction); // END_REQ may be implied
    finish(transaction);
    send();
    phase = tlm::END_RESP;
    return tlm::TLM_COMPLETED;
}

void launch_initiator::arrive_later(tlm::tlm_generic_payload& transaction, const tlm::tlm_phase& phase)
{
    guard_process([&] { // called by the queue's process
        arrive(transaction, phase);
        send();
    });
}

void launch_initiator::arrive(tlm::tlm_generic_payload& transaction, const tlm::tlm_phase& phase)
{
    accepted(transaction);
    if (phase == tlm::END_REQ) return;
    transaction.acquire();
    finish(transaction);
    if (phase == tlm::BEGIN_RESP) {
        tlm::tlm_phase end = tlm::END_RESP;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        socket->nb_transport_fw(transaction, end, delay);
    }
    transaction.release();
}

void launch_initiator::accepted(const tlm::tlm_generic_payload& transaction)
{
    if (pending_ == &transaction) pending_ = nullptr;
}

void launch_initiator::finish(tlm::tlm_generic_payload& transaction)
{
    if (transaction.is_response_error())
        throw std::logic_error("launch_initiator: " + transaction.get_response_string());
    last_completion_ = clock_.now();
    auto* extension = transaction.get_extension<launch_extension>();
    because_ = extension->because;
    client_.completed(extension->tag, extension->completion);
    transaction.release();
}

} // namespace isbesim

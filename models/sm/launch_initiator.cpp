#include "models/sm/launch_initiator.h"

#include <stdexcept>

namespace isbesim {

launch_initiator::launch_initiator(const sc_core::sc_module_name& name, const cycle_clock& clock, client& owner)
    : sc_core::sc_module(name), socket("socket"), clock_(clock), client_(owner)
{
    socket.bind(*this);
}

void launch_initiator::launch(const warp_launch& launch, std::uint64_t tag)
{
    if (!can_launch()) throw std::logic_error("launch_initiator: launch while the last one waits for END_REQ");
    tlm::tlm_generic_payload& transaction = pool_.acquire();
    auto* extension = transaction.get_extension<launch_extension>();
    extension->launch = launch;
    extension->tag = tag;

    pending_ = &transaction;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    switch (socket->nb_transport_fw(transaction, phase, delay)) {
    case tlm::TLM_ACCEPTED:
        break;
    case tlm::TLM_UPDATED:
        pending_ = nullptr;
        if (phase == tlm::BEGIN_RESP) finish(transaction);
        break;
    case tlm::TLM_COMPLETED:
        pending_ = nullptr;
        finish(transaction);
        break;
    }
}

tlm::tlm_sync_enum launch_initiator::nb_transport_bw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                                                     sc_core::sc_time&)
{
    const bool was_pending = pending_ == &transaction;
    if (was_pending) pending_ = nullptr; // END_REQ, or BEGIN_RESP that implies it
    if (phase == tlm::END_REQ) {
        client_.launchable();
        return tlm::TLM_ACCEPTED;
    }
    if (phase != tlm::BEGIN_RESP) throw std::logic_error("launch_initiator: phase other than END_REQ and BEGIN_RESP");
    if (was_pending) client_.launchable();
    finish(transaction);
    phase = tlm::END_RESP;
    return tlm::TLM_COMPLETED;
}

void launch_initiator::finish(tlm::tlm_generic_payload& transaction)
{
    last_completion_ = clock_.now();
    auto* extension = transaction.get_extension<launch_extension>();
    client_.completed(extension->tag, extension->completion);
    transaction.release();
}

} // namespace isbesim

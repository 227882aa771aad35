// SPDX-License-Identifier: Apache-2.0
// The initiator side of an ISBE port through b_transport, with or without temporal decoupling.
#pragma once

#include "tlm/warp_initiator.h"

namespace isbesim {

/// A thread takes the operations one after the other to b_transport. Where that returns at once with a delay, as the LT
/// ISBE's does, an operation never waits; where the target waits inside the call, those after it do.
class lt_initiator final : public warp_initiator {
public:
    lt_initiator(const sc_core::sc_module_name& name, const cycle_clock& clock, bool decoupled, client& owner);

private:
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override
    {
        return tlm::TLM_ACCEPTED; // an ignorable phase
    }
    void queued() override { request_event_.notify(sc_core::SC_ZERO_TIME); }
    void blocking_thread();
    void block_next();
    /// Where the target has carried out the first of the reads only: the others, from `begin` on. Returns the passes of
    /// all and makes `delay` that of the last one's answer.
    std::uint64_t read_one_by_one(tlm::tlm_generic_payload& payload, const block_read& block, std::uint64_t begin,
                                  sc_core::sc_time& delay);

    bool decoupled_;
};

} // namespace isbesim

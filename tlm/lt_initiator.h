// SPDX-License-Identifier: Apache-2.0
// The initiator side of an ISBE port through b_transport, with or without temporal decoupling.
#pragma once

#include "tlm/warp_initiator.h"

namespace isbesim {

/// A thread takes the operations one after the other to b_transport. Where that returns at once with a delay, as the LT
/// ISBE's does, the next one waits for isbe_extension::next_request; where the target waits inside the call, for that.
class lt_initiator final : public warp_initiator {
public:
    lt_initiator(const sc_core::sc_module_name& name, const cycle_clock& clock, bool decoupled, client& owner);

    bool is_free() const override { return decoupled_ || (queued_ == 0 && channel_is_free()); }
    void wake_when_free() override
    {
        asked_ = true; // the thread may be in the target, where it hears no event
        if (queued_ == 0) request_event_.notify(clock_.until(next_request_));
    }

private:
    bool channel_is_free() const { return decoupled_ || clock_.now() >= next_request_; }
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
    bool asked_ = false; ///< by wake_when_free()
};

} // namespace isbesim

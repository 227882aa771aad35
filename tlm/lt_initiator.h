// SPDX-License-Identifier: Apache-2.0
// The initiator side of an ISBE port through b_transport, with or without temporal decoupling.
#pragma once

#include "tlm/warp_initiator.h"

namespace isbesim {

/// A thread calls b_transport for one operation after the other. If the call returns at once with a delay, as that of
/// the LT ISBE does, the next operation waits for isbe_extension::next_request; if the target waits inside the call,
/// the next operation waits for its return.
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
    /// For a target that has carried out the first read only: sends the others, from `begin` on. Returns the passes of
    /// all reads and sets `delay` to that of the last response.
    std::uint64_t read_one_by_one(tlm::tlm_generic_payload& payload, const block_read& block, std::uint64_t begin,
                                  sc_core::sc_time& delay);

    bool decoupled_;
    bool asked_ = false; ///< by wake_when_free()
};

} // namespace isbesim

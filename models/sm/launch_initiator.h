// SPDX-License-Identifier: Apache-2.0
// The PE's side of a launch socket: starts warps and reports their ends. See launch_extension.h for the phases.
#pragma once

#include <cstdint>

#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>

#include "models/isa/execution/warp_launch.h"
#include "models/sm/launch_extension.h"
#include "tlm/clock.h"
#include "tlm/ring.h"

namespace isbesim {

class launch_initiator : public sc_core::sc_module, public tlm::tlm_bw_transport_if<> {
public:
    class client {
    public:
        virtual ~client() = default;
        /// The warp has ended and all its attribute operations have responded. Its slot is free already, so the client
        /// may launch again from here.
        virtual void completed(std::uint64_t tag, const warp_completion& completion) = 0;
    };

    tlm::tlm_initiator_socket<> socket;

    launch_initiator(const sc_core::sc_module_name& name, const cycle_clock& clock, client& owner);

    /// False until the SM has accepted the last launch, which it delays only while the slot of that launch is still
    /// taken: a PE that launches into free slots may launch any number of warps in one cycle.
    bool can_launch() const { return pending_ == nullptr; }
    /// Starts a warp: at once if can_launch(), otherwise in order. Its first instruction can issue in the next cycle.
    /// `launch.program` and `launch.constants` must live until completed(). `because`: the event that it waited for.
    void launch(const warp_launch& launch, std::uint64_t tag, cause because = {});
    /// Cause of the end that completed() reports.
    const cause& because() const { return because_; }
    /// Cycle of the last BEGIN_RESP; for reports.
    std::uint64_t last_completion() const { return last_completion_; }

private:
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    void send();
    /// A phase of the backward path is due. END_RESP: the target completed early, so it awaits no END_RESP.
    void arrive(tlm::tlm_generic_payload& transaction, const tlm::tlm_phase& phase);
    void arrive_later(tlm::tlm_generic_payload& transaction, const tlm::tlm_phase& phase);
    void accepted(const tlm::tlm_generic_payload& transaction);
    void finish(tlm::tlm_generic_payload& transaction);

    cycle_clock clock_;
    client& client_;
    launch_pool pool_;
    ring<tlm::tlm_generic_payload*> waiting_;     ///< for the request channel
    tlm::tlm_generic_payload* pending_ = nullptr; ///< BEGIN_REQ sent, END_REQ outstanding
    tlm_utils::peq_with_cb_and_phase<launch_initiator> delayed_;
    std::uint64_t last_completion_ = 0;
    cause because_;
};

} // namespace isbesim

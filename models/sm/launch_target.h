// SPDX-License-Identifier: Apache-2.0
// The SM's side of a launch socket: accepts launches, holds back a launch whose warp slot is still taken, and reports
// completions one at a time. See launch_extension.h for the phases.
#pragma once

#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>

#include "models/isa/execution/warp_launch.h"
#include "models/sm/launch_extension.h"
#include "tlm/ring.h"

namespace isbesim {

class launch_target : public tlm::tlm_fw_transport_if<> {
public:
    class client {
    public:
        virtual ~client() = default;
        virtual bool has_free_slot(unsigned slot) const = 0;
        /// Starts a warp in its slot, which is free. The transaction lives until complete().
        virtual void start(tlm::tlm_generic_payload& transaction, const warp_launch& launch) = 0;
    };

    /// `slots`: number of warp slots; launches into other slots are refused.
    launch_target(tlm::tlm_target_socket<>& socket, unsigned slots, client& owner);

    /// The warp of `transaction` has ended and its slot is free. The held launch may start during this call.
    void complete(tlm::tlm_generic_payload& transaction, const warp_completion& completion);

private:
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

    void arrive_later(tlm::tlm_generic_payload& transaction, const tlm::tlm_phase& phase);
    bool begin_request(tlm::tlm_generic_payload& transaction);
    void accept(tlm::tlm_generic_payload& transaction);
    void end_response(tlm::tlm_generic_payload& transaction);
    void respond();

    tlm::tlm_target_socket<>& socket_;
    unsigned slots_;
    client& client_;
    tlm::tlm_generic_payload* held_ = nullptr;                ///< BEGIN_REQ for a slot that is still taken
    ring<tlm::tlm_generic_payload*> responses_;               ///< BEGIN_RESP sent (front) or due
    bool responding_ = false;                                 ///< END_RESP of the front is awaited
    tlm_utils::peq_with_cb_and_phase<launch_target> delayed_; ///< launches and END_RESP with an annotated delay
};

} // namespace isbesim

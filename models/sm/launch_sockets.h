// SPDX-License-Identifier: Apache-2.0
// The extension of a launch transaction: the warp to start and, with the response, its outcome.
//
// Phases (both in LT and AT runs; a warp lives far too long for b_transport): BEGIN_REQ launches, END_REQ (or
// TLM_UPDATED) means that the warp has taken its slot, BEGIN_RESP reports completion and frees the slot, END_RESP (or
// TLM_COMPLETED) ends the transaction. The extension is mandatory and complete; the other attributes have legal values
// for components that know only the base protocol: TLM_IGNORE_COMMAND, address 0, the extension's tag as the data array
// (8 bytes, also the streaming width), no byte enables. b_transport is refused with TLM_COMMAND_ERROR_RESPONSE.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>

#include "models/isa/execution/executor.h"
#include "tlm/cause_log.h"
#include "tlm/clock.h"
#include "tlm/ring.h"

namespace isbesim {

class launch_extension : public tlm::tlm_extension<launch_extension> {
public:
    warp_launch launch;
    warp_completion completion; ///< valid from BEGIN_RESP on
    std::uint64_t tag = 0;      ///< for the initiator; targets do not change it
    cause because;              ///< cause of the launch; from BEGIN_RESP on, of the end

    tlm::tlm_extension_base* clone() const override;
    void copy_from(const tlm::tlm_extension_base& other) override;
};

/// Reuses launch transactions: allocates only while the number of warps in flight reaches a new maximum.
class launch_pool : public tlm::tlm_mm_interface {
public:
    launch_pool() = default;
    launch_pool(const launch_pool&) = delete;
    launch_pool& operator=(const launch_pool&) = delete;
    ~launch_pool() override;

    /// A transaction with one reference and a launch_extension.
    tlm::tlm_generic_payload& acquire();
    /// Called by the last release().
    void free(tlm::tlm_generic_payload* transaction) override;

private:
    std::vector<std::unique_ptr<tlm::tlm_generic_payload>> all_;
    std::vector<tlm::tlm_generic_payload*> idle_;
};

/// The PE's side of a launch socket: starts warps and reports their ends.
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

/// The SM's side of a launch socket: accepts launches, holds back a launch whose warp slot is still taken, and reports
/// completions one at a time.
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

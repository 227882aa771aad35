// SPDX-License-Identifier: Apache-2.0
// The initiator side of an ISBE port: turns "send this warp_op, tell me its response" into TLM-2.0, AT (four
// phases) or LT (b_transport, with or without temporal decoupling). The SM's attribute unit, the PE and the replayer
// all use it.
#pragma once

#include <cstdint>

#include <systemc>
#include <tlm>

#include "tlm/block_read.h"
#include "tlm/clock.h"
#include "tlm/payload_extension.h"
#include "tlm/payload_pool.h"
#include "tlm/ring.h"
#include "tlm/transaction_times.h"

namespace isbesim {

class warp_initiator : public sc_core::sc_module, public tlm::tlm_bw_transport_if<> {
public:
    enum class style : std::uint8_t {
        loosely_timed,
        approximately_timed,
        /// Loosely timed, and ahead of time: an operation begins when the one before has had its passes, as on a port
        /// without other users, and without waiting for it.
        decoupled,
    };

    /// Gets every response, in port order, in the cycle it appears; END_RESP follows in the same cycle unless
    /// response_stall() says otherwise. All may call prepare() and send().
    class client {
    public:
        virtual ~client() = default;
        virtual void response(std::uint64_t tag, const warp_op& op, const warp_result& result,
                              const transaction_times& times) = 0;
        /// The request was transferred (END_REQ) and left the queue; called in that cycle, before response(). The SM
        /// counts queue places and read barriers from it.
        virtual void accepted(std::uint64_t /*tag*/) {}
        /// The request channel is free in this cycle; called after wake_when_free().
        virtual void channel_free() {}
        /// Cycles to hold back END_RESP of the response that was just delivered (AT only).
        virtual unsigned response_stall(std::uint64_t /*tag*/) { return 0; }
    };

    tlm::tlm_initiator_socket<> socket;

    /// `queue_depth`: operations that may wait here for the request channel, the one that is on it included.
    /// Loosely timed, a thread takes the operations one after the other to b_transport. Where that returns at once with
    /// a delay, as the LT ISBE's does, an operation never waits; where the target waits inside the call, those behind
    /// it do.
    warp_initiator(const sc_core::sc_module_name& name, style style, const cycle_clock& clock, unsigned queue_depth,
                   client& owner);
    ~warp_initiator() override;

    /// True while another operation can be queued: always, loosely timed.
    bool can_send() const { return style_ != style::approximately_timed || waiting() < queue_depth_; }
    /// True while an operation sent now would appear on the socket at once: always, loosely timed.
    bool is_free() const
    {
        return style_ != style::approximately_timed || (waiting() == 0 && clock_.now() >= next_request_);
    }
    /// Calls channel_free() in the first cycle in which the channel is free, unless an operation is on it: accepted()
    /// will come then.
    void wake_when_free()
    {
        if (waiting() == 0) request_event_.notify(clock_.until(next_request_));
    }
    /// A cleared request to fill in place; followed by exactly one send().
    warp_op& prepare();
    /// The same, still with what an earlier operation left there.
    warp_op& prepare_over();
    /// Queues the prepared request. It appears on the socket in this cycle when the channel is free, in order
    /// otherwise. `because`: why not earlier.
    void send(std::uint64_t tag, cause because = {});
    /// The same with a copy of `op`, which needs no prepare().
    void send(const warp_op& op, std::uint64_t tag, cause because = {});
    /// Decoupled only: queues all reads of `block` as one, which is answered when the last of them is, with the first
    /// one's operation and no result. They arrive in their places earlier; `block` must stay until then. Throws out of
    /// the simulation when one was refused.
    void send(block_read& block, std::uint64_t tag, cause because = {});
    /// Cause of the event being delivered.
    const cause& because() const { return *because_; }
    /// Operations sent or queued, without a response yet.
    unsigned pending() const { return static_cast<unsigned>(records_.size()); }

private:
    struct record {
        tlm::tlm_generic_payload* payload = nullptr;
        std::uint64_t tag = 0;
        transaction_times times;
        block_read* block = nullptr;
    };
    /// A response that is known before its time: b_transport, or an annotated delay.
    struct early_response {
        std::uint64_t cycle = 0;
        bool completed = false; ///< no END_RESP is due
    };

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    std::size_t waiting() const { return queued_ + (requesting_ ? 1U : 0U); }
    void request_method();
    void send_next();
    void response_method();
    void deliver_due();
    void end_response_method();
    void end_response();
    void request();
    void blocking_thread();
    void block_next();
    /// Where the target has carried out the first of the reads only: the others, from `begin` on. Returns the passes of
    /// all and makes `delay` that of the last one's answer.
    std::uint64_t read_one_by_one(tlm::tlm_generic_payload& payload, const block_read& block, std::uint64_t begin,
                                  sc_core::sc_time& delay);
    std::uint64_t cycle_after(const sc_core::sc_time& delay) const;
    void accepted(std::uint64_t cycle);
    void expect_response(std::uint64_t cycle, bool completed);
    /// Hands the oldest operation's response to the client. True when END_RESP is due now.
    bool deliver();

    style style_;
    cycle_clock clock_;
    std::size_t queue_depth_;
    client& owner_;
    payload_pool pool_;
    tlm::tlm_generic_payload* prepared_ = nullptr;
    block_read* prepared_block_ = nullptr;
    ring<record> records_;   // responses come from the front: [accepted ...][requesting][queued ...]
    std::size_t queued_ = 0; // at the back of records_, not yet on the socket
    bool requesting_ = false;
    std::uint64_t next_request_ = 0; // first cycle in which the request channel is free again
    ring<early_response> early_;     // for the oldest records, in order
    tlm::tlm_generic_payload* stalled_ = nullptr;
    unsigned stall_ = 0;
    cause nothing_;                    ///< where a client asks without having been told of a payload (SM, by warps)
    const cause* because_ = &nothing_; ///< of the payload that a client is being told about
    sc_core::sc_event request_event_;
    sc_core::sc_event response_event_;
    sc_core::sc_event end_response_event_;
};

} // namespace isbesim

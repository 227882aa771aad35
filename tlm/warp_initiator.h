// SPDX-License-Identifier: Apache-2.0
// The initiator side of an ISBE port: sends a warp_op by TLM-2.0 and delivers its response. at_initiator uses four
// phases, lt_initiator b_transport; this is their common base. The SM's attribute unit, the PE and the replayer use it.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

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
        /// Loosely timed, and ahead of time: an operation begins after the passes of the previous operation, as on a
        /// port without other users, and the initiator does not wait for it.
        decoupled,
    };

    /// Receives every response, in port order, in the cycle in which it appears; END_RESP follows in the same cycle
    /// unless response_stall() delays it. All methods may call prepare() and send().
    class client {
    public:
        virtual ~client() = default;
        virtual void response(std::uint64_t tag, const warp_op& op, const warp_result& result,
                              const transaction_times& times) = 0;
        /// The request was transferred (END_REQ) and left the queue; called in that cycle, before response(). The SM
        /// then frees the place in its queue and releases read barriers.
        virtual void accepted(std::uint64_t /*tag*/) {}
        /// The request channel is free in this cycle; called after wake_when_free().
        virtual void channel_free() {}
        /// Cycles to hold back END_RESP of the response that was just delivered (AT only).
        virtual unsigned response_stall(std::uint64_t /*tag*/) { return 0; }
    };

    tlm::tlm_initiator_socket<> socket;

    /// `queue_depth`: operations that may wait here for the request channel, including the operation on the channel;
    /// unlimited if loosely timed.
    static std::unique_ptr<warp_initiator> make(const std::string& name, style how, const cycle_clock& clock,
                                                unsigned queue_depth, client& owner);
    ~warp_initiator() override;

    /// True while another operation can be queued.
    bool can_send() const { return waiting() < queue_depth_; }
    /// True while an operation sent now would appear on the socket at once; always true if decoupled.
    virtual bool is_free() const { return true; }
    /// Calls channel_free() in the first cycle in which the channel is free. If an operation is on the channel,
    /// accepted() will be called instead.
    virtual void wake_when_free() {}
    /// A cleared request to fill in place; followed by exactly one send().
    warp_op& prepare();
    /// The same, with the content of an earlier operation.
    warp_op& prepare_over();
    /// Queues the prepared request. It appears on the socket in this cycle if the channel is free, otherwise in order.
    /// `because`: the event that it waited for.
    void send(std::uint64_t tag, cause because = {});
    /// The same with a copy of `op`, which needs no prepare().
    void send(const warp_op& op, std::uint64_t tag, cause because = {});
    /// Decoupled only: queues all reads of `block` as a single operation. Its response comes with that of the last
    /// read, and has the first read's operation and no result. The words arrive in their places before that; `block`
    /// must live until then. A refused read throws out of the simulation.
    void send(block_read& block, std::uint64_t tag, cause because = {});
    /// Cause of the event being delivered.
    const cause& because() const { return *because_; }
    /// Operations sent or queued, without a response yet.
    unsigned pending() const { return static_cast<unsigned>(records_.size()); }

protected:
    static constexpr unsigned any_number = std::numeric_limits<unsigned>::max();

    struct record {
        tlm::tlm_generic_payload* payload = nullptr;
        std::uint64_t tag = 0;
        transaction_times times;
        block_read* block = nullptr;
    };

    warp_initiator(const sc_core::sc_module_name& name, const cycle_clock& clock, unsigned queue_depth, client& owner);

    /// An operation was queued.
    virtual void queued() = 0;
    /// Sends END_RESP of the response that was delivered, in `stall` cycles.
    virtual void end_response(tlm::tlm_generic_payload&, unsigned /*stall*/) {}
    std::size_t waiting() const { return queued_ + (requesting_ ? 1U : 0U); }
    record& first_queued() { return records_[records_.size() - queued_]; }
    std::uint64_t cycle_after(const sc_core::sc_time& delay) const;
    void report_accepted(const record& accepted);
    /// The oldest operation without a response responds in `cycle`, or after the previous operation has. `completed`:
    /// no END_RESP is due.
    void expect_response(std::uint64_t cycle, bool completed);
    bool expects_response() const { return !early_.empty(); }
    /// No response is delivered while END_RESP of the last delivered response is held back.
    void hold() { held_ = true; }
    void resume();
    /// Passes the oldest operation's response to the client. Returns the cycles for which to hold back END_RESP.
    unsigned deliver();

    cycle_clock clock_;
    client& owner_;
    ring<record> records_;   // responses come from the front: [accepted ...][requesting][queued ...]
    std::size_t queued_ = 0; // at the back of records_, not yet on the socket
    bool requesting_ = false;
    std::uint64_t next_request_ = 0; // first cycle in which the request channel is free again
    sc_core::sc_event request_event_;

private:
    /// A response that is known in advance: from b_transport, or by an annotated delay.
    struct early_response {
        std::uint64_t cycle = 0;
        bool completed = false;
    };

    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
    void response_method();
    void deliver_due();

    unsigned queue_depth_;
    payload_pool pool_;
    tlm::tlm_generic_payload* prepared_ = nullptr;
    block_read* prepared_block_ = nullptr;
    ring<early_response> early_; // for the oldest records, in order
    bool held_ = false;
    cause nothing_;                    ///< outside of calls about a payload (SM, by warps)
    const cause* because_ = &nothing_; ///< of the payload whose event is being delivered
    sc_core::sc_event response_event_;
};

} // namespace isbesim

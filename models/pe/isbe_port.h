// SPDX-License-Identifier: Apache-2.0
// The PE's side of one ISBE port: two queues of component accesses in front of a warp_initiator, and fences that report
// when all accesses queued so far have their responses.
//
// Writes and BINDs go before reads: a warp that waits for them has a context slot, which would be idle, while outputs
// that wait to be read back hold only lines. No write overtakes a read of the same lines, because lines change owner
// after the response of their last read. An access is chosen in the cycle in which it is sent, among those queued in
// earlier cycles, so the order of events within a cycle does not matter.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/isbe/functional/context.h"
#include "models/pe/linking/connectivity.h"
#include "tlm/ring.h"
#include "tlm/warp_initiator.h"

namespace isbesim {

class isbe_port final : public isbe_access, private warp_initiator::client {
public:
    class client {
    public:
        virtual ~client() = default;
        /// All accesses of its kind queued before fence_writes(tag) or fence_reads(tag) have their responses.
        virtual void responded(std::uint64_t tag) = 0;
        /// Nothing is queued or in flight any more.
        virtual void idle() = 0;
    };

    isbe_port(const std::string& name, warp_initiator::style style, const cycle_clock& clock, client& owner);

    void write(const component_run& run, lane_mask lanes, const per_lane<word>& values) override;
    void read(const component_run& run, lane_mask lanes, word* destination) override;
    /// If decoupled, sends all runs as one transaction (block_read.h).
    void read_all(const std::vector<run_read>& runs) override;
    void bind(std::uint16_t slot, const context& value);
    /// Cause and owner of subsequently queued accesses.
    void act_for(const cause& because) { because_ = because; }
    /// Cause of the response that is being reported to the client.
    const cause& because() const { return responded_; }
    /// responded(tag) will be called when all writes and BINDs queued so far have their responses, always after this
    /// call returns. At least one must be queued or in flight.
    void fence_writes(std::uint64_t tag) { fence(writes_, tag); }
    /// The same for reads.
    void fence_reads(std::uint64_t tag) { fence(reads_, tag); }

    /// Writes and BINDs, and reads, queued so far.
    std::uint64_t writes() const { return writes_.queued; }
    std::uint64_t reads() const { return reads_.queued; }

    bool is_idle() const { return pending() == 0; }
    std::uint64_t pending() const { return writes_.pending() + reads_.pending(); }
    warp_initiator& initiator() { return *initiator_; }

private:
    struct access {
        opcode op = opcode::isbewr;
        component_run run;
        lane_mask lanes = 0;
        cause because;
    };
    struct waiting_access {
        access what;
        std::uint64_t since = 0;     ///< cycle
        per_lane<word> values;       ///< of a write
        word* destination = nullptr; ///< of a read
    };
    struct waiting_fence {
        std::uint64_t after = 0; ///< number of responses to wait for
        std::uint64_t tag = 0;
    };
    struct access_queue {
        ring<waiting_access> waiting; ///< not sent yet
        ring<waiting_fence> fences;
        std::uint64_t queued = 0;    ///< accesses ever queued
        std::uint64_t responses = 0; ///< responses ever received

        std::uint64_t pending() const { return queued - responses; }
    };

    /// Sends the access now if possible, else queues it. The context and slot of a BIND have been pushed before.
    void queue(opcode op, const component_run& run, lane_mask lanes, const per_lane<word>& values, word* destination);
    static void fence(access_queue& queue, std::uint64_t tag);
    bool anything_waits() const { return !writes_.waiting.empty() || !reads_.waiting.empty(); }
    /// The queue of the next access; at least one access must be waiting.
    ring<waiting_access>& next_queue();
    void pump();
    /// Sends an access, for pump() or directly when nothing waits.
    void start(access& what, const per_lane<word>& values, word* destination);
    void done(access_queue& queue, std::uint64_t accesses);
    void accepted(std::uint64_t) override
    {
        if (anything_waits()) initiator_->wake_when_free();
    }
    void channel_free() override { pump(); }
    void response(std::uint64_t tag, const warp_op& op, const warp_result& result,
                  const transaction_times& times) override;

    cycle_clock clock_;
    bool ahead_;
    std::unique_ptr<warp_initiator> initiator_;
    client& owner_;
    cause because_;       ///< of the accesses being queued
    cause responded_;     ///< of the last response
    access_queue writes_; ///< and BINDs
    access_queue reads_;
    waiting_access sending_;                   ///< the access that has just left its queue
    ring<word*> destinations_;                 ///< of accesses without a response; null for writes and BINDs
    ring<context> contexts_;                   ///< of the BINDs that are not sent yet
    ring<std::uint16_t> slots_;                ///< of the same BINDs
    ring<std::unique_ptr<block_read>> blocks_; ///< sent, without a response
    std::vector<std::unique_ptr<block_read>> spare_blocks_;
    bool pumping_ = false;
};

} // namespace isbesim

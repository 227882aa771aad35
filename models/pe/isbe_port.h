// The PE's side of one ISBE port: a queue of component accesses and BINDs in front of a warp_initiator, and fences that
// tell when everything queued so far has its response.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/isbe/functional/context.h"
#include "models/pe/isbe_access.h"
#include "tlm/ring.h"
#include "tlm/warp_initiator.h"

namespace isbesim {

class isbe_port final : public isbe_access, private warp_initiator::client {
public:
    class client {
    public:
        virtual ~client() = default;
        /// Everything queued before fence(tag) has its response.
        virtual void responded(std::uint64_t tag) = 0;
        /// Nothing is queued or in flight any more.
        virtual void idle() = 0;
    };

    isbe_port(const std::string& name, warp_initiator::style style, const cycle_clock& clock, client& owner);

    void write(const component_run& run, lane_mask lanes, const per_lane<word>& values) override;
    void read(const component_run& run, lane_mask lanes, word* destination) override;
    /// Ahead of time one transaction (block_read.h).
    void read_all(const std::vector<run_read>& runs) override;
    void bind(std::uint16_t slot, const context& value);
    /// Why what is queued from now on is, and whose it is.
    void act_for(const cause& because) { because_ = because; }
    /// The last response, which is why that happened now which the client is being told.
    const cause& because() const { return responded_; }
    /// responded(tag) will be called later, never from inside this call. Something must be queued or in flight.
    void fence(std::uint64_t tag);

    bool is_idle() const { return done_ == queued_; }
    std::uint64_t pending() const { return queued_ - done_; }
    warp_initiator& initiator() { return initiator_; }

private:
    struct access {
        opcode op = opcode::isbewr;
        component_run run;
        lane_mask lanes = 0;
        cause because;
    };
    struct waiting_access {
        access what;
        per_lane<word> values; ///< of a write
    };
    struct waiting_fence {
        std::uint64_t after = 0; ///< responses received
        std::uint64_t tag = 0;
    };

    /// Now, or as soon as what is before it has been sent. A BIND's context and slot are pushed already.
    void queue(opcode op, const component_run& run, lane_mask lanes, const per_lane<word>& values, word* destination);
    void pump();
    /// Sends it, by pump() or when nothing waits.
    void start(access& what, const per_lane<word>& values);
    void done(std::uint64_t accesses);
    void response(std::uint64_t tag, const warp_op& op, const warp_result& result,
                  const transaction_times& times) override;

    cycle_clock clock_;
    bool ahead_;
    warp_initiator initiator_;
    client& owner_;
    cause because_;              ///< of what is being queued
    cause responded_;            ///< the last response
    ring<waiting_access> queue_; ///< not sent yet
    waiting_access sending_;     ///< has just left queue_
    ring<word*> destinations_;   ///< of all unanswered accesses, null for writes and BIND
    ring<context> contexts_;     ///< of the BINDs in queue_
    ring<std::uint16_t> slots_;  ///< of the BINDs in queue_
    ring<waiting_fence> fences_;
    ring<std::unique_ptr<block_read>> blocks_; ///< sent, without an answer
    std::vector<std::unique_ptr<block_read>> spare_blocks_;
    std::uint64_t queued_ = 0; ///< accesses ever queued
    std::uint64_t done_ = 0;   ///< responses ever received
    bool pumping_ = false;
};

} // namespace isbesim

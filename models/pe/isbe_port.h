// The PE's side of one ISBE port: a queue of component accesses and BINDs in front of a warp_initiator, and fences that
// tell when everything queued so far has its response.
#pragma once

#include <string>

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
    void bind(std::uint16_t slot, const context& value);
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
        per_lane<word> values;
    };
    struct waiting_fence {
        std::uint64_t after = 0; ///< responses received
        std::uint64_t tag = 0;
    };

    void pump();
    void response(std::uint64_t tag, const warp_op& op, const warp_result& result,
                  const transaction_times& times) override;

    warp_initiator initiator_;
    client& owner_;
    ring<access> queue_;        ///< not sent yet
    ring<word*> destinations_;  ///< of all unanswered accesses, null for writes and BIND
    ring<context> contexts_;    ///< of the BINDs in queue_
    ring<std::uint16_t> slots_; ///< of the BINDs in queue_
    ring<waiting_fence> fences_;
    std::uint64_t queued_ = 0; ///< accesses ever queued
    std::uint64_t done_ = 0;   ///< responses ever received
    bool pumping_ = false;
};

} // namespace isbesim

// SPDX-License-Identifier: Apache-2.0
// Advances an rtl_block along simulated time.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "testbench/rtl/rtl_block.h"

namespace isbesim::testbench {

/// The block's state at the start of the current cycle is always up to date after advance_to(cycle): every access to
/// the block in a cycle comes after that call, so the order of callers within a cycle does not matter. An idle block
/// (no request offered, nothing in flight) is not clocked unless its state may change (rtl_block::clocked_when_idle).
/// resp_ready of a port without a response is sometimes 1: a block must not depend on it.
class rtl_clock {
public:
    static constexpr unsigned max_ports = 2;
    /// Far beyond the longest operation of the page (128 passes and a latency of 1000), to allow slower blocks.
    static constexpr std::uint64_t timeout = 100'000;

    /// Receives the events on the pins in a finished cycle.
    class listener {
    public:
        virtual ~listener() = default;
        virtual void request_transferred(unsigned port, std::uint64_t cycle) = 0;
        /// The response of a port was valid in `cycle`, `taken` or held back.
        virtual void response_was_valid(unsigned port, std::uint64_t cycle, bool taken) = 0;
        /// It was valid in the cycle before `cycle`, held back, and is not valid any more.
        virtual void response_withdrawn(unsigned /*port*/, std::uint64_t /*cycle*/) {}
        /// The block failed (rtl_block::failure) at the edge that ended `cycle`, or before its first cycle; called
        /// once.
        virtual void block_failed(std::uint64_t cycle, const std::string& text) = 0;
    };

    rtl_clock(std::unique_ptr<rtl_block> block, unsigned ports, listener& owner);

    void advance_to(std::uint64_t cycle);
    std::uint64_t cycle() const { return cycle_; }
    bool idle() const { return in_flight_ == 0; }
    /// Operations that the block has taken and not answered.
    unsigned unanswered() const
    {
        return in_flight_ - static_cast<unsigned>(std::count(offering_.begin(), offering_.end(), true));
    }
    /// `cycle` is the first one of the block. To be called before anything else.
    void begin_at(std::uint64_t cycle) { cycle_ = cycle; }
    /// Clocks the block in all cycles from now on.
    void clock_when_idle() { every_cycle_ = true; }
    /// Operations are in flight, and for `timeout` clocked cycles no request was taken and no response was valid.
    bool hung() const { return quiet_ >= timeout; }

    /// In the current cycle; the request is withdrawn automatically after its transfer.
    void offer(unsigned port, const warp_op& op);
    bool offering(unsigned port) const { return offering_[port]; }
    bool request_ready(unsigned port) const { return block_->request_ready(port); }
    bool response_valid(unsigned port) const { return block_->response_valid(port); }
    void read_response(unsigned port, warp_result& result) const { block_->read_response(port, result); }
    /// Takes the valid response in the current cycle.
    void take_response(unsigned port);

private:
    void tell_failure(std::uint64_t cycle);
    void drive_ready(const std::array<bool, max_ports>& valid);

    std::unique_ptr<rtl_block> block_;
    unsigned ports_;
    listener& listener_;
    std::uint64_t cycle_ = 0;
    unsigned in_flight_ = 0;  ///< offered, without a response yet
    std::uint64_t quiet_ = 0; ///< cycles clocked with operations in flight since a pin showed progress
    bool every_cycle_;
    bool started_ = false;
    bool failed_ = false;
    std::uint32_t early_ = 1; ///< random; bit p: port p is ready before there is a response
    std::array<bool, max_ports> offering_{};
    std::array<bool, max_ports> taking_{};
    std::array<bool, max_ports> held_{}; ///< the response was valid in the last cycle, and not taken
};

} // namespace isbesim::testbench

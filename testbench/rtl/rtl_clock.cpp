// SPDX-License-Identifier: Apache-2.0
#include "testbench/rtl/rtl_clock.h"

#include <algorithm>
#include <utility>

namespace isbesim::testbench {

rtl_clock::rtl_clock(std::unique_ptr<rtl_block> block, unsigned ports, listener& owner)
    : block_(std::move(block)), ports_(ports), listener_(owner), every_cycle_(block_->clocked_when_idle())
{
}

void rtl_clock::tell_failure(std::uint64_t cycle)
{
    const char* const text = block_->failure();
    if (text == nullptr || failed_) return;
    failed_ = true;
    listener_.block_failed(cycle, text);
}

void rtl_clock::advance_to(std::uint64_t cycle)
{
    if (!std::exchange(started_, true)) tell_failure(cycle_);
    while (cycle_ < cycle) {
        if (idle() && !every_cycle_) {
            cycle_ = cycle;
            block_->idle_until(cycle);
            return;
        }
        std::array<bool, max_ports> transferred{};
        std::array<bool, max_ports> valid{};
        for (unsigned port = 0; port < ports_; ++port) {
            transferred[port] = offering_[port] && block_->request_ready(port);
            valid[port] = block_->response_valid(port);
        }
        const auto taken = taking_;
        drive_ready(valid);
        block_->clock(cycle_);
        for (unsigned port = 0; port < ports_; ++port) {
            if (transferred[port]) {
                offering_[port] = false;
                block_->withdraw(port);
            }
            if (taken[port]) {
                taking_[port] = false;
                --in_flight_;
            }
        }
        const auto moved = [](const auto& flags) { return std::find(flags.begin(), flags.end(), true) != flags.end(); };
        quiet_ = idle() || moved(transferred) || moved(valid) ? 0 : quiet_ + 1;
        const auto over = cycle_++;
        for (unsigned port = 0; port < ports_; ++port) {
            if (transferred[port]) listener_.request_transferred(port, over);
            if (valid[port]) listener_.response_was_valid(port, over, taken[port]);
            if (held_[port] && !valid[port]) listener_.response_withdrawn(port, over);
            held_[port] = valid[port] && !taken[port];
        }
        tell_failure(over);
    }
}

void rtl_clock::drive_ready(const std::array<bool, max_ports>& valid)
{
    // Marsaglia's xorshift, "Xorshift RNGs", 2003.
    early_ ^= early_ << 13U;
    early_ ^= early_ >> 17U;
    early_ ^= early_ << 5U;
    for (unsigned port = 0; port < ports_; ++port)
        block_->set_response_ready(port, valid[port] ? taking_[port] : (early_ >> port & 1U) != 0);
}

void rtl_clock::offer(unsigned port, const warp_op& op)
{
    block_->offer(port, op);
    offering_[port] = true;
    ++in_flight_;
}

void rtl_clock::take_response(unsigned port)
{
    taking_[port] = true;
}

} // namespace isbesim::testbench

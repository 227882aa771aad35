// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traffic/player.h"

#include <utility>

namespace isbesim::testbench {

traffic_player::traffic_player(const sc_core::sc_module_name& name, const cycle_clock& clock, unsigned port,
                               traffic_source& source, traffic_listener& owner)
    : port_player(name, clock, port, owner), source_(source)
{
}

void traffic_player::send_due()
{
    while (!exhausted_ && initiator_.can_send()) {
        if (next_ == nullptr) next_ = source_.draw(port_);
        exhausted_ = next_ == nullptr;
        if (exhausted_) return;
        if (next_->earliest > clock_.now()) {
            wake_in(next_->earliest);
            return;
        }
        const auto& item = *std::exchange(next_, nullptr);
        // The tag carries the hold: the initiator hands it back when it is needed.
        initiator_.send(item.op, item.response_hold);
    }
}

void traffic_player::accepted(std::uint64_t)
{
    // The channel can carry the next item in the next cycle; the initiator sees to that.
    wake();
}

void traffic_player::response(std::uint64_t tag, const warp_op& op, const warp_result& result,
                              const transaction_times& times)
{
    listener_.responded(port_, static_cast<std::uint32_t>(tag), op, result, times);
}

unsigned traffic_player::response_stall(std::uint64_t tag)
{
    return static_cast<unsigned>(tag);
}

} // namespace isbesim::testbench

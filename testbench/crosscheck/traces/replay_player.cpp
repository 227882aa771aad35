// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traces/replay_player.h"

#include <algorithm>

namespace isbesim::testbench {

replay_player::replay_player(const sc_core::sc_module_name& name, const cycle_clock& clock, unsigned initiator,
                             replay_schedule& schedule, traffic_listener& owner)
    : port_player(name, clock, initiator, owner), schedule_(schedule)
{
}

// While the channel is taken this can wait: the acceptance of the request looks for the next one.
void replay_player::ready()
{
    if (initiator_.can_send()) wake_for(schedule_.next_cycle(port_));
}

void replay_player::wake_for(std::uint64_t due)
{
    if (due == replay_schedule::never) return;
    const auto cycle = std::max(due, channel_free_);
    if (cycle > clock_.now())
        wake_in(cycle);
    else
        wake();
}

bool replay_player::sends_in(std::uint64_t cycle) const
{
    return initiator_.can_send() && std::max(schedule_.next_cycle(port_), channel_free_) <= cycle;
}

// What comes first is decided in the cycle of the request, as in an SM and a PE.
void replay_player::send_due()
{
    const auto now = clock_.now();
    const auto due = schedule_.next_cycle(port_);
    if (!initiator_.can_send() || due == replay_schedule::never) return;
    if (std::max(due, channel_free_) > now) return wake_for(due);
    if (due == now && responses_seen_ != now) {
        // A response of this very cycle may bring one that was recorded in front of it.
        responses_seen_ = now;
        return wake();
    }
    const auto number = schedule_.next_operation(port_, now);
    if (other_ != nullptr && other_->sends_in(now) && schedule_.next_operation(other_->port_, now) < number)
        return wake();
    listener_.sent(port_, number, schedule_.recorded_answer(number));
    schedule_.load(number, initiator_.prepare());
    initiator_.send(number);
    schedule_.requested(number, now);
}

void replay_player::accepted(std::uint64_t tag)
{
    channel_free_ = clock_.now() + 1;
    schedule_.accepted(tag, clock_.now());
    wake_for(schedule_.next_cycle(port_));
}

void replay_player::response(std::uint64_t tag, const warp_op& op, const warp_result& result,
                             const transaction_times& times)
{
    hold_ = schedule_.response_hold(tag);
    listener_.responded(port_, hold_, op, result, times);
    schedule_.responded(tag, times.response);
}

} // namespace isbesim::testbench

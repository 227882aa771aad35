// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traces/replay_player.h"

#include <algorithm>

namespace isbesim::testbench {

replay_player::replay_player(const sc_core::sc_module_name& name, const cycle_clock& clock, unsigned port,
                             replay_schedule& schedule, traffic_listener& owner)
    : port_player(name, clock, port, owner), schedule_(schedule)
{
}

// While the channel is taken this can wait: the acceptance of the request looks for the next one.
void replay_player::ready()
{
    if (sending_ || !initiator_.can_send()) return;
    const auto cycle = schedule_.next_cycle(port_);
    if (cycle > clock_.now())
        wake_in(cycle);
    else
        wake();
}

void replay_player::send_due()
{
    while (initiator_.can_send()) {
        const auto cycle = schedule_.next_cycle(port_);
        if (cycle == replay_schedule::never) return;
        if (cycle > clock_.now()) {
            wake_in(cycle);
            return;
        }
        if (cycle == clock_.now() && responses_seen_ != cycle) {
            // A response of this very cycle may bring one that was recorded in front of it.
            responses_seen_ = cycle;
            wake();
            return;
        }
        const auto number = schedule_.next_operation(port_);
        sending_ = true;
        schedule_.requested(number, std::max(clock_.now(), channel_free_));
        sending_ = false;
        listener_.sent(port_, number, schedule_.recorded_answer(number));
        schedule_.load(number, initiator_.prepare());
        initiator_.send(number);
    }
}

void replay_player::accepted(std::uint64_t)
{
    channel_free_ = clock_.now() + 1;
    // What else happens in this cycle brings nothing that is due earlier, but it can bring one that is due now, too.
    if (schedule_.next_cycle(port_) == clock_.now())
        wake();
    else
        send_due();
}

void replay_player::response(std::uint64_t tag, const warp_op& op, const warp_result& result,
                             const transaction_times& times)
{
    hold_ = schedule_.response_hold(tag);
    listener_.responded(port_, hold_, op, result, times);
    schedule_.responded(tag, times.response);
}

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traces/replay_producer.h"

#include <algorithm>

namespace isbesim::testbench {

namespace {

void load(replay_schedule& schedule, traffic_listener& listener, unsigned port, std::uint64_t number, std::uint64_t now,
          warp_op& op)
{
    listener.sent(port, number, schedule.recorded_answer(number));
    op = warp_op{};
    schedule.load(number, op);
    schedule.requested(number, now);
}

} // namespace

std::uint64_t replay_producer::next_cycle() const
{
    if (requesting_) return never;
    return std::max(schedule_.next_cycle(initiator_), channel_free_);
}

bool replay_producer::other_goes_first(std::uint64_t number, std::uint64_t now) const
{
    return other_ != nullptr && other_->next_cycle() <= now &&
           schedule_.next_operation(other_->initiator_, now) < number;
}

// Chooses among the due operations in the cycle of the request, as an SM and a PE do.
std::optional<operation_producer::issued> replay_producer::next(std::uint64_t now, warp_op& op)
{
    if (schedule_.next_cycle(initiator_) == now && responses_seen_ != now) {
        // A response of this cycle may make an operation due that was recorded before it.
        responses_seen_ = now;
        return {};
    }
    const auto number = schedule_.next_operation(initiator_, now);
    if (other_goes_first(number, now)) return {};
    requesting_ = true;
    load(schedule_, listener_, initiator_, number, now, op);
    return issued{number};
}

void replay_producer::accepted(std::uint64_t tag, std::uint64_t now, std::uint64_t next)
{
    requesting_ = false;
    channel_free_ = next;
    schedule_.accepted(tag, now);
}

unsigned replay_producer::responded(std::uint64_t tag, const warp_op& op, const warp_result& result,
                                    const transaction_times& times)
{
    const auto hold = schedule_.response_hold(tag);
    listener_.responded(initiator_, hold, op, result, times);
    schedule_.responded(tag, times.response);
    return hold;
}

std::uint64_t ordered_replay_producer::due(std::uint64_t)
{
    std::uint64_t cycle = never;
    return schedule_.next_in_order(number_, cycle) ? std::max(cycle, channel_free_[port_of(number_)]) : never;
}

unsigned ordered_replay_producer::port_of(std::uint64_t number) const
{
    return std::min(schedule_.initiator_of(number), ports_ - 1);
}

std::optional<operation_producer::issued> ordered_replay_producer::next(std::uint64_t now, warp_op& op)
{
    load(schedule_, listener_, port_of(number_), number_, now, op);
    return issued{number_, port_of(number_)};
}

unsigned ordered_replay_producer::responded(std::uint64_t tag, const warp_op& op, const warp_result& result,
                                            const transaction_times& times)
{
    // Responses leave in port order, so a faster operation waits for the previous one.
    auto& last = last_response_[port_of(tag)];
    auto in_order = times;
    in_order.response = last = std::max(times.response, last);
    listener_.responded(port_of(tag), 0, op, result, in_order);
    schedule_.responded(tag, in_order.response);
    return 0;
}

} // namespace isbesim::testbench

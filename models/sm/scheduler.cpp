// SPDX-License-Identifier: Apache-2.0
#include "models/sm/scheduler.h"

#include <algorithm>

#include "models/sm/sm_observer.h"

namespace isbesim {

scheduler::scheduler(scheduler_rule rule, unsigned warps, const pipe_lanes& pipes, unsigned number)
    : rule_(rule),
      warps_(warps),
      pipes_(pipes),
      number_(number),
      earliest_(warps, never_cycle),
      stall_until_(warps, never_cycle),
      age_(warps, 0),
      needs_queue_(warps, 0),
      unit_(warps, sm_pipe::none),
      last_(warps == 0 ? 0 : warps - 1)
{
}

void scheduler::launch(unsigned position, std::uint64_t age, std::uint64_t now)
{
    advance_to(now);
    // Without a warp, nothing could stall up to and including this cycle.
    if (resident_ == 0) advance_to(now + 1);
    ++resident_;
    age_[position] = age;
    update(position, now, now + 1, now + 1, false);
}

void scheduler::update(unsigned position, std::uint64_t now, std::uint64_t earliest, std::uint64_t stall_until,
                       bool needs_queue, sm_pipe unit)
{
    advance_to(now);
    auto& soonest = needs_queue ? soonest_queued_ : soonest_;
    soonest = std::min(soonest, earliest);
    earliest_[position] = earliest;
    stall_until_[position] = stall_until;
    needs_queue_[position] = needs_queue ? 1 : 0;
    unit_[position] = unit;
}

void scheduler::drain(unsigned position, std::uint64_t now)
{
    update(position, now, never_cycle, never_cycle, false);
}

void scheduler::retire(unsigned position, std::uint64_t now)
{
    drain(position, now);
    --resident_;
}

void scheduler::rewind()
{
    last_ = warps_ == 0 ? 0 : warps_ - 1;
    yielded_ = false;
}

unsigned scheduler::pick(std::uint64_t now, bool queue_full) const
{
    if (soonest(queue_full) > now) return no_warp;
    if (rule_ == scheduler_rule::loose_round_robin) {
        // From the position after the last issuer, round to the last issuer itself. This is all that a yield requires.
        for (unsigned i = 1; i <= warps_; ++i) {
            const unsigned position = last_ + i < warps_ ? last_ + i : last_ + i - warps_;
            if (ready(position, now, queue_full)) return first_in_line(position, now, queue_full);
        }
        return no_warp;
    }
    const bool greedy = warps_ != 0 && ready(last_, now, queue_full);
    if (greedy && !yielded_) return last_;
    unsigned oldest = no_warp;
    for (unsigned position = 0; position < warps_; ++position) {
        if (position == last_ || !ready(position, now, queue_full)) continue;
        if (oldest == no_warp || age_[position] < age_[oldest]) oldest = position;
    }
    return oldest == no_warp && greedy ? last_ : oldest;
}

unsigned scheduler::first_in_line(unsigned position, std::uint64_t now, bool queue_full) const
{
    const auto unit = unit_[position];
    if (!pipes_.shared(unit)) return position;
    for (unsigned other = 0; other < warps_; ++other)
        if (unit_[other] == unit && age_[other] < age_[position] && ready(other, now, queue_full)) position = other;
    return position;
}

std::uint64_t scheduler::age_at_shared_pipe(std::uint64_t now, bool queue_full) const
{
    const unsigned position = pick(now, queue_full);
    return position != no_warp && pipes_.shared(unit_[position]) ? age_[position] : never_cycle;
}

void scheduler::issued(unsigned position, std::uint64_t now, bool yield)
{
    advance_to(now);
    last_ = position;
    yielded_ = yield;
    ++issues_;
    accounted_until_ = now + 1;
}

std::uint64_t scheduler::next_cycle(std::uint64_t now, bool queue_full)
{
    // Sometimes too early while the queue is full. The order in which several SMs wake in a cycle depends on it.
    if (soonest(false) > now) return soonest(false);
    std::uint64_t plain = never_cycle, queued = never_cycle;
    for (unsigned position = 0; position < warps_; ++position) {
        const std::uint64_t needs = needs_queue_[position] != 0 ? never_cycle : 0; // or-ed: such a warp is excluded
        auto earliest = earliest_[position];
        if (pipes_.limited()) earliest = std::max(earliest, pipes_.free_at(number_, unit_[position]));
        plain = std::min(plain, earliest | needs);
        queued = std::min(queued, earliest | ~needs);
    }
    soonest_ = plain;
    soonest_queued_ = queued;
    return std::max(soonest(queue_full), now + 1);
}

cycle_stack scheduler::stack() const
{
    cycle_stack result{"", accounted_until_, 1, {{"issue", issues_}}};
    for (const auto& row : stall_rows)
        if (row.place == stall_place::scheduler) result.parts.push_back({row.name, stalls_[row.reason]});
    result.parts.push_back({"no_warp", empty_});
    return result;
}

void scheduler::advance_to(std::uint64_t now)
{
    if (accounted_until_ >= now) return;
    const std::uint64_t begin = accounted_until_;
    accounted_until_ = now;
    if (resident_ == 0) {
        empty_ += now - begin;
        return;
    }

    // Nothing relevant changed between `begin` and `now`, so each reason starts in one cycle and lasts.
    std::uint64_t queue_from = never_cycle;
    std::uint64_t pipe_from = never_cycle;
    std::uint64_t scoreboard_from = never_cycle;
    for (unsigned position = 0; position < warps_; ++position) {
        scoreboard_from = std::min(scoreboard_from, stall_until_[position]);
        if (needs_queue_[position] != 0)
            queue_from = std::min(queue_from, earliest_[position]);
        else if (pipes_.limited())
            pipe_from = std::min(pipe_from, earliest_[position]);
    }
    const auto add = [&](stall_reason reason, std::uint64_t first, std::uint64_t end) {
        stalls_[reason] += end - first;
        if (observer_ != nullptr && end != first) observer_->stalled(number_, reason, first, end - first);
    };
    const std::uint64_t queue_begin = std::clamp(queue_from, begin, now);
    const std::uint64_t pipe_begin = std::clamp(pipe_from, begin, queue_begin);
    const std::uint64_t scoreboard_begin = std::clamp(scoreboard_from, begin, pipe_begin);
    add(scoreboard_from == never_cycle ? stall_reason::drain : stall_reason::stall_count, begin, scoreboard_begin);
    add(stall_reason::scoreboard, scoreboard_begin, pipe_begin);
    add(stall_reason::pipe, pipe_begin, queue_begin);
    add(stall_reason::attribute_queue, queue_begin, now);
}

} // namespace isbesim

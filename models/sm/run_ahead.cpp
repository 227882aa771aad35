// SPDX-License-Identifier: Apache-2.0
// sm_timing::by_warp: a warp runs from its launch to its end in one call, in its own time.
//
// A warp by itself issues as with by_cycle: stall counts, scoreboards, latencies. Shared resources are work that must
// be done before the warp can end: the instructions of its scheduler's warps, one a cycle, those of its pipes, by their
// lanes, and the passes requested from the ISBE (isbe_extension::busy_until). The model assumes that this work has no
// gaps, so the estimate is too short if neither latency nor work dominates. It charges places for responses as if they
// were always full, so the estimate is too long for bursts that fit into these places.
// tests/pipeline/loosely_timed_test.cpp limits the error.
#include <algorithm>

#include "models/sm/sm.h"

namespace isbesim {

void sm::run_ahead()
{
    const auto now = clock_.now();
    auto next = never_cycle;
    for (std::size_t i = 0; i < ahead_.size();) {
        const auto slot = ahead_[i];
        // A warp that has used its quantum waits until simulated time reaches it.
        if (progress_[slot].resume <= now + 1) run_ahead(slot);
        if (!slots_[slot].drained()) {
            next = std::min(next, progress_[slot].resume - 1);
            ++i;
            continue;
        }
        slots_[slot].complete_at = end_of(slot);
        completing_.push_back(slot);
        ahead_.erase(ahead_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    for (const auto slot : completing_) next = std::min(next, slots_[slot].complete_at);
    if (next != never_cycle) wake(next);
}

void sm::run_ahead(unsigned slot)
{
    auto& warp = slots_[slot];
    auto& own = progress_[slot];
    const auto limit = clock_.now() + config_.quantum;
    const auto passes = own.passes;
    std::uint64_t issued = 0;
    while (!warp.drained()) {
        own.resume = warp.earliest();
        if (own.resume > limit) break;
        own.last = std::max(own.last, own.resume);
        issue_next(warp, slot, own.resume);
        ++issued;
    }
    auto& issuing = issuing_[slot % issuing_.size()];
    issuing = std::max(issuing, clock_.now()) + issued;
    own.issue_until = std::max(own.issue_until, issuing);
    share(own, own.passes - passes);
}

void sm::share(const progress& later, std::uint64_t passes)
{
    const auto now = clock_.now();
    for (const auto slot : completing_) {
        auto& own = progress_[slot];
        auto& end = slots_[slot].complete_at;
        if (end <= now) continue;
        const auto left = own.passes * (end - now) / (end - own.launched);
        own.engine_until =
            std::max(own.engine_until, std::min(own.engine_until + std::min(passes, left), later.engine_until));
        end = end_of(slot);
    }
}

void sm::answer(attribute_operation& operation, std::uint64_t now)
{
    auto& own = progress_[operation.warp];
    operation.issued = now;
    const auto begin = std::max(now + 1, own.port_free);
    auto delay = clock_.until(begin);
    const auto& answered = attributes_.transport(delay);
    const auto response = std::max(clock_.cycle_from(sc_core::sc_time_stamp() + delay), own.responded + 1);
    own.responded = response;
    const auto taken = std::max<std::uint64_t>(answered.result.passes, answered.interval);
    own.port_free = begin + taken;
    own.passes += taken;
    own.engine_until = std::max(own.engine_until, answered.busy_until);
    own.last = std::max(own.last, response);
    if (is_store(operation.op.op))
        slots_[operation.warp].barriers.release(operation.instruction->control.read_barrier,
                                                begin + config_.read_release_latency);
    deliver(operation, answered.result, response);
}

std::uint64_t sm::end_of(unsigned slot) const
{
    const auto& own = progress_[slot];
    // The warp's own time and the passes of others interfere: an eighth of the shorter of them is added.
    const auto alone = own.last - own.launched,
               others = own.engine_until - std::min(own.engine_until, own.launched + own.passes);
    return std::max({own.last, own.issue_until, own.engine_until}) + std::min(alone, others) / 8 + 1;
}

} // namespace isbesim

// SPDX-License-Identifier: Apache-2.0
#include "testbench/analysis/event_relay.h"

namespace isbesim::testbench {

event_relay::event_relay(run_listener& target) : target_(target), relay_([this](const block& full) { deliver(full); })
{
}

void event_relay::deliver(const block& from)
{
    const auto each = [&](const auto& events, auto method) {
        for (const auto& event : events) (target_.*method)(event);
    };
    each(from.transactions, &run_listener::transaction);
    each(from.warps, &run_listener::warp);
    each(from.spaces, &run_listener::space);
    each(from.stalls, &run_listener::stall);
    each(from.waits, &run_listener::wait);
    each(from.traps, &run_listener::trap);
    each(from.batches, &run_listener::batch);
    each(from.outputs, &run_listener::output);
    each(from.levels, &run_listener::level);
}

void event_relay::block::clear()
{
    transactions.clear();
    warps.clear();
    spaces.clear();
    stalls.clear();
    waits.clear();
    traps.clear();
    batches.clear();
    outputs.clear();
    levels.clear();
}

} // namespace isbesim::testbench

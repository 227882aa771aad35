// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traces/wait_set.h"

#include <algorithm>

namespace isbesim::testbench {

wait_set& wait_set::delay(std::int64_t cycles)
{
    for (auto& each : entries_) each.gap += cycles;
    return *this;
}

wait_set& wait_set::add(const entry& one)
{
    // Responses of a queue come in its order: an earlier response with the same gap is never decisive.
    const auto includes = [](const entry& a, const entry& b) {
        if (a.event != b.event || a.queue != b.queue || a.gap < b.gap) return false;
        return a.number == b.number || (a.event == awaited_event::response && a.number > b.number);
    };
    if (std::any_of(entries_.begin(), entries_.end(), [&](const entry& each) { return includes(each, one); }))
        return *this;
    entries_.erase(
        std::remove_if(entries_.begin(), entries_.end(), [&](const entry& each) { return includes(one, each); }),
        entries_.end());
    entries_.push_back(one);
    return *this;
}

wait_set& wait_set::add(const wait_set& others, std::int64_t delay)
{
    for (auto each : others.entries_) {
        each.gap += delay;
        add(each);
    }
    return *this;
}

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
#include "models/sm/warp_slots.h"

#include <algorithm>

namespace isbesim {

warp_slots::warp_slots(unsigned count, unsigned schedulers) : count_(count), schedulers_(schedulers)
{
    for (auto slot = count; slot-- > 0;)
        schedulers_[slot % schedulers].free.push_back(static_cast<std::uint16_t>(slot));
}

std::uint16_t warp_slots::take()
{
    scheduler_slots* best = nullptr;
    for (auto& each : schedulers_)
        if (!each.free.empty() && (best == nullptr || each.taken < best->taken)) best = &each;
    const auto slot = best->free.back();
    best->free.pop_back();
    ++best->taken;
    ++taken_;
    return slot;
}

void warp_slots::rewind()
{
    for (auto& each : schedulers_) std::sort(each.free.rbegin(), each.free.rend());
}

void warp_slots::give_back(std::uint16_t slot)
{
    auto& its = schedulers_[slot % schedulers_.size()];
    its.free.push_back(slot);
    --its.taken;
    --taken_;
}

} // namespace isbesim

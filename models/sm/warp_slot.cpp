// SPDX-License-Identifier: Apache-2.0
#include "models/sm/warp_slot.h"

#include <algorithm>

namespace isbesim {

void warp_slot::launch(const warp_launch& launch, std::uint64_t now)
{
    state.constants = launch.constants;
    state.stage = launch.stage;
    state.textures = launch.textures;
    state.shared.assign(launch.shared_bytes, 0);
    state.windows = launch.windows;
    state.special = launch.special;
    state.launch(*launch.program, launch.lanes, launch.local_bytes);
    barriers.reset();
    registers.reset();
    completion = {};
    fast_geometry = launch.fast_geometry;
    omap = launch.omap;
    stall_until = now + 1;
    outstanding = 0;
    final_lanes = 0;
    finalised = 0;
    emitted = {};
    complete_at = never_cycle;
    stall = path_reason::launch;
    r0 = {};
    fetch();
}

void warp_slot::fetch()
{
    const std::size_t index = state.locate();
    next_ = index == isa::program::npos ? nullptr : &state.code->code[index];
}

bool warp_slot::needs_queue() const
{
    if (final_lanes != 0) return true;
    return next_ != nullptr && next_->issue.latency == isa::latency_class::attribute && !is_nop(*next_);
}

std::uint64_t warp_slot::earliest() const
{
    // The hardware's final OUT reads R0 at the very end of the thread: it waits for R0 regardless of the control words.
    if (final_lanes != 0) return std::max(stall_until, registers.ready(0));
    if (next_ == nullptr) return stall_until; // reported in the cycle in which it would issue
    return std::max(stall_until, barriers.free_at(next_->control.wait_mask));
}

} // namespace isbesim

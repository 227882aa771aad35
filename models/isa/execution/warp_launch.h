// SPDX-License-Identifier: Apache-2.0
// What the PE sends to the SM to start a warp, and what the SM returns at its end. One TLM transaction: BEGIN_REQ
// launches, END_REQ means that the slot is taken, BEGIN_RESP reports completion, END_RESP ends it.
#pragma once

#include "models/attribute/attribute_set.h"
#include "models/isa/execution/executor.h"
#include "tlm/warp_op.h"

namespace isbesim {

struct warp_launch {
    const isa::program* program = nullptr;
    const isa::constant_banks* constants = nullptr;
    isbesim::stage stage = isbesim::stage::none;
    std::uint16_t context = 0; ///< context slot, also the SM's warp slot
    lane_mask lanes = 0;
    unsigned local_bytes = 0;            ///< local memory per thread
    unsigned shared_bytes = 0;           ///< shared memory of the workgroup, which is this warp
    const attribute_set* omap = nullptr; ///< of the program's header, for warnings; null: not known
    isa::address_windows windows;
    texture::texture_unit* textures = nullptr;
    bool fast_geometry = false;
    isa::special_registers special;
};

struct warp_completion {
    per_lane<std::uint16_t> vertex_count{}; ///< geometry: vertices emitted per thread, from the final state
    lane_mask lost = 0;                     ///< geometry: threads whose final state was invalid
    lane_mask stale = 0;                    ///< geometry: ... was older than their last OUT, whose vertices are lost
};

} // namespace isbesim

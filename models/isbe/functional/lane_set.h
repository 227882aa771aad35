// SPDX-License-Identifier: Apache-2.0
// A set of lanes as a truth type of the rules (rules/word_type.h): one calculation decides for all 32 lanes.
#pragma once

#include "tlm/warp_op.h"

namespace isbesim {

struct lane_set {
    lane_mask lanes = 0;

    friend constexpr lane_set operator&(lane_set a, lane_set b) { return {a.lanes & b.lanes}; }
    friend constexpr lane_set operator|(lane_set a, lane_set b) { return {a.lanes | b.lanes}; }
    friend constexpr lane_set operator!(lane_set a) { return {~a.lanes}; }
};

/// For conditions of the whole operation.
constexpr lane_set all_or_none(bool condition)
{
    return {condition ? all_lanes : 0};
}

} // namespace isbesim

// SPDX-License-Identifier: Apache-2.0
// The outcome of an operation, which counters and recorders need besides the resolved operation.
#pragma once

#include <array>

#include "models/isbe/functional/passes.h"
#include "tlm/warp_op.h"

namespace isbesim {

struct executed_op {
    /// The core's member that holds the words that the operation reached.
    enum class path {
        none,     ///< no word: an error, BIND
        uniform,  ///< uniform_access
        resolved, ///< resolved_op, component by component
    };
    path by = path::none;
    lane_mask overwritten_lanes = 0;                ///< lanes that lost a byte or more to another lane
    std::array<pass_count, max_components> count{}; ///< of each component of a resolved operation
    std::array<unsigned, max_components> written{}; ///< bytes that it stored
};

} // namespace isbesim

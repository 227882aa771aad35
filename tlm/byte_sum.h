// SPDX-License-Identifier: Apache-2.0
// The address that a lane of an operation asks for.
#pragma once

#include <cstdint>

#include "tlm/warp_op.h"

namespace isbesim {

/// Ra + immediate of a lane, in bytes, never wrapped.
inline std::int64_t byte_sum(const warp_op& op, unsigned lane)
{
    return std::int64_t{static_cast<std::int32_t>(op.address[lane])} + op.immediate;
}

} // namespace isbesim

// SPDX-License-Identifier: Apache-2.0
// A read of one word by each lane of a mask, at physical addresses that lie a fixed distance apart.
#pragma once

#include "tlm/warp_op.h"

namespace isbesim {

/// Lane i reads the word at byte `address` + i * `stride` into to[i]. Some lane takes part.
struct run_read {
    word address = 0;
    word stride = 4;
    lane_mask lanes = 0;
    word* to = nullptr; ///< must live until the response
};

/// Sets up an operation at such addresses; other fields keep their values.
inline void make_physical(opcode what, const run_read& run, warp_op& op)
{
    op.op = what;
    op.region = region::physical;
    op.size = 4;
    op.lanes = run.lanes;
    for (unsigned lane = 0; lane < warp_lanes; ++lane) op.address[lane] = run.address + lane * run.stride;
}

/// The read as an operation.
inline void make_read(const run_read& run, warp_op& op)
{
    make_physical(opcode::isberd, run, op);
}

/// Stores the returned words in their places. False if the operation was refused.
inline bool finish_read(const run_read& run, const warp_result& result)
{
    auto bad = static_cast<unsigned>(result.error);
    for (const auto status : result.status) bad |= status;
    for (unsigned lane = 0; lane < warp_lanes; ++lane)
        if ((run.lanes >> lane & 1U) != 0) run.to[lane] = result.data[0][lane];
    return bad == 0;
}

} // namespace isbesim

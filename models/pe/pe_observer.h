// SPDX-License-Identifier: Apache-2.0
// Observer interface of the PE, for batches and spaces; costs one null check when unused.
#pragma once

#include <cstdint>

#include "models/isbe/functional/context.h"
#include "models/pe/linking/allocator.h"
#include "models/pe/stream_out/output_order.h"
#include "models/statistics/stall_reason.h"
#include "tlm/warp_op.h"

namespace isbesim {

/// Cycles are clock cycles, `sm` is the number of the SM with its ISBE.
class pe_observer {
public:
    virtual ~pe_observer() = default;
    /// A batch was formed in cycle `cycle`; its fetch ends in cycle `fetched`.
    virtual void batch_formed(unsigned primitives, unsigned vertices, std::uint64_t bytes, std::uint64_t cycle,
                              std::uint64_t fetched) = 0;
    /// A warp of `stage` got lines for its input (space::input) or output; never 0 lines.
    virtual void allocated(unsigned sm, isbesim::stage stage, isbesim::space role, const extent& lines,
                           std::uint64_t cycle) = 0;
    virtual void released(unsigned sm, const extent& lines, std::uint64_t cycle) = 0;
    /// The oldest waiting warp of a stage waited until `cycle`: for lines, for a slot or for both.
    virtual void waited(unsigned sm, const stall_cycles& cycles, std::uint64_t cycle) = 0;
    /// The output of one piece of work was streamed out, in API order.
    virtual void streamed_out(const passed_output& what, std::uint64_t cycle) = 0;
};

} // namespace isbesim

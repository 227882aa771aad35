// SPDX-License-Identifier: Apache-2.0
// Observer interfaces of the PE: of batches and spaces, and of the events that its accesses wait for. Each costs one
// null check when unused.
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

/// Accesses that the PE queues at one place in one cycle, for one warp.
struct pe_act {
    unsigned sm = 0;
    std::uint32_t task = 0;
    std::uint64_t cycle = 0;
    std::uint64_t writes = 0; ///< number of its first write or BIND on that port
    std::uint64_t reads = 0;  ///< number of its first read on that port
};

/// `task` is the index of a warp, which the PE reuses after the last act of that warp.
class work_observer {
public:
    virtual ~work_observer() = default;

    // Events. The actions of the PE until the next event follow from it.

    /// The last fetch has ended.
    virtual void fetched() = 0;
    /// The accesses of fenced() have responded.
    virtual void answered(unsigned sm, std::uint32_t task) = 0;
    /// The warp has ended on the SM.
    virtual void ended(unsigned sm, unsigned slot) = 0;

    // Actions of the PE after an event.

    /// Begins to fetch the next batch, which takes `cycles` cycles.
    virtual void fetches(std::uint64_t cycles) = 0;
    /// A warp was created, which waits for space from now on.
    virtual void created(std::uint32_t task) = 0;
    /// The warp has got its space; an act follows.
    virtual void begins(std::uint32_t task) = 0;
    virtual void acts(const pe_act& act) = 0;
    /// The warp continues when access `last`, counted like those of an act, has responded.
    virtual void fenced(unsigned sm, std::uint32_t task, bool reads, std::uint64_t last) = 0;
};

} // namespace isbesim

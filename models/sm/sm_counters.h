// SPDX-License-Identifier: Apache-2.0
// The counters of one SM. Counters of several SMs are merged by their figures (models/statistics/statistic.h).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/isbe/functional/context.h"
#include "models/sm/scheduler.h"
#include "models/sm/warnings/warning_table.h"
#include "models/statistics/latency_histogram.h"
#include "models/statistics/stall_reason.h"
#include "models/statistics/time_weighted.h"
#include "tlm/warp_op.h"

namespace isbesim {

/// One trap raised by a warp instruction; the warp continues.
struct trap_record {
    std::uint8_t code; ///< HARDWARE.md E.5
    isbesim::stage stage;
    unsigned warp;       ///< warp slot
    lane_mask lanes;     ///< lanes that raised it
    std::uint32_t pc;    ///< byte address of the instruction
    std::uint64_t cycle; ///< in which it reached the SM
};

struct sm_counters {
    static constexpr std::size_t trap_limit = 1024; ///< records kept; trap_count counts all

    std::array<std::uint64_t, opcode_count> instructions{}; ///< warp instructions issued, per attribute opcode
    std::uint64_t instructions_other = 0;
    std::uint64_t final_outs = 0; ///< OUT operations that EXIT of a geometry warp issued; not in `instructions`
    /// Cycles from issue to the cycle of the write-back (loads, AL2P, OUT) or of the ISBE's response (stores), of warp
    /// instructions with at least one active lane and without a trap. Includes time in the attribute queue.
    std::array<latency_histogram, opcode_count> latency;
    stall_cycles stalls{}; ///< scheduler cycles without an issue, by stall_reason
    std::uint64_t warps_launched = 0;
    std::array<std::uint64_t, stage_count> threads{}; ///< lanes launched, per stage
    time_weighted warps;                              ///< resident warps, launch to completion
    time_weighted attribute_queue;                    ///< places taken; not with sm_timing::by_warp
    std::vector<trap_record> traps;                   ///< the first trap_limit
    std::uint64_t trap_count = 0;
    warning_table warnings;

    void add_trap(const trap_record& trap);
};

template <typename Counters>
struct statistic;
/// The figures that reports show.
std::vector<statistic<sm_counters>> sm_statistics();

} // namespace isbesim

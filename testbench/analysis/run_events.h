// SPDX-License-Identifier: Apache-2.0
// Records of the events of a run: the database stores them, the timeline draws them and the series add them up.
#pragma once

#include <array>
#include <cstdint>

#include "models/isbe/functional/context.h"
#include "models/pe/linking/allocator.h"
#include "models/pe/stream_out/output_order.h"
#include "models/sm/scheduler.h"
#include "models/sm/sm_counters.h"
#include "models/statistics/stall_reason.h"
#include "tlm/access_footprint.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

/// A cycle that never came, or an absent number.
inline constexpr std::uint64_t no_value = UINT64_MAX;

/// One operation of an ISBE port, reported after its last phase. Cycles that never came are `no_value`.
struct transaction_event {
    unsigned sm = 0;
    unsigned port = 0;
    bool from_sm = false; ///< sent by the SM; otherwise by the PE or the replayer
    opcode op = opcode::ald;
    isbesim::space space = isbesim::space::input;
    isbesim::region region = isbesim::region::attr;
    address_form form = address_form::logical;
    std::uint8_t size = 0;
    std::uint16_t context = 0;
    lane_mask lanes = 0;
    std::int64_t address = 0; ///< bytes, of the first active lane
    op_error error = op_error::none;
    std::uint16_t status = 0; ///< lane_status bits of any lane

    std::uint64_t warp = no_value; ///< number of the launch
    isbesim::stage stage = isbesim::stage::none;
    std::uint32_t pc = 0;
    bool instruction = false; ///< its response completes an instruction: a vector's last does, EXIT's OUT does not

    std::uint64_t issued = no_value;   ///< at the SM
    std::uint64_t begin = no_value;    ///< BEGIN_REQ
    std::uint64_t accept = no_value;   ///< END_REQ
    std::uint64_t grant = no_value;    ///< first bank pass
    std::uint64_t response = no_value; ///< BEGIN_RESP
    std::uint64_t end = no_value;      ///< END_RESP
    std::uint64_t written = no_value;  ///< write-back at the SM
    unsigned passes = 0;
    access_footprint footprint;
};

/// One warp, from launch to completion. `*_order` number the begins and ends of all warps and spaces in sequence, so
/// that they are ordered within a cycle, too.
struct warp_event {
    std::uint64_t number = 0; ///< of the launch, among all SMs
    unsigned sm = 0;
    unsigned slot = 0;
    isbesim::stage stage = isbesim::stage::none;
    lane_mask lanes = 0;
    lane_mask lost = 0; ///< geometry threads that ended with an invalid state
    std::uint64_t launched = 0;
    std::uint64_t completed = no_value;
    std::uint64_t launch_order = 0;
    std::uint64_t complete_order = no_value;
    std::array<std::uint64_t, opcode_count> instructions{}; ///< issued, of the attribute path
    std::uint64_t instructions_other = 0;
    /// Cycles until the issue of each instruction, by the last reason for its delay: its predecessor's stall count, a
    /// scoreboard, its pipe, or the scheduler and the attribute queue.
    std::uint64_t stall_count_cycles = 0;
    std::uint64_t scoreboard_cycles = 0;
    std::uint64_t pipe_cycles = 0;
    std::uint64_t issue_cycles = 0;
    std::uint64_t last_issue = 0;
};

/// One issued warp instruction. Without delays it would have issued in cycle `first`.
struct instruction_event {
    unsigned sm = 0;
    unsigned slot = 0;
    std::uint64_t warp = 0; ///< number of the launch
    isbesim::stage stage = isbesim::stage::none;
    std::uint32_t pc = 0;
    std::uint64_t first = 0;            ///< cycle after the previous issue, or after the launch
    std::uint64_t stall_until = 0;      ///< end of its predecessor's stall count
    std::uint64_t scoreboard_until = 0; ///< release of its scoreboards
    std::uint64_t pipe_until = 0;       ///< end of the instruction that occupied its pipe
    std::uint64_t issued = 0;
    std::uint64_t ready = no_value; ///< its result is available; no_value: its transactions tell
};

/// A resource of an SM and its ISBE.
enum class level_kind : std::uint8_t { lines, warps };

/// A change of a resource in use, reported when it happens.
struct level_event {
    level_kind kind = level_kind::lines;
    unsigned sm = 0;
    std::uint64_t cycle = 0;
    std::int64_t change = 0;
};

/// ISBE lines in use by one space.
struct space_event {
    unsigned sm = 0;
    isbesim::stage stage = isbesim::stage::none; ///< of the warp that owns them
    space role = space::output;
    extent lines;
    std::uint64_t allocated = 0;
    std::uint64_t released = no_value;
    std::uint64_t allocate_order = 0;
    std::uint64_t release_order = no_value;
};

/// A scheduler issued nothing.
struct stall_event {
    unsigned sm = 0;
    unsigned scheduler = 0;
    stall_reason reason = stall_reason::drain;
    std::uint64_t first = 0; ///< cycle
    std::uint64_t cycles = 0;
};

/// The oldest warp of a stage waited for space, until `cycle`.
struct wait_event {
    unsigned sm = 0;
    std::uint64_t cycle = 0;
    stall_cycles cycles; ///< of the reasons that the PE counts
};

struct trap_event {
    unsigned sm = 0;
    std::uint64_t warp = no_value; ///< number of the launch
    trap_record trap;
};

/// The PE fetched a batch.
struct batch_event {
    std::uint64_t number = 0;
    unsigned primitives = 0;
    unsigned vertices = 0;
    std::uint64_t bytes = 0;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

/// Primitives left the PE in API order.
struct output_event : passed_output {
    std::uint64_t cycle = 0;
};

/// Receives the records of a run. References are valid during the call.
class run_listener {
public:
    virtual ~run_listener() = default;
    /// An operation holds the pass engine for `passes` cycles from `cycle` on.
    virtual void granted(std::uint64_t /*cycle*/, unsigned /*passes*/, const access_footprint&) {}
#define ISBESIM_EVENT(name)                                                                                            \
    virtual void name(const name##_event&) {}
#include "testbench/analysis/run_events.inc"
    /// For listeners that follow instructions: a warp's event at its launch, without the members of its end.
    virtual void launched(const warp_event&) {}
    virtual void instruction(const instruction_event&) {}
};

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
// The parts of a draw's critical path: the reasons for the cycles between an event and the event that it waited for. A
// new reason needs an enumerator with its row here, and the code that attaches it to an event; reports use the rows.
#pragma once

#include <cstdint>

#include "tlm/enum_table.h"
#include "tlm/stage.h"

namespace isbesim {

/// In the order of report.json.
enum class path_reason : std::uint8_t {
    none, ///< no cycle: the event follows at once
    front_end,
    fetch,
    geometry_threads,
    launch,
    issue,
    stall_count,
    issue_slot,
    alu_latency,
    variable_latency,
    memory_latency,
    global_latency,
    texture_latency,
    global_memory,
    pipe,
    read_release,
    write_back,
    attribute_queue,
    attribute_unit,
    request_channel,
    request_queue,
    grant,
    responses_full,
    passes,
    bank_conflict,
    pipeline_latency,
    write_latency,
    al2p_latency,
    out_latency,
    response_channel,
    consumer,
    completion,
    back_end,
    isbe_lines,
    warp_slot,
    unexplained,
};
inline constexpr auto last_path_reason = path_reason::unexplained;
inline constexpr unsigned path_reason_count = enum_count<last_path_reason>;

struct path_row {
    path_reason reason;
    const char* name; ///< in every output
    const char* description;
};

inline constexpr std::array<path_row, path_reason_count> path_rows{{
    {path_reason::none, "none", "one event follows from the other in the same cycle"},
    {path_reason::front_end, "front_end",
     "the front end of the chip reads draws and deals the batches before (chip.primitives_per_cycle, chip.*_cycles)"},
    {path_reason::fetch, "fetch", "vertex data on its way (pe.fetch_bytes_per_cycle, memory.model)"},
    {path_reason::geometry_threads, "geometry_threads",
     "the PE starts the geometry threads before (pe.geometry_threads_per_cycle)"},
    {path_reason::launch, "launch", "from the launch of a warp to its first issue"},
    {path_reason::issue, "issue", "from an instruction of a warp to its next, one a cycle"},
    {path_reason::stall_count, "stall_count", "... with the stall count of its control word"},
    {path_reason::issue_slot, "issue_slot", "the scheduler issued another warp in the cycle before"},
    {path_reason::alu_latency, "alu_latency",
     "fixed-latency arithmetic (SM50: sm.alu_latency, later a table), by a scoreboard"},
    {path_reason::variable_latency, "variable_latency", "sm.variable_latency, by a scoreboard"},
    {path_reason::memory_latency, "memory_latency", "sm.memory_latency (LDL, LDC), by a scoreboard"},
    {path_reason::global_latency, "global_latency", "sm.global_latency, by a scoreboard"},
    {path_reason::texture_latency, "texture_latency", "sm.texture_latency, by a scoreboard"},
    {path_reason::global_memory, "global_memory", "what the memory beyond the ISBE adds (memory.*)"},
    {path_reason::pipe, "pipe", "the instruction's pipe was taken by the one before (sm.*_lanes)"},
    {path_reason::read_release, "read_release", "sm.read_release_latency, by a read scoreboard"},
    {path_reason::write_back, "write_back", "from the ISBE's answer to the release of the scoreboard"},
    {path_reason::attribute_queue, "attribute_queue", "a place in the attribute queue came free in the cycle before"},
    {path_reason::attribute_unit, "attribute_unit", "from the issue of an operation to the ISBE's port"},
    {path_reason::request_channel, "request_channel", "one request a cycle and port: the one before had the channel"},
    {path_reason::request_queue, "request_queue", "a place in the port's request queue came free in the cycle before"},
    {path_reason::grant, "grant", "from the request's transfer to its grant"},
    {path_reason::responses_full, "responses_full", "a response left: isbe.response_queue_depth were in flight"},
    {path_reason::passes, "passes", "passes that an operation without conflicts takes"},
    {path_reason::bank_conflict, "bank_conflict", "passes beyond those"},
    {path_reason::pipeline_latency, "pipeline_latency", "isbe.pipeline_latency (ALD, ISBERD)"},
    {path_reason::write_latency, "write_latency", "isbe.write_latency (AST, ISBEWR, BIND)"},
    {path_reason::al2p_latency, "al2p_latency", "isbe.al2p_latency"},
    {path_reason::out_latency, "out_latency", "isbe.out_latency"},
    {path_reason::response_channel, "response_channel",
     "one response a cycle and port: the one before had the channel"},
    {path_reason::consumer, "consumer", "a response waited until it was taken"},
    {path_reason::completion, "completion", "from the last answer or instruction of a warp to its completion"},
    {path_reason::back_end, "back_end",
     "vertices and primitives before have not left yet (pe.vertices_per_cycle, chip.gpc_*_per_cycle)"},
    {path_reason::isbe_lines, "isbe_lines", "no cycles, a count: a warp waited until others gave back ISBE lines"},
    {path_reason::warp_slot, "warp_slot", "no cycles, a count: a warp waited until another gave back a warp slot"},
    {path_reason::unexplained, "unexplained", "a fault of this account; never occurs"},
}};
static_assert(covers_enum<last_path_reason>(path_rows, &path_row::reason), "a row for every reason, in their order");

constexpr const char* name_of(path_reason reason)
{
    return path_rows[static_cast<unsigned>(reason)].name;
}

/// The owner of an event: a stage, and a part of a warp's life.
struct path_place {
    enum class part : std::uint8_t {
        program, ///< on the SM
        input,   ///< the PE writes the warp's input and its context
        output,  ///< the PE reads the warp's output
    };

    isbesim::stage stage = isbesim::stage::none;
    part of = part::program;
};
inline constexpr unsigned path_part_count = 3;

} // namespace isbesim

// SPDX-License-Identifier: Apache-2.0
// Reasons for which a component with work to do loses a cycle: one list for all code that counts or shows such cycles.
// A new reason needs an enumerator with its row here, and the code that counts it.
#pragma once

#include <cstdint>

#include "tlm/enum_table.h"

namespace isbesim {

/// In the order of report.json. An enumerator has its name in the report.
enum class stall_reason : std::uint8_t {
    isbe_full,
    warp_slot,
    lines_and_slot,
    queue_full,
    port_contention,
    bank_conflict,
    response,
    // A scheduler counts the first of these that applies.
    attribute_queue,
    pipe,
    scoreboard,
    stall_count,
    drain,
};
inline constexpr auto last_stall_reason = stall_reason::drain;
inline constexpr unsigned stall_reason_count = enum_count<last_stall_reason>;

/// Cycles by reason.
using stall_cycles = enum_array<last_stall_reason, std::uint64_t>;

/// The component that loses the cycle. Schedulers are also shown over time (series, database, timeline), the PE in
/// columns of the database's table `waits`; the cycles of ports follow there from the phases of the transactions.
enum class stall_place : std::uint8_t { pe, port, scheduler };

struct stall_row {
    stall_reason reason;
    const char* name; ///< in every output
    stall_place place;
    const char* description;
    const char* short_text; ///< in the report's paragraph on stalls; neighbours with the same text are named together
};

inline constexpr const char* no_space_text =
    "the PE's oldest waiting warp of a stage found no lines / no slot / neither";
inline constexpr const char* no_issue_text = "scheduler cycles with resident warps and no issue, by reason";

inline constexpr std::array<stall_row, stall_reason_count> stall_rows{{
    {stall_reason::isbe_full, "isbe_full", stall_place::pe,
     "cycles in which the oldest waiting warp of a stage found a warp slot, but no ISBE lines", no_space_text},
    {stall_reason::warp_slot, "warp_slot", stall_place::pe,
     "cycles in which the oldest waiting warp of a stage found lines, but no warp slot", no_space_text},
    {stall_reason::lines_and_slot, "lines_and_slot", stall_place::pe,
     "cycles in which the oldest waiting warp of a stage found neither ISBE lines nor a warp slot", no_space_text},
    {stall_reason::queue_full, "queue_full", stall_place::port,
     "cycles that requests waited for a place in a port's queue (END_REQ - BEGIN_REQ)",
     "requests waited for a place in a port's queue"},
    {stall_reason::port_contention, "port_contention", stall_place::port,
     "cycles in which a request could have been granted, but the other port was, or the other client had the shared "
     "port",
     "the other port was granted instead, or the shared port was taken"},
    {stall_reason::bank_conflict, "bank_conflict", stall_place::port,
     "bank passes beyond those of lanes without conflicts", "passes beyond the ideal"},
    {stall_reason::response, "response", stall_place::port,
     "cycles that responses waited at a port until they were taken", "responses waited for their consumer"},
    {stall_reason::attribute_queue, "attribute_queue", stall_place::scheduler,
     "scheduler cycles without an issue: a warp could issue but for a place in the attribute queue", no_issue_text},
    {stall_reason::pipe, "pipe", stall_place::scheduler,
     "scheduler cycles without an issue: a warp could issue but for its instruction's pipe", no_issue_text},
    {stall_reason::scoreboard, "scoreboard", stall_place::scheduler,
     "scheduler cycles without an issue: a warp's stall count is over, it waits for a scoreboard", no_issue_text},
    {stall_reason::stall_count, "stall_count", stall_place::scheduler,
     "scheduler cycles without an issue: all warps wait for the stall counts of their control words", no_issue_text},
    {stall_reason::drain, "drain", stall_place::scheduler,
     "scheduler cycles without an issue: all warps have ended and wait for the ISBE to respond", no_issue_text},
}};
static_assert(covers_enum<last_stall_reason>(stall_rows, &stall_row::reason), "a row for every reason, in their order");

constexpr const char* name_of(stall_reason reason)
{
    return stall_rows[static_cast<unsigned>(reason)].name;
}

} // namespace isbesim

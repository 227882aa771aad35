// SPDX-License-Identifier: Apache-2.0
// Minimum cycles between two instructions of which the first has a fixed latency. They depend on the pipes of both
// instructions. The hazard check, issue and schedule() use them.
//
// The tables are those that Mesa's NAK has from NVIDIA (HARDWARE.md F.4): Turing's for SM75 (sm75_instr_latencies.rs),
// Ampere's for SM86 and SM89 (sm80_instr_latencies.rs), Blackwell's for SM120 (sm120_instr_latencies.rs). SM50 has no
// such table: its rows are all pipe::tracked, and their one latency comes from the machine.
#pragma once

#include <vector>

#include "models/isa/program.h"

namespace isbesim::isa {

enum class register_file : std::uint8_t { vector, predicate, uniform, uniform_predicate };

/// For a first instruction of pipe::tracked these are 0 and 1: its scoreboard determines the time.
unsigned read_after_write(latency_table table, register_file file, pipe writer, pipe reader);
/// `guarded`: the first instruction has a guard predicate.
unsigned write_after_write(latency_table table, register_file file, pipe first, pipe second, bool guarded);
unsigned write_after_read(latency_table table, register_file file, pipe reader, pipe writer);

/// Largest entries: of all tables, and of write_after_read.
inline constexpr unsigned longest_latency = 16, longest_read = 3;

/// True if the table determines when results can be used.
inline bool has_fixed_latency(const issue_info& info)
{
    return info.latency == latency_class::alu && info.pipe != pipe::tracked;
}

/// A late reader of vector registers, for results whose readers are unknown.
inline pipe late_reader(latency_table table)
{
    return table == latency_table::turing ? pipe::tracked : pipe::real_double;
}

/// Cycles until a result in vector registers can leave the SM's own pipes, and releases a scoreboard.
inline unsigned result_latency(const issue_info& info)
{
    return read_after_write(info.table, register_file::vector, info.pipe, late_reader(info.table));
}

/// The pipe of the SM whose lanes an instruction occupies. `wide`: one of its operands is a pair of registers.
sm_pipe unit_of(const opcode_row& row, bool wide);

/// Sets pipe and table of all rows of an architecture that has a table.
void assign_pipes(architecture arch, std::vector<opcode_row>& rows);

} // namespace isbesim::isa

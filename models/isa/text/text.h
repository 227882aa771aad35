// SPDX-License-Identifier: Apache-2.0
// Program text: nvdisasm's form of an instruction plus the scheduling notation of the instruction pages, both ways.
//
//   /*0008*/ @!P0 ALD.128 R4, a[0x80], R9 &req=0x01 &rd=1 &wr=0 ?stall=2 ?yield ;
//
// `&req=` scoreboards to wait for, `&rd=` / `&wr=` scoreboard released after operand read / write-back, `?stall=`
// cycles, `?yield` control bit 4 set. Two more annotations keep every bit of a binary: `?reuse=` reuse flags that fall
// on no printed operand, `?word=` the whole word if the text alone would assemble to another word.
#pragma once

#include <string>
#include <string_view>

#include "models/isa/program.h"

namespace isbesim::isa {

/// The signs that a lane of a quad gives to its two summands: plus, minus, or zero for the first.
inline constexpr const char* quad_sign_names[] = {"PP", "PN", "NP", "ZP"};

/// One line per instruction, so that assemble(disassemble(x)) == x bit for bit, control words included.
std::string disassemble(const program& code);

/// The instruction as nvdisasm prints it: guard, mnemonic, operands; no address, scheduling or semicolon.
std::string instruction_text(const instruction& shown);

/// The scheduling annotations of one instruction, without leading blank.
std::string control_text(const control& scheduling);

struct assemble_options {
    bool auto_schedule = false; ///< replace all scheduling by safe values (schedule.h)
};

/// Assembles program text. Statements end with `;` or the line; `//`, `#` and `/* */` are comments, as is a leading
/// address; `name:` defines a label for branch targets. Scheduling left out means wait for nothing, stall 1. Throws
/// program_error with line, column and the expectation.
program assemble(std::string_view text, architecture arch, const assemble_options& options = {});

} // namespace isbesim::isa

// SPDX-License-Identifier: Apache-2.0
// One instruction word to a decoded instruction and back, driven by the table.
#pragma once

#include <string>

#include "models/isa/tables/table.h"

namespace isbesim::isa {

/// Decodes `word` at byte address `address`. Throws program_error, naming both, when no row matches.
instruction decode_instruction(architecture arch, const encoding& word, std::uint32_t address);

/// The word that the decoded fields describe. Bits that no field covers are the canonical ones, so that for every word
/// without ignored bits encode_instruction(decode_instruction(w)) == w.
encoding encode_instruction(architecture arch, const instruction& decoded);

/// Bits of the instruction's word that are set and that the instruction does not look at. Those that compilers fill
/// differently (opcode_row::ignored) are left out.
encoding ignored_bits(architecture arch, const instruction& decoded);

/// Registers that an operand names: `count` from `first`, none for RZ. Low register bits are dropped where the opcode
/// does so.
register_range registers_of(const instruction& decoded, const operand_spec& spec);

/// The description of an operand whose low register bits are dropped although they are not 0 (HARDWARE.md E.6, E2); ""
/// where none are.
std::string misaligned_register(const instruction& decoded, const operand_spec& spec);

/// Fills instruction::issue from row and operands.
void describe_issue(instruction& decoded);

} // namespace isbesim::isa

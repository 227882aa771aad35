// SPDX-License-Identifier: Apache-2.0
// The registers that a decoded instruction reads and writes.
#pragma once

#include "models/isa/opcode_row.h"

namespace isbesim::isa {

/// Number of registers that an operand names, including RZ.
unsigned words_of(const instruction& decoded, extent wide);

/// Registers that an operand names: `count` from `first`, none for RZ. Low register bits are dropped if the opcode does
/// so.
register_range registers_of(const instruction& decoded, const operand_spec& spec);

/// The type of an atomic, as SM75 numbers it.
unsigned atomic_type(const instruction& decoded);

/// Registers of a value of that type: 2 for U64, S64 and F64.
unsigned words_of_atomic(unsigned type);

/// Fills instruction::issue from row and operands.
void describe_issue(instruction& decoded);

} // namespace isbesim::isa

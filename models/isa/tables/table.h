// SPDX-License-Identifier: Apache-2.0
// The instruction table: the rows of an architecture, and the row that a word matches.
#pragma once

#include <vector>

#include "models/isa/opcode_row.h"

namespace isbesim::isa {

/// All rows of an architecture, most specific first. Built by the first call.
const std::vector<opcode_row>& instruction_table(architecture arch);

/// The row that a word matches exactly, otherwise the row that it matches apart from reserved bits; null if none does.
const opcode_row* find_row(architecture arch, const encoding& word);

/// Adds one row. `opcode` holds the bits that no field covers; the row's mask follows from its fields. Throws
/// std::logic_error if two fields share a bit or an opcode bit is inside a field.
void append_row(std::vector<opcode_row>& out, architecture arch, const encoding& opcode, opcode_row row);

/// The positions of the guard predicate and its negation.
field guard_field(architecture arch);
unsigned guard_not_bit(architecture arch);

// Bits that have no effect on an instruction.
//
// A word matches a row if all its bits belong to fields or equal the row's opcode bits. Other words are read as by the
// vendor's disassembler: bits that no field uses and that distinguish no instructions have no effect. A word matches a
// row with such bits set, but not with a fixed bit cleared, if these bits
//   - are outside the opcode: bits 63:51 of SM50; bits 11:0 of SM75, and bit 91, which brings in uniform registers;
//   - are neither part of a field nor set in any other row of the same opcode, which they could mean;
//   - are not listed in opcode_row::meaning: bits of modifiers that the vendor has and the tables lack.
// The row with the fewest of these bits is taken, on a tie the first. The bits stay in instruction::word, and a program
// that has any gets one warning (warn_of_ignored_bits in binary.h).

/// Bits of a row of the architecture's table that may be set and have no effect.
encoding reserved_bits(architecture arch, const opcode_row& row);

} // namespace isbesim::isa

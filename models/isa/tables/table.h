// SPDX-License-Identifier: Apache-2.0
// The instruction table: the rows of an architecture, and the row that a word matches.
#pragma once

#include <vector>

#include "models/isa/opcode_row.h"

namespace isbesim::isa {

/// All rows of an architecture, most specific first. Built by the first call.
const std::vector<opcode_row>& instruction_table(architecture arch);

/// The row that a word matches apart from reserved bits, or null.
const opcode_row* find_row(architecture arch, const encoding& word);

/// Adds one row. `opcode` holds the bits that no field covers; the row's mask follows from its fields. Throws
/// std::logic_error if two fields share a bit or an opcode bit is inside a field.
void append_row(std::vector<opcode_row>& out, architecture arch, const encoding& opcode, opcode_row row);

/// The positions of the guard predicate and its negation.
field guard_field(architecture arch);
unsigned guard_not_bit(architecture arch);

} // namespace isbesim::isa

// Operands that both instruction tables are written with.
#pragma once

#include "models/isa/table.h"

namespace isbesim::isa {

/// A register that is read; with `optional`, RZ is left out.
operand_spec register_source(slot where, field bits, extent wide = extent::one, bool optional = false);
operand_spec register_result(field bits, extent wide = extent::one);

operand_spec predicate_result(slot where, unsigned low, bool optional = false);
operand_spec predicate_source(slot where, unsigned low, unsigned not_bit);
operand_spec small(slot where, field bits, form kind = form::unsigned_word);
operand_spec literal(const char* text);
operand_spec address(form kind, field base, field offset);

/// The operand of a slot. Throws std::logic_error where the row has none.
operand_spec& operand_at(opcode_row& row, slot where);

} // namespace isbesim::isa

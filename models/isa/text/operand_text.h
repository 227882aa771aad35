// SPDX-License-Identifier: Apache-2.0
// Reads one operand of program text according to its table entry.
#pragma once

#include "models/isa/text/statement.h"

namespace isbesim::isa {

/// P0..P6 or PT.
std::uint8_t read_predicate(cursor& at);

/// UP0..UP6 or UPT.
std::uint8_t read_uniform_predicate(cursor& at);

/// Reads the operand into its slot; also sets .CC and the reuse flags of `result`.
void read_operand(cursor& at, architecture arch, const operand_spec& spec, instruction& result,
                  const label_map* labels);

} // namespace isbesim::isa

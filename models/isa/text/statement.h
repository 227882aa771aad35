// SPDX-License-Identifier: Apache-2.0
// One statement of program text: guard, mnemonic, operands, annotations.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "models/isa/opcode_row.h"
#include "models/isa/text/cursor.h"

namespace isbesim::isa {

/// Branch targets by name; null in the first pass, which collects them and accepts any name.
using label_map = std::map<std::string, std::uint32_t, std::less<>>;

/// Reads one instruction with its annotations, up to but not including `;` or the end of the line. Appends warnings to
/// `warnings`, unless that is null.
instruction parse_statement(cursor& at, architecture arch, std::uint32_t address, const label_map* labels,
                            std::vector<program_warning>* warnings = nullptr);

/// The same for a text that holds nothing else.
instruction parse_instruction(std::string_view text, architecture arch, std::uint32_t address);

/// Whether an optional operand has the value that it has when left out.
bool is_default(const operand_spec& spec, const operand& value);

/// Suffix that names a half or byte of a register: H1, B2.
std::string part_name(const instruction& shown, const operand_spec& spec, unsigned part);

} // namespace isbesim::isa

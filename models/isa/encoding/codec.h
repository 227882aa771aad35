// SPDX-License-Identifier: Apache-2.0
// Decodes an instruction word by the table, and encodes it again.
#pragma once

#include <string>
#include <vector>

#include "models/isa/opcode_row.h"

namespace isbesim::isa {

/// Decodes `word` at byte address `address`. Throws program_error, naming both, when no row matches.
instruction decode_instruction(architecture arch, const encoding& word, std::uint32_t address);

/// The word that the decoded fields describe. Bits that no field covers have their canonical values, so that for every
/// word without ignored bits encode_instruction(decode_instruction(w)) == w.
encoding encode_instruction(architecture arch, const instruction& decoded);

/// Bits of the instruction's word that are set but have no effect, without those that compilers fill differently
/// (opcode_row::ignored).
encoding ignored_bits(architecture arch, const instruction& decoded);

struct broken_rule {
    const char* kind; ///< one word, for scripts
    slot where;       ///< of the operand
    std::string text;
};

std::vector<broken_rule> broken_rules(const instruction& decoded, architecture arch);

/// Adds a warning for every rule that an instruction breaks.
void warn_of_broken_rules(program& code);

} // namespace isbesim::isa

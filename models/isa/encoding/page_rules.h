// SPDX-License-Identifier: Apache-2.0
// Rules of the instructions' pages that an encoding can break: such an instruction keeps its bits and is warned of, by
// the assembler and where a program is read for a run.
#pragma once

#include <string>
#include <vector>

#include "models/isa/opcode_row.h"

namespace isbesim::isa {

struct broken_rule {
    const char* kind; ///< one word, for scripts
    slot where;       ///< of the operand
    std::string text;
};

std::vector<broken_rule> broken_rules(const instruction& decoded, architecture arch);

/// Adds a warning for every rule that an instruction breaks.
void warn_of_broken_rules(program& code);

} // namespace isbesim::isa

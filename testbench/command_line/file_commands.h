// SPDX-License-Identifier: Apache-2.0
// The subcommands that only look at files: disasm, asm, layout.
#pragma once

#include "models/isa/program.h"

namespace isbesim::testbench {

class command_arguments;

/// What --arch says. Throws input_error where it is missing or no architecture.
isa::architecture architecture_of(const command_arguments& arguments);

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
// The subcommands that only process files: disasm, asm, layout.
#pragma once

#include "models/isa/program.h"

namespace isbesim::testbench {

class command_arguments;

/// The architecture of --arch. Throws input_error if it is missing or unknown.
isa::architecture architecture_of(const command_arguments& arguments);

} // namespace isbesim::testbench

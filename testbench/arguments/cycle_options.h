// SPDX-License-Identifier: Apache-2.0
// FIRST:LAST, the cycles that an option of a command is about.
#pragma once

#include <cstdint>

#include "testbench/arguments/command_arguments.h"

namespace isbesim::testbench {

/// Inclusive. Throws input_error at the option when it says anything else.
void read_cycles(const command_arguments& arguments, const char* option, std::uint64_t& first, std::uint64_t& last);

} // namespace isbesim::testbench

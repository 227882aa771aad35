// SPDX-License-Identifier: Apache-2.0
// FIRST:LAST, a range of cycles in an option.
#pragma once

#include <cstdint>
#include <vector>

#include "testbench/arguments/command_arguments.h"
#include "testbench/files/input_warning.h"

namespace isbesim::testbench {

/// Both bounds are inclusive. Throws input_error at the option if it is not such a range.
void read_cycles(const command_arguments& arguments, const char* option, std::uint64_t& first, std::uint64_t& last);

/// A warning for each such option of the command whose range begins after the end of its run.
std::vector<input_warning> late_cycles(const command_arguments& arguments, std::uint64_t end);

} // namespace isbesim::testbench

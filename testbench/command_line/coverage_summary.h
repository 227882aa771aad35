// SPDX-License-Identifier: Apache-2.0
// The coverage in the summary of a cross-check.
#pragma once

#include <iosfwd>

#include "testbench/crosscheck/traffic/coverage.h"

namespace isbesim::testbench {

class command_arguments;

/// Prints the bins and conditions that were hit, and the first missed ones.
void print_coverage(const coverage& bins, std::ostream& out);

/// True, with a message on `err`, if --require-coverage or --require-conditions is not met.
bool misses_required(const command_arguments& arguments, const coverage& bins, std::ostream& err);

} // namespace isbesim::testbench

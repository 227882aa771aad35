// SPDX-License-Identifier: Apache-2.0
// What a cross-check says of its coverage.
#pragma once

#include <iosfwd>

#include "testbench/crosscheck/traffic/coverage.h"

namespace isbesim::testbench {

class command_arguments;

/// Bins and conditions that were hit, and the first that were not.
void print_coverage(const coverage& bins, std::ostream& out);

/// True, and said on `err`, when --require-coverage or --require-conditions asks for a bin that was not hit.
bool misses_required(const command_arguments& arguments, const coverage& bins, std::ostream& err);

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
// isbesim compare: results of the same draw side by side.
#pragma once

#include <string>

#include "testbench/compare/comparison.h"

namespace isbesim::testbench {

/// "2", "2%", "2.5%". Throws input_error.
cycle_limit read_cycle_limit(const std::string& text, const source_place& place);

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
// Keys without effect on a run.
#pragma once

#include <vector>

#include "testbench/command_line/run_request.h"
#include "testbench/files/input_warning.h"

namespace isbesim::testbench {

/// Warns of keys that --set or --config changes but this run ignores.
void warn_of_ignored_keys(const run_request& request, std::vector<input_warning>& warnings);

} // namespace isbesim::testbench

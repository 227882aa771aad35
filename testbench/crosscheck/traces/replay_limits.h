// SPDX-License-Identifier: Apache-2.0
// Decides which machines can play a trace: on others its operations would have another meaning.
#pragma once

#include <string>
#include <string_view>

#include "models/machine_config.h"
#include "testbench/crosscheck/traces/trace_check.h"

namespace isbesim::testbench {

/// True for a configuration key that changes only the times of an ISBE's responses, not their content, or that is not
/// the ISBE's. The trace bounds isbe.lines, isbe.contexts and isbe.ports; all other keys must be as recorded.
bool is_free_in_replay(std::string_view key);

/// Why the trace can't be played on `now`, naming the key and both values; empty if it can.
std::string why_not_played(const trace_needs& needs, const machine_config& recorded, const machine_config& now);

} // namespace isbesim::testbench

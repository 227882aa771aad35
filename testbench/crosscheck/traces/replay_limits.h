// SPDX-License-Identifier: Apache-2.0
// Which machines can play a trace: on others its operations would mean something else.
#pragma once

#include <string>
#include <string_view>

#include "models/machine_config.h"
#include "testbench/crosscheck/traces/trace_check.h"

namespace isbesim::testbench {

/// True for a configuration key that changes nothing about what an ISBE answers, only when, or that is not the ISBE's.
/// The trace sets bounds to isbe.lines, isbe.contexts and isbe.ports; every other key has to be as it was recorded.
bool is_free_in_replay(std::string_view key);

/// Why the trace can't be played on `now`, naming the key and both values; empty when it can.
std::string why_not_played(const trace_needs& needs, const machine_config& recorded, const machine_config& now);

} // namespace isbesim::testbench

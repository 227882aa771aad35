// SPDX-License-Identifier: Apache-2.0
// Safe scheduling control for hand-written programs.
#pragma once

#include "models/isa/program.h"

namespace isbesim::isa {

/// Replaces the control fields of every instruction: stall counts wait for results of fixed-latency instructions,
/// scoreboards for everything else. At branches and their targets the program waits for everything in flight.
void schedule(program& code);

} // namespace isbesim::isa

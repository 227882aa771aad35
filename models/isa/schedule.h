// SPDX-License-Identifier: Apache-2.0
// Safe scheduling control for hand-written programs.
#pragma once

#include "models/isa/program.h"

namespace isbesim::isa {

/// Replaces the control fields of every instruction: results of fixed-latency instructions are awaited with stall
/// counts, everything else behind scoreboards. Nothing is assumed across branches and their targets: everything in
/// flight is awaited there.
void schedule(program& code);

} // namespace isbesim::isa

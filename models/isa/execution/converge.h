// SPDX-License-Identifier: Apache-2.0
// Divergence of SM75 and later.
//
// Every path of a warp is a set of lanes with a program counter of its own; `warp_state` holds the running one, its
// `stack` the others in no order. After each instruction the path with the lowest address runs, and paths that meet at
// an address become one: compilers lay code out so that what comes after a branch has a higher address than both
// sides, so lanes meet again there without being told. Convergence barriers (BSSY, BSYNC) hold a path back until all
// lanes that the barrier names have arrived, left it (BREAK) or exited. BAR counts threads from this architecture on
// (PTX ISA, bar): a path waits there for all live lanes of its warp.
#pragma once

#include "models/isa/execution/executor.h"

namespace isbesim::isa {

/// Chooses the path that runs next. False when lanes are alive and all of them wait at barriers for each other.
bool choose_path(warp_state& warp);

} // namespace isbesim::isa

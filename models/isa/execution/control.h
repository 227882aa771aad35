// SPDX-License-Identifier: Apache-2.0
// Divergence of SM75 and later.
//
// Every path of a warp is a set of lanes with its own program counter; `warp_state` holds the running path, its `stack`
// the other paths in no order. After each instruction the path with the lowest address runs next, and paths that meet
// at an address merge: compilers place the code after a branch at a higher address than both sides, so lanes meet again
// there without an instruction. Convergence barriers (BSSY, BSYNC) hold a path back until all lanes that the barrier
// names have arrived, left it (BREAK) or exited. BAR counts threads from this architecture on (PTX ISA, bar): a path
// waits there for all live lanes of its warp.
#pragma once

#include "models/isa/execution/executor.h"

namespace isbesim::isa {

/// Chooses the path that runs next. False if there are live lanes and all of them wait for each other at barriers.
bool choose_path(warp_state& warp);

// Tests of the SM50 condition codes: BRA CC.NEU, CSETP.NEU.

/// Lanes whose condition codes pass test number `test` (ENV). Tests 0 to 15 compare a difference or a float with 0; a
/// NaN has set both zero and sign. Tests 16 to 23 are single codes and unsigned comparisons. For 24 and above, which
/// test the call stack and the like, `known` is false.
lane_mask lanes_by_codes(const warp_state& warp, unsigned test, bool& known);

} // namespace isbesim::isa

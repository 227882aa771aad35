// SPDX-License-Identifier: Apache-2.0
// Safe scheduling control for hand-written programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "models/isa/program.h"

namespace isbesim::isa {

/// Cycles, 15 at most, by the index of the instruction before which they pass.
using waits = std::map<std::size_t, std::uint8_t>;

/// Replaces the control fields of every instruction: stall counts wait for results of fixed-latency instructions,
/// scoreboards for everything else. At branches and their targets the program waits for everything in flight. Returns
/// what the longest stall leaves of a wait, for a NOP (R2UR on SM120: 16 cycles).
waits schedule(program& code);

} // namespace isbesim::isa

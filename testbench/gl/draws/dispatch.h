// SPDX-License-Identifier: Apache-2.0
// Compute launches, run where they are found: later draws, launches and copies read what they write.
#pragma once

#include "models/isa/execution/grid.h"
#include "testbench/gl/channel/launch_descriptor.h"
#include "testbench/gl/draws/program_source.h"

namespace isbesim::gl {

/// Runs one on the process's own memory, in no time. `state` has the registers of the compute class. Throws
/// draw_refused; what it wrote until then stays.
isa::grid_traps run_dispatch(const three_d_state& state, const launch_descriptor& what, const chip& chip,
                             gpu_memory& memory, program_source& programs);

} // namespace isbesim::gl

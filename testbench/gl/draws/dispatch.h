// SPDX-License-Identifier: Apache-2.0
// Compute launches. They run at once, since later draws, launches and copies read their results.
#pragma once

#include "models/isa/execution/grid.h"
#include "testbench/gl/channel/launch_descriptor.h"
#include "testbench/gl/draws/draw_programs.h"

namespace isbesim::gl {

/// Runs a launch on the process's own memory, in zero simulated time. `state`: registers of the compute class. Throws
/// draw_refused; writes until then stay.
isa::grid_result run_dispatch(const three_d_state& state, const launch_descriptor& what, const chip& chip,
                              gpu_memory& memory, program_source& programs);

} // namespace isbesim::gl

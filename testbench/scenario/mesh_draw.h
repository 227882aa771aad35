// SPDX-License-Identifier: Apache-2.0
// The "draw" of a scenario with task and mesh stages: workgroups and the fields of the mesh methods (HARDWARE.md D.6).
#pragma once

#include "models/pe/front_end/draw.h"
#include "testbench/scenario/scenario_reader.h"

namespace isbesim::testbench {

/// Fills the counts and settings of `draw`, whose stages have been read. Throws input_error.
void read_mesh_draw(scenario_reader& in, const boost::json::value& value, draw_call& draw);

} // namespace isbesim::testbench

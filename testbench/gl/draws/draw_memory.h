// SPDX-License-Identifier: Apache-2.0
// What the programs of a draw reach of the process's memory: its buffers, and textures by the driver's tables.
#pragma once

#include "models/pe/front_end/draw.h"
#include "testbench/gl/channel/three_d_state.h"
#include "testbench/gl/session/gpu_memory.h"

namespace isbesim::gl {

/// Gives the draw memory, textures and windows where one of its programs asks for them; `memory` must outlive it.
void add_memory(const three_d_state& state, gpu_memory& memory, draw_call& draw);

} // namespace isbesim::gl

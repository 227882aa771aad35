// SPDX-License-Identifier: Apache-2.0
// Memory of the process that programs reach: buffers, and textures through the driver's tables.
#pragma once

#include "models/pe/front_end/draw.h"
#include "testbench/gl/channel/three_d_state.h"
#include "testbench/gl/chip/gpu_memory.h"

namespace isbesim::gl {

/// Attaches memory, textures and windows to the draw if its programs need them; `memory` must outlive it.
void add_memory(const three_d_state& state, gpu_memory& memory, draw_call& draw);

/// The texture unit for a class's registers.
std::shared_ptr<texture::texture_unit> textures_of(const three_d_state& state, std::shared_ptr<memory_contents> memory,
                                                   isa::architecture arch);

/// Windows of generic addresses for local and shared memory; 0: the default, used until a driver sets the window.
isa::address_windows windows_at(std::uint64_t local, std::uint64_t shared = 0);

/// Reads a constant buffer up to its last nonzero word, since reads after the end return 0. Empty if it is not bound.
void read_constants(const gpu_memory& memory, const constant_binding& bound, std::vector<word>& words);

} // namespace isbesim::gl

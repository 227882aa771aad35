// SPDX-License-Identifier: Apache-2.0
// What programs reach of the process's memory: its buffers, and textures by the driver's tables.
#pragma once

#include "models/pe/front_end/draw.h"
#include "testbench/gl/channel/three_d_state.h"
#include "testbench/gl/chip/gpu_memory.h"

namespace isbesim::gl {

/// Gives the draw memory, textures and windows where one of its programs asks for them; `memory` must outlive it.
void add_memory(const three_d_state& state, gpu_memory& memory, draw_call& draw);

/// The texture unit of a class's registers.
std::shared_ptr<texture::texture_unit> textures_of(const three_d_state& state, std::shared_ptr<memory_contents> memory);

/// Where generic addresses reach local and shared memory; 0: the defaults, which hold until a driver sets them.
isa::address_windows windows_at(std::uint64_t local, std::uint64_t shared = 0);

/// Words of a constant buffer up to the last one that is not 0: reads after them give 0 anyway. Empty where it is not
/// bound.
void read_constants(const gpu_memory& memory, const constant_binding& bound, std::vector<word>& words);

} // namespace isbesim::gl

// SPDX-License-Identifier: Apache-2.0
// The vertices of a draw in order: indices and restarts, topology, vertex arrays, constant attributes, generated ids.
#pragma once

#include <cstdint>

#include "models/pe/front_end/draw.h"
#include "testbench/gl/channel/draw_target.h"
#include "testbench/gl/chip/chip.h"
#include "testbench/gl/chip/gpu_memory.h"

namespace isbesim::gl {

/// Address of the last byte. `limit` is the value of the limit register: this address up to Volta, a size on Turing. On
/// Turing, Mesa's OpenGL driver still writes an address, which limits nothing on hardware; here it is the limit.
std::uint64_t array_end(std::uint64_t address, std::uint64_t limit);

/// More vertices than this in one draw are refused: they would run for days.
inline constexpr std::uint32_t most_vertices = 100'000'000;

/// Adds the vertices, their indices, topology and attributes to a draw that has its programs. Only elements that the
/// draw uses are read; those of indexed draws are renumbered without gaps. Returns the vertices per instance, without
/// restarts, before strips, fans and quads became lists. Throws draw_refused.
std::uint64_t add_vertices(const three_d_state& state, const chip& chip, const gpu_memory& memory,
                           const drawn_vertices& drawn, draw_call& draw);

} // namespace isbesim::gl

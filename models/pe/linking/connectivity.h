// SPDX-License-Identifier: Apache-2.0
// What the PE puts into the output space of a warp before the warp starts: how many primitives its vertices form, which
// vertices these are, and the ids of the primitives (HARDWARE.md D.4, D.5).
//
// The output MAP begins with a 32-bit primitive count; vertex i of primitive p is byte 4 + p * stride + i, stride = k
// but for what TS reads. The next stage's input MAP is the same memory from byte 4 on, so that its program finds vertex
// i of primitive p at p * stride + i, and what a program stores over an index is what the next stage reads. *Choice*:
// the PE itself does not read these MAPs. Warps are launched and vertices streamed out for the primitives that it
// assembled, whatever a program has made of the count or the indices. (Task, mesh and geometry stages make primitives
// of their own: mesh_step.h, geometry_step.h.)
#pragma once

#include <vector>

#include "models/machine_config.h"
#include "models/pe/front_end/batches.h"
#include "models/pe/linking/isbe_access.h"

namespace isbesim {

/// The primitive count that an output MAP starts with.
inline constexpr unsigned count_bytes = 4;

/// The count as it lies in the storage and back: with isbe.map_byte_swap most significant byte first, as ISBEWR.O.MAP
/// leaves it.
word count_in_map(word count, const isbe_config& config);

/// MAP bytes of a patch that a TS stage reads: one for each vertex that a patch can have. Those that it has not hold a
/// handle that no vertex has, so that reading them gives 0 (HARDWARE.md D.5).
inline constexpr unsigned patch_map_bytes = 32;

/// Count, indices and, where the space has PRIM words, one for each primitive, its id. `scratch` is storage to be used
/// again.
void write_connectivity(const batch& vertices, const space_layout& output, isbe_access& isbe,
                        std::vector<word>& scratch, unsigned stride, const isbe_config& config);

/// An output as the next stage finds it: without the count.
space_layout as_input(const space_layout& output);

/// What a warp sees that works on one patch of a space: handles of the whole batch, but one primitive.
space_layout patch_view(const space_layout& input, unsigned patch);

} // namespace isbesim

// What a stage adds to its output space for the stage that reads it: which vertices form a primitive and the ids of the
// primitives (hardware.md D.4, D.5).
#pragma once

#include <vector>

#include "models/pe/batches.h"
#include "models/pe/isbe_access.h"

namespace isbesim {

/// MAP bytes of a patch that a TS stage reads: one for each vertex that a patch can have. Those that it has not hold a
/// handle that no vertex has, so that reading them gives 0 (hardware.md D.5).
inline constexpr unsigned patch_map_bytes = 32;

/// The input MAP (vertex i of primitive p at byte p * `stride` + i, stride = k but for TS) and one PRIM word, the id,
/// per primitive. `scratch` is storage to be used again.
void write_connectivity(const batch& vertices, const space_layout& space, isbe_access& isbe, std::vector<word>& scratch,
                        unsigned stride);

/// What a warp sees that works on one patch of a space: handles of the whole batch, but one primitive.
space_layout patch_view(const space_layout& space, unsigned patch);

} // namespace isbesim

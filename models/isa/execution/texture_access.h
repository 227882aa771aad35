// SPDX-License-Identifier: Apache-2.0
// What instructions of textures and surfaces share: the unit, the handle, faults.
#pragma once

#include "models/isa/execution/float_bits.h"
#include "models/isa/execution/memory_access.h"
#include "models/texture/texture_unit.h"

namespace isbesim::isa {

/// The draw's texture unit; refuses where it has none.
texture::texture_unit& textures_of(const machine& m);

/// The handle that the instruction names by its place in a constant bank, in all lanes.
words bound_handle(const machine& m);

/// True without a fault. An address outside global memory traps; a header or sampler that can't be used ends the run
/// with the reason, as no number of a trap says it.
bool answered(machine& m, texture::fault why);

} // namespace isbesim::isa

// SPDX-License-Identifier: Apache-2.0
// Shared by texture and surface instructions: the unit, the handle, faults.
#pragma once

#include "models/isa/execution/memory_access.h"
#include "models/texture/texture_unit.h"
#include "tlm/float_bits.h"

namespace isbesim::isa {

/// The draw's texture unit; refuses the instruction without it.
texture::texture_unit& textures_of(const machine& m);

/// The handle in the constant bank, at the place that the instruction names, in all lanes.
words bound_handle(const machine& m);

/// True if there was no fault. An address outside global memory traps; an unusable header or sampler ends the run with
/// the reason, because no trap number exists for it.
bool answered(machine& m, texture::fault why);

} // namespace isbesim::isa

// SPDX-License-Identifier: Apache-2.0
// Half floats and their bits.
#pragma once

#include "tlm/warp_op.h"

namespace isbesim::isa {

inline constexpr word canonical_half_nan = 0x7fffU;

/// Exact. NaN loses its payload.
double half_to_double(word bits);

/// Rounds with the host's current mode; NaN becomes the canonical one.
word double_to_half(double value);

} // namespace isbesim::isa

// SPDX-License-Identifier: Apache-2.0
// Number conversions of texels as in OpenGL, exact to the last bit (HARDWARE.md H.3).
#pragma once

#include "tlm/float_bits.h"
#include "tlm/warp_op.h"

namespace isbesim::texture {

/// The lowest `count` bits as two's complement.
constexpr std::int32_t sign_extended(word bits, unsigned count)
{
    return static_cast<std::int32_t>(bits << (32 - count)) >> (32 - count);
}

/// c / (2^n - 1), and max(c / (2^(n-1) - 1), -1): correctly rounded.
float unorm_to_float(word bits, unsigned count);
float snorm_to_float(word bits, unsigned count);
/// Clamped, then rounded to the nearest, ties to even; NaN becomes 0.
word float_to_unorm(float value, unsigned count);
word float_to_snorm(float value, unsigned count);

/// Floats with five exponent bits: 16 bits with a sign, 11 and 10 bits without. Exact; NaN stays NaN.
float small_float_to_float(word bits, unsigned count);
/// Rounded to the nearest, ties to even. Without a sign, negative values become 0 and finite values stay finite.
word float_to_small_float(float value, unsigned count);

/// The sRGB curve, to linear intensity and, clamped to 0 and 1, back.
float srgb_to_linear(float value);
float linear_to_srgb(float value);
float srgb8_to_linear(word bits);

} // namespace isbesim::texture

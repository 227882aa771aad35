// SPDX-License-Identifier: Apache-2.0
// Compiled with -frounding-math.
#include "models/isa/execution/half_bits.h"

#include <algorithm>
#include <cmath>

namespace isbesim::isa {

double half_to_double(word bits)
{
    const int exponent = static_cast<int>(bits >> 10 & 0x1fU);
    const double fraction = static_cast<double>(bits & 0x3ffU);
    double value = exponent == 0    ? std::ldexp(fraction, -24)
                   : exponent == 31 ? (fraction != 0 ? std::nan("") : HUGE_VAL)
                                    : std::ldexp(fraction + 1024, exponent - 25);
    return (bits & 0x8000U) != 0 ? -value : value;
}

word double_to_half(double value)
{
    if (std::isnan(value)) return canonical_half_nan;
    const word sign = std::signbit(value) ? 0x8000U : 0;
    const double magnitude = std::fabs(value);
    if (std::isinf(magnitude)) return sign | 0x7c00U;
    int exponent = 0;
    std::frexp(magnitude, &exponent);
    const int scale = std::max(exponent - 11, -24);
    // Rounding the signed value keeps "down" and "up" right.
    const double steps = std::fabs(std::nearbyint(std::ldexp(value, -scale)));
    const double rounded = std::ldexp(steps, scale);
    if (rounded >= 65536.0) { // infinity, or the highest number if the mode rounds towards zero
        const bool away = std::nearbyint(std::copysign(0.75, value)) != 0;
        return sign | (away ? 0x7c00U : 0x7bffU);
    }
    const int top = std::ilogb(rounded);
    if (rounded == 0 || top < -14) return sign | static_cast<word>(std::ldexp(rounded, 24));
    return sign | static_cast<word>(top + 15) << 10 | (static_cast<word>(std::ldexp(rounded, 10 - top)) & 0x3ffU);
}

} // namespace isbesim::isa

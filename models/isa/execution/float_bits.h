// SPDX-License-Identifier: Apache-2.0
// Floats and their bits.
#pragma once

#include <cstdint>
#include <cstring>

#include "tlm/warp_op.h"

namespace isbesim::isa {

inline float to_float(word bits)
{
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

inline word to_bits(float value)
{
    word bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

inline double to_double(word low, word high)
{
    const std::uint64_t bits = std::uint64_t{high} << 32 | low;
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

inline std::uint64_t double_to_bits(double value)
{
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

/// Denormals become zero of the same sign.
inline word flush_denormal(word bits)
{
    return (bits & 0x7f800000U) == 0 ? bits & 0x80000000U : bits;
}

inline constexpr word canonical_nan = 0x7fffffffU;

} // namespace isbesim::isa

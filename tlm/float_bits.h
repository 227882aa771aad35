// SPDX-License-Identifier: Apache-2.0
// Floats and their bits.
#pragma once

#include <cstdint>
#include <cstring>

namespace isbesim {

inline float to_float(std::uint32_t bits)
{
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

inline std::uint32_t to_bits(float value)
{
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

inline double to_double(std::uint32_t low, std::uint32_t high)
{
    const std::uint64_t bits = std::uint64_t{high} << 32 | low;
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

inline std::uint64_t to_bits(double value)
{
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

/// Denormals become zero of the same sign.
inline std::uint32_t flush_denormal(std::uint32_t bits)
{
    return (bits & 0x7f800000U) == 0 ? bits & 0x80000000U : bits;
}

inline constexpr std::uint32_t canonical_nan = 0x7fffffffU;

} // namespace isbesim

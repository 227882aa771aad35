// SPDX-License-Identifier: Apache-2.0
// Shared by loads, stores and atomics of all spaces: sizes, and traps of a lane's address.
#pragma once

#include "models/isa/execution/register_lanes.h"

namespace isbesim::isa {

inline constexpr std::uint8_t trap_out_of_range = 0x0e, trap_misaligned = 0x0f; // HARDWARE.md E.5

/// Bytes of the `size` modifier: U8 S8 U16 S16 32 64 128 U.128.
constexpr unsigned bytes_of_size(unsigned size)
{
    constexpr unsigned bytes[] = {1, 1, 2, 2, 4, 8, 16, 16};
    return bytes[size & 7U];
}

/// The register value of a load of `size`; `value` is zero-extended.
constexpr word extended(word value, unsigned size)
{
    const unsigned bits = bytes_of_size(size) * 8;
    const bool is_signed = size == 1 || size == 3;
    return is_signed && (value >> (bits - 1)) != 0 ? value | ~0U << bits : value;
}

/// Register k of an access of several words; RZ stands for all of them.
constexpr unsigned register_of(const operand& data, unsigned k)
{
    return data.index == register_zero ? register_zero : data.index + k;
}

/// Makes the step a trap, which changes nothing else.
inline void trap(machine& m, std::uint8_t code)
{
    m.result.kind = step_kind::trap;
    m.result.trap = code;
}

/// `count` bytes, little-endian.
inline std::uint64_t load_bytes(const std::uint8_t* bytes, unsigned count)
{
    std::uint64_t value = 0;
    for (unsigned i = 0; i < count; ++i) value |= std::uint64_t{bytes[i]} << (8 * i);
    return value;
}

inline void store_bytes(std::uint8_t* to, std::uint64_t value, unsigned count)
{
    for (unsigned i = 0; i < count; ++i) to[i] = static_cast<std::uint8_t>(value >> (8 * i));
}

/// A lane's value in register `first` of an access; for `count` 2, in that register and the next.
inline std::uint64_t lane_value(const machine& m, const operand& data, unsigned first, unsigned count, unsigned lane)
{
    std::uint64_t value = register_words(m, register_of(data, first))[lane];
    if (count == 2) value |= std::uint64_t{register_words(m, register_of(data, first + 1))[lane]} << 32;
    return value;
}

/// Changes `value` by an atomic operation; `type` is numbered as by atomic_type(). False if the hardware has no such
/// combination.
bool change_atomically(unsigned operation, unsigned type, std::uint64_t operand, std::uint64_t& value);

/// The instruction's operation on one value; refuses combinations that the hardware lacks.
inline void apply_atomic(const machine& m, unsigned type, std::uint64_t operand, std::uint64_t& value)
{
    // On SM50 the number of F16x2 means U128, for which no operation is known.
    const bool unknown = type == 4 && m.warp.code->arch == architecture::sm50;
    if (unknown || !change_atomically(modifier(m, mod::function), type, operand, value))
        refuse(m, "has no such operation on this type: no compiler emits it");
}

} // namespace isbesim::isa

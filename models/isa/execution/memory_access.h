// What loads, stores and atomics of all spaces share: sizes, and traps of a lane's address.
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

/// What a load of `size` leaves in a register; `value` has its bits and zeroes.
constexpr word extended(word value, unsigned size)
{
    const unsigned bits = bytes_of_size(size) * 8;
    const bool is_signed = size == 1 || size == 3;
    return is_signed && (value >> (bits - 1)) != 0 ? value | ~0U << bits : value;
}

/// Register k of an access of several words; RZ takes all of them.
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

/// An atomic operation on one value: its kind, the type's number in the global list, what is there and what comes.
/// False where the hardware has no such combination.
bool change_atomically(unsigned operation, unsigned type, std::uint64_t operand, std::uint64_t& value);

} // namespace isbesim::isa

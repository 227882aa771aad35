// SPDX-License-Identifier: Apache-2.0
// Bit fields of an instruction word, up to 128 bits.
#pragma once

#include <array>
#include <cstdint>

namespace isbesim::isa {

/// An encoded instruction; SM50 uses [0] only.
using encoding = std::array<std::uint64_t, 2>;

/// Bits of an encoding in up to two runs, the low run first: the sign of a 20-bit immediate and the top of a rounding
/// mode are apart from their lower bits. A field without bits does not exist.
struct field {
    std::uint8_t low = 0;
    std::uint8_t bits = 0;
    std::uint8_t high_low = 0; ///< where the upper run starts
    std::uint8_t high_bits = 0;

    constexpr unsigned width() const { return unsigned{bits} + high_bits; }
    constexpr bool exists() const { return bits != 0; }
};

constexpr bool get_bit(const encoding& word, unsigned position)
{
    return ((word[position / 64] >> (position % 64)) & 1U) != 0;
}

constexpr void set_bit(encoding& word, unsigned position, bool value)
{
    const std::uint64_t bit = std::uint64_t{1} << (position % 64);
    word[position / 64] = value ? word[position / 64] | bit : word[position / 64] & ~bit;
}

/// For 1 to 64 bits.
constexpr std::uint64_t low_bits(unsigned bits)
{
    return ~std::uint64_t{0} >> (64 - bits);
}

constexpr std::uint64_t get_run(const encoding& word, unsigned low, unsigned bits)
{
    if (bits == 0) return 0;
    std::uint64_t value = word[low / 64] >> (low % 64);
    if (low / 64 == 0 && low % 64 + bits > 64) value |= word[1] << (64 - low % 64);
    return value & low_bits(bits);
}

constexpr void set_run(encoding& word, unsigned low, unsigned bits, std::uint64_t value)
{
    if (bits == 0) return;
    const auto mask = low_bits(bits);
    const auto shift = low % 64;
    word[low / 64] = (word[low / 64] & ~(mask << shift)) | (value & mask) << shift;
    if (low / 64 == 0 && shift + bits > 64)
        word[1] = (word[1] & ~(mask >> (64 - shift))) | (value & mask) >> (64 - shift);
}

constexpr std::uint64_t get_field(const encoding& word, field f)
{
    return get_run(word, f.low, f.bits) | (get_run(word, f.high_low, f.high_bits) << f.bits);
}

constexpr void set_field(encoding& word, field f, std::uint64_t value)
{
    set_run(word, f.low, f.bits, value);
    set_run(word, f.high_low, f.high_bits, value >> f.bits);
}

/// The value of a field as a two's complement number.
constexpr std::int64_t get_signed(const encoding& word, field f)
{
    const unsigned unused = 64 - f.width();
    return static_cast<std::int64_t>(get_field(word, f) << unused) >> unused;
}

} // namespace isbesim::isa

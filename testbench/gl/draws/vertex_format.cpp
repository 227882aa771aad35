// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/draws/vertex_format.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "tlm/float_bits.h"

namespace isbesim::gl {

namespace {

enum number_type : std::uint32_t { snorm = 1, unorm, sint, uint, uscaled, sscaled, floating };

struct layout_row {
    std::uint32_t code;
    unsigned bytes;
    std::array<unsigned, 4> bits; ///< of the components, from the lowest bit on; 0: absent
};

// Component widths by code, from the class headers. Where their names count from the highest bit, the order is
// reversed.
constexpr layout_row layouts[] = {
    {0x01, 16, {32, 32, 32, 32}}, {0x02, 12, {32, 32, 32, 0}}, {0x04, 8, {32, 32, 0, 0}}, {0x12, 4, {32, 0, 0, 0}},
    {0x03, 8, {16, 16, 16, 16}},  {0x05, 6, {16, 16, 16, 0}},  {0x0f, 4, {16, 16, 0, 0}}, {0x1b, 2, {16, 0, 0, 0}},
    {0x0a, 4, {8, 8, 8, 8}},      {0x2f, 4, {8, 8, 8, 8}},     {0x13, 3, {8, 8, 8, 0}},   {0x33, 4, {8, 8, 8, 0}},
    {0x18, 2, {8, 8, 0, 0}},      {0x32, 2, {8, 8, 0, 0}},     {0x1d, 1, {8, 0, 0, 0}},   {0x34, 1, {8, 0, 0, 0}},
    {0x30, 4, {10, 10, 10, 2}},   {0x31, 4, {11, 11, 10, 0}},
};

const layout_row* find_layout(std::uint32_t code)
{
    const auto* found =
        std::find_if(std::begin(layouts), std::end(layouts), [&](const layout_row& row) { return row.code == code; });
    return found != std::end(layouts) ? found : nullptr;
}

/// Converts a small float with 5 exponent bits, `fraction` fraction bits and, if it has 16 bits, a sign bit.
std::uint32_t widened(std::uint32_t value, unsigned fraction, bool with_sign)
{
    const auto mantissa = value & ((1U << fraction) - 1);
    const auto exponent = (value >> fraction) & 0x1f;
    const auto sign = with_sign ? (value >> 15) << 31 : 0;
    if (exponent == 0x1f) return sign | 0x7f800000U | (mantissa << (23 - fraction));
    if (exponent == 0)
        return sign | to_bits(std::ldexp(static_cast<float>(mantissa), -14 - static_cast<int>(fraction)));
    return sign | ((exponent + 127 - 15) << 23) | (mantissa << (23 - fraction));
}

std::uint32_t converted(std::uint32_t value, unsigned bits, std::uint32_t type)
{
    const auto unused = 32 - bits;
    const auto number = static_cast<std::int32_t>(value << unused) >> unused;
    switch (type) {
    case snorm: {
        const auto largest = static_cast<double>((std::uint64_t{1} << (bits - 1)) - 1);
        return to_bits(static_cast<float>(std::max(-1.0, number / largest)));
    }
    case unorm:
        return to_bits(static_cast<float>(value / static_cast<double>((std::uint64_t{1} << bits) - 1)));
    case sint:
        return static_cast<std::uint32_t>(number);
    case uscaled:
        return to_bits(static_cast<float>(value));
    case sscaled:
        return to_bits(static_cast<float>(number));
    case floating:
        if (bits == 16) return widened(value, 10, true);
        if (bits == 11 || bits == 10) return widened(value, bits - 5, false);
        return value;
    default:
        return value;
    }
}

} // namespace

vertex_format vertex_format::of(std::uint32_t word)
{
    vertex_format result;
    result.buffer = word & 0x1f;
    result.constant = (word & 0x40) != 0;
    result.offset = (word >> 7) & 0x3fff;
    result.size = (word >> 21) & 0x3f;
    result.type = (word >> 27) & 7;
    result.swapped = word >> 31 != 0;
    return result;
}

std::optional<unsigned> vertex_format::bytes() const
{
    const auto* row = find_layout(size);
    if (row == nullptr || type == 0) return std::nullopt;
    return row->bytes;
}

std::array<std::uint32_t, 4> vertex_format::defaults() const
{
    return {0, 0, 0, type == sint || type == uint ? 1U : 0x3f800000U};
}

std::array<std::uint32_t, 4> vertex_format::decode(const std::uint8_t* element) const
{
    const auto& row = *find_layout(size);
    auto words = defaults();
    unsigned position = 0;
    for (unsigned i = 0; i < 4 && row.bits[i] != 0; ++i) {
        const auto bits = row.bits[i];
        std::uint64_t window = 0;
        std::memcpy(&window, element + position / 8, std::min(row.bytes - position / 8, 8U));
        const auto value = static_cast<std::uint32_t>((window >> (position % 8)) & ((std::uint64_t{1} << bits) - 1));
        words[i] = converted(value, bits, type);
        position += bits;
    }
    if (swapped) std::swap(words[0], words[2]);
    return words;
}

} // namespace isbesim::gl

// SPDX-License-Identifier: Apache-2.0
// BC6H, from ARB_texture_compression_bptc.
#include "models/texture/block_bits.h"
#include "models/texture/block_codec.h"
#include "models/texture/bptc_partition.h"
#include "models/texture/number.h"

namespace isbesim::texture {

namespace {

/// The specification's names of the end points w, x (subset 0) and y, z (subset 1) in red, green and blue.
enum end_name : std::uint8_t { rw, gw, bw, rx, gx, bx, ry, gy, by, rz, gz, bz };

/// Bits that are consecutive in the block and in an end point; with a negative count the highest bit comes first.
struct bc6_run {
    end_name where = rw;
    std::uint8_t low = 0;
    std::int8_t count = 0;
};

struct bc6_mode {
    std::uint8_t code, code_bits;
    bool relative; ///< x, y and z are differences to w
    std::uint8_t end_bits;
    std::array<std::uint8_t, 3> other_bits; ///< of x, y, z in red, green, blue
    std::array<bc6_run, 24> runs;

    bool two_subsets() const { return runs[9].count != 0; }
};

// clang-format off
constexpr bc6_mode bc6_modes[] = {
    {0b00, 2, true, 10, {5, 5, 5}, {{
     {gy, 4, 1}, {by, 4, 1}, {bz, 4, 1}, {rw, 0, 10}, {gw, 0, 10}, {bw, 0, 10}, {rx, 0, 5}, {gz, 4, 1}, {gy, 0, 4},
     {gx, 0, 5}, {bz, 0, 1}, {gz, 0, 4}, {bx, 0, 5}, {bz, 1, 1}, {by, 0, 4}, {ry, 0, 5}, {bz, 2, 1}, {rz, 0, 5},
     {bz, 3, 1}}}},
    {0b01, 2, true, 7, {6, 6, 6}, {{
     {gy, 5, 1}, {gz, 4, 1}, {gz, 5, 1}, {rw, 0, 7}, {bz, 0, 1}, {bz, 1, 1}, {by, 4, 1}, {gw, 0, 7}, {by, 5, 1},
     {bz, 2, 1}, {gy, 4, 1}, {bw, 0, 7}, {bz, 3, 1}, {bz, 5, 1}, {bz, 4, 1}, {rx, 0, 6}, {gy, 0, 4}, {gx, 0, 6},
     {gz, 0, 4}, {bx, 0, 6}, {by, 0, 4}, {ry, 0, 6}, {rz, 0, 6}}}},
    {0b00010, 5, true, 11, {5, 4, 4}, {{
     {rw, 0, 10}, {gw, 0, 10}, {bw, 0, 10}, {rx, 0, 5}, {rw, 10, 1}, {gy, 0, 4}, {gx, 0, 4}, {gw, 10, 1}, {bz, 0, 1},
     {gz, 0, 4}, {bx, 0, 4}, {bw, 10, 1}, {bz, 1, 1}, {by, 0, 4}, {ry, 0, 5}, {bz, 2, 1}, {rz, 0, 5}, {bz, 3, 1}}}},
    {0b00011, 5, false, 10, {10, 10, 10}, {{
     {rw, 0, 10}, {gw, 0, 10}, {bw, 0, 10}, {rx, 0, 10}, {gx, 0, 10}, {bx, 0, 10}}}},
    {0b00110, 5, true, 11, {4, 5, 4}, {{
     {rw, 0, 10}, {gw, 0, 10}, {bw, 0, 10}, {rx, 0, 4}, {rw, 10, 1}, {gz, 4, 1}, {gy, 0, 4}, {gx, 0, 5}, {gw, 10, 1},
     {gz, 0, 4}, {bx, 0, 4}, {bw, 10, 1}, {bz, 1, 1}, {by, 0, 4}, {ry, 0, 4}, {bz, 0, 1}, {bz, 2, 1}, {rz, 0, 4},
     {gy, 4, 1}, {bz, 3, 1}}}},
    {0b00111, 5, true, 11, {9, 9, 9}, {{
     {rw, 0, 10}, {gw, 0, 10}, {bw, 0, 10}, {rx, 0, 9}, {rw, 10, 1}, {gx, 0, 9}, {gw, 10, 1}, {bx, 0, 9}, {bw, 10, 1}}}},
    {0b01010, 5, true, 11, {4, 4, 5}, {{
     {rw, 0, 10}, {gw, 0, 10}, {bw, 0, 10}, {rx, 0, 4}, {rw, 10, 1}, {by, 4, 1}, {gy, 0, 4}, {gx, 0, 4}, {gw, 10, 1},
     {bz, 0, 1}, {gz, 0, 4}, {bx, 0, 5}, {bw, 10, 1}, {by, 0, 4}, {ry, 0, 4}, {bz, 1, 1}, {bz, 2, 1}, {rz, 0, 4},
     {bz, 4, 1}, {bz, 3, 1}}}},
    {0b01011, 5, true, 12, {8, 8, 8}, {{
     {rw, 0, 10}, {gw, 0, 10}, {bw, 0, 10}, {rx, 0, 8}, {rw, 10, -2}, {gx, 0, 8}, {gw, 10, -2}, {bx, 0, 8},
     {bw, 10, -2}}}},
    {0b01110, 5, true, 9, {5, 5, 5}, {{
     {rw, 0, 9}, {by, 4, 1}, {gw, 0, 9}, {gy, 4, 1}, {bw, 0, 9}, {bz, 4, 1}, {rx, 0, 5}, {gz, 4, 1}, {gy, 0, 4},
     {gx, 0, 5}, {bz, 0, 1}, {gz, 0, 4}, {bx, 0, 5}, {bz, 1, 1}, {by, 0, 4}, {ry, 0, 5}, {bz, 2, 1}, {rz, 0, 5},
     {bz, 3, 1}}}},
    {0b01111, 5, true, 16, {4, 4, 4}, {{
     {rw, 0, 10}, {gw, 0, 10}, {bw, 0, 10}, {rx, 0, 4}, {rw, 10, -6}, {gx, 0, 4}, {gw, 10, -6}, {bx, 0, 4},
     {bw, 10, -6}}}},
    {0b10010, 5, true, 8, {6, 5, 5}, {{
     {rw, 0, 8}, {gz, 4, 1}, {by, 4, 1}, {gw, 0, 8}, {bz, 2, 1}, {gy, 4, 1}, {bw, 0, 8}, {bz, 3, 1}, {bz, 4, 1},
     {rx, 0, 6}, {gy, 0, 4}, {gx, 0, 5}, {bz, 0, 1}, {gz, 0, 4}, {bx, 0, 5}, {bz, 1, 1}, {by, 0, 4}, {ry, 0, 6},
     {rz, 0, 6}}}},
    {0b10110, 5, true, 8, {5, 6, 5}, {{
     {rw, 0, 8}, {bz, 0, 1}, {by, 4, 1}, {gw, 0, 8}, {gy, 5, 1}, {gy, 4, 1}, {bw, 0, 8}, {gz, 5, 1}, {bz, 4, 1},
     {rx, 0, 5}, {gz, 4, 1}, {gy, 0, 4}, {gx, 0, 6}, {gz, 0, 4}, {bx, 0, 5}, {bz, 1, 1}, {by, 0, 4}, {ry, 0, 5},
     {bz, 2, 1}, {rz, 0, 5}, {bz, 3, 1}}}},
    {0b11010, 5, true, 8, {5, 5, 6}, {{
     {rw, 0, 8}, {bz, 1, 1}, {by, 4, 1}, {gw, 0, 8}, {by, 5, 1}, {gy, 4, 1}, {bw, 0, 8}, {bz, 5, 1}, {bz, 4, 1},
     {rx, 0, 5}, {gz, 4, 1}, {gy, 0, 4}, {gx, 0, 5}, {bz, 0, 1}, {gz, 0, 4}, {bx, 0, 6}, {by, 0, 4}, {ry, 0, 5},
     {bz, 2, 1}, {rz, 0, 5}, {bz, 3, 1}}}},
    {0b11110, 5, false, 6, {6, 6, 6}, {{
     {rw, 0, 6}, {gz, 4, 1}, {bz, 0, 1}, {bz, 1, 1}, {by, 4, 1}, {gw, 0, 6}, {gy, 5, 1}, {by, 5, 1}, {bz, 2, 1},
     {gy, 4, 1}, {bw, 0, 6}, {gz, 5, 1}, {bz, 3, 1}, {bz, 5, 1}, {bz, 4, 1}, {rx, 0, 6}, {gy, 0, 4}, {gx, 0, 6},
     {gz, 0, 4}, {bx, 0, 6}, {by, 0, 4}, {ry, 0, 6}, {rz, 0, 6}}}},
};
// clang-format on

const bc6_mode* find_mode(unsigned first_byte)
{
    for (const bc6_mode& mode : bc6_modes)
        if (mode.code == (first_byte & ((1U << mode.code_bits) - 1))) return &mode;
    return nullptr;
}

using bc6_ends = std::array<std::int32_t, 12>;

bc6_ends read_bc6_ends(const bc6_mode& mode, block_bits& bits)
{
    bc6_ends ends{};
    for (const bc6_run& run : mode.runs) {
        const auto count = static_cast<unsigned>(run.count < 0 ? -run.count : run.count);
        if (count == 0) break;
        const unsigned value = bits.take(count);
        for (unsigned i = 0; i < count; ++i) {
            const unsigned bit = value >> i & 1U;
            ends[run.where] |= static_cast<std::int32_t>(bit << (run.low + (run.count < 0 ? count - 1 - i : i)));
        }
    }
    return ends;
}

/// Converts differences to end points, modulo their width, and extends signs.
void resolve(const bc6_mode& mode, bc6_ends& ends, bool with_sign)
{
    const word ones = (1U << mode.end_bits) - 1;
    for (unsigned i = 0; i < ends.size(); ++i) {
        auto value = static_cast<word>(ends[i]);
        if (mode.relative && i >= 3)
            value = (static_cast<word>(ends[i % 3]) + static_cast<word>(sign_extended(value, mode.other_bits[i % 3]))) &
                    ones;
        if (i >= 3 || !mode.relative) ends[i] = static_cast<std::int32_t>(value);
    }
    if (!with_sign) return;
    for (auto& end : ends) end = sign_extended(static_cast<word>(end), mode.end_bits);
}

/// Widens an end point to 16 bits (17 with a sign).
std::int32_t unquantized(std::int32_t value, unsigned bits, bool with_sign)
{
    if (!with_sign) {
        if (bits >= 15 || value == 0) return value;
        return value == (1 << bits) - 1 ? 0xffff : ((value << 16) + 0x8000) >> bits;
    }
    if (bits >= 16 || value == 0) return value;
    const std::int32_t magnitude = value < 0 ? -value : value;
    const std::int32_t wide = magnitude >= (1 << (bits - 1)) - 1 ? 0x7fff : ((magnitude << 15) + 0x4000) >> (bits - 1);
    return value < 0 ? -wide : wide;
}

/// The bits of the half float; the greatest is 0x7bff.
std::uint16_t finished(std::int32_t value, bool with_sign)
{
    if (!with_sign) return static_cast<std::uint16_t>(value * 31 >> 6);
    const std::int32_t magnitude = (value < 0 ? -value : value) * 31 >> 5;
    return static_cast<std::uint16_t>(value < 0 ? magnitude | 0x8000 : magnitude);
}

} // namespace

std::array<std::uint16_t, 3> decode_bc6(const std::uint8_t* block, unsigned x, unsigned y, bool with_sign)
{
    const bc6_mode* mode = find_mode(block[0]);
    if (mode == nullptr) return {};
    block_bits bits(block, mode->code_bits);
    bc6_ends ends = read_bc6_ends(*mode, bits);
    resolve(*mode, ends, with_sign);
    const bool two = mode->two_subsets();
    const partition parts{two ? 2U : 1U, two ? bits.take(5) : 0U};

    const unsigned texel = 4 * y + x;
    const unsigned index_bits = two ? 3 : 4;
    const auto weight = static_cast<std::int32_t>(bptc_weight(bptc_index(bits, parts, texel, index_bits), index_bits));
    const unsigned first = 6 * parts.subset_of(texel);
    std::array<std::uint16_t, 3> result{};
    for (unsigned c = 0; c < 3; ++c) {
        const std::int32_t a = unquantized(ends[first + c], mode->end_bits, with_sign);
        const std::int32_t b = unquantized(ends[first + 3 + c], mode->end_bits, with_sign);
        result[c] = finished(((64 - weight) * a + weight * b + 32) >> 6, with_sign);
    }
    return result;
}

} // namespace isbesim::texture

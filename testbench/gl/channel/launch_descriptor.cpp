// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/channel/launch_descriptor.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace isbesim::gl {

namespace {

/// Differences of the formats: byte offsets; 0 if a format has no such field.
struct layout {
    unsigned first_version, last_version; ///< major << 4 | minor
    unsigned depth, constants, local_low, local_high, wide_program, signals;
    unsigned address_bits, size_bit, size_shift; ///< of a constant buffer's second word
};

// OpenGL's driver leaves the version field of the first format at 0.
constexpr layout layouts[] = {
    {0x00, 0x17, 0x36, 0x74, 0xb4, 0xb8, 0, 0x19, 8, 15, 0},
    {0x20, 0x21, 0x38, 0x80, 0x74, 0x78, 0, 0x11, 17, 19, 4},
    {0x22, 0x24, 0x38, 0x80, 0x74, 0x78, 0xc0, 0x11, 17, 19, 4},
    {0x30, 0x30, 0x38, 0x80, 0x5c, 0xc8, 0xc0, 0, 17, 19, 4},
};

/// The fields of a descriptor, by byte.
struct fields {
    const std::uint8_t* bytes;

    std::uint32_t word(unsigned offset) const
    {
        std::uint32_t value = 0;
        std::memcpy(&value, bytes + offset, 4);
        return value;
    }
    std::uint32_t half(unsigned offset) const { return word(offset) & 0xffffU; }
    std::uint64_t long_word(unsigned offset, unsigned upper_bits) const
    {
        return std::uint64_t{word(offset + 4) & ((1U << upper_bits) - 1)} << 32 | word(offset);
    }
};

/// Addresses and sizes are divided by powers of 2.
std::optional<launch_descriptor> read_blackwell(const fields& read)
{
    constexpr unsigned version = 0x3a, expected = 0x50, signals[] = {0x24, 0x26, 0x28, 0x2a, 0x2b}, program = 0x80,
                       threads = 0x88, shared = 0x90, local = 0x94, grid = 0x9c, constants = 0xa8, valid = 0xe8;
    if (read.bytes[version] != expected) return {};
    launch_descriptor result;
    result.groups = {read.word(grid), read.half(grid + 4), read.half(grid + 8)};
    result.threads = {read.half(threads), read.half(threads + 2), read.bytes[threads + 4]};
    result.program = read.long_word(program, 21) << 4;
    result.shared_bytes = (read.word(shared) & 0x7ffU) << 7;
    result.local_bytes = (read.half(local) + read.half(local + 2)) << 4;
    result.signals = std::any_of(std::begin(signals), std::end(signals),
                                 [&](unsigned each) { return (read.bytes[each] & 1U) != 0; });
    for (unsigned i = 0; i < result.constants.size(); ++i) {
        const auto offset = constants + 8 * i;
        result.constants[i] = {read.long_word(offset, 19) << 6, read.word(offset + 4) >> 19 << 4,
                               (read.word(valid) >> (4 * i) & 1U) != 0};
    }
    return result;
}

} // namespace

std::optional<launch_descriptor> read_launch(const std::uint8_t* bytes, isa::architecture arch)
{
    const fields read{bytes};
    if (arch >= isa::architecture::sm120) return read_blackwell(read);
    constexpr unsigned low_24 = 0xffffff, program_offset = 0x20, grid = 0x30, shared = 0x44, version = 0x48,
                       threads = 0x4a, valid = 0x50, signal_bits = 0x2c;
    const auto* const found = std::find_if(std::begin(layouts), std::end(layouts), [&](const layout& each) {
        return bytes[version] >= each.first_version && bytes[version] <= each.last_version;
    });
    if (found == std::end(layouts)) return {};
    launch_descriptor result;
    result.groups = {read.word(grid), read.half(grid + 4), read.half(found->depth)};
    result.threads = {read.half(threads), read.half(threads + 2), read.half(threads + 4)};
    result.program_is_offset = found->wide_program == 0;
    result.program = result.program_is_offset ? read.word(program_offset) : read.long_word(found->wide_program, 17);
    result.shared_bytes = read.word(shared) & 0x3ffff;
    result.local_bytes = (read.word(found->local_low) & low_24) + (read.word(found->local_high) & low_24);
    result.signals = found->signals != 0 && (bytes[found->signals] & signal_bits) != 0;
    for (unsigned i = 0; i < result.constants.size(); ++i) {
        const auto offset = found->constants + 8 * i;
        result.constants[i] = {read.long_word(offset, found->address_bits),
                               read.word(offset + 4) >> found->size_bit << found->size_shift,
                               (bytes[valid] >> i & 1) != 0};
    }
    return result;
}

} // namespace isbesim::gl

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

} // namespace

std::optional<launch_descriptor> read_launch(const std::uint8_t* bytes)
{
    const auto word = [&](unsigned offset) {
        std::uint32_t value = 0;
        std::memcpy(&value, bytes + offset, 4);
        return value;
    };
    const auto half = [&](unsigned offset) { return bytes[offset] | std::uint32_t{bytes[offset + 1]} << 8; };
    const auto long_word = [&](unsigned offset, unsigned upper_bits) {
        return std::uint64_t{word(offset + 4) & ((1U << upper_bits) - 1)} << 32 | word(offset);
    };
    constexpr unsigned low_24 = 0xffffff, program_offset = 0x20, grid = 0x30, shared = 0x44, version = 0x48,
                       threads = 0x4a, valid = 0x50, signal_bits = 0x2c;
    const auto* const found = std::find_if(std::begin(layouts), std::end(layouts), [&](const layout& each) {
        return bytes[version] >= each.first_version && bytes[version] <= each.last_version;
    });
    if (found == std::end(layouts)) return {};
    launch_descriptor result;
    result.groups = {word(grid), half(grid + 4), half(found->depth)};
    result.threads = {half(threads), half(threads + 2), half(threads + 4)};
    result.program_is_offset = found->wide_program == 0;
    result.program = result.program_is_offset ? word(program_offset) : long_word(found->wide_program, 17);
    result.shared_bytes = word(shared) & 0x3ffff;
    result.local_bytes = (word(found->local_low) & low_24) + (word(found->local_high) & low_24);
    result.signals = found->signals != 0 && (bytes[found->signals] & signal_bits) != 0;
    for (unsigned i = 0; i < result.constants.size(); ++i) {
        const auto offset = found->constants + 8 * i;
        result.constants[i] = {long_word(offset, found->address_bits),
                               word(offset + 4) >> found->size_bit << found->size_shift, (bytes[valid] >> i & 1) != 0};
    }
    return result;
}

} // namespace isbesim::gl

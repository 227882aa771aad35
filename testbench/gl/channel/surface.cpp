// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/channel/surface.h"

#include <algorithm>
#include <cstring>

namespace isbesim::gl {

std::uint64_t surface::address_of(std::uint32_t x, std::uint32_t y, std::uint32_t z) const
{
    if (linear) return address + std::uint64_t{y} * pitch + x;
    constexpr std::uint32_t gob_bytes = 64;
    constexpr std::uint32_t gob_lines = 8;
    constexpr std::uint64_t gob = gob_bytes * gob_lines;
    const auto lines = gob_lines << block_height;
    const auto layers = 1U << block_depth;
    const std::uint64_t across = (row_bytes + gob_bytes - 1) / gob_bytes;
    const std::uint64_t down = (height + lines - 1) / lines;
    const std::uint64_t block = (z / layers * down + y / lines) * across + x / gob_bytes;
    const std::uint64_t gob_in_block = (z % layers << block_height) + y % lines / gob_lines;
    // Order inside a GOB since Fermi: 16-byte pieces of two lines, then 32 bytes, then halves.
    const std::uint64_t inside = x % 64 / 32 * 256 + y % 8 / 2 * 64 + x % 32 / 16 * 32 + y % 2 * 16 + x % 16;
    return address + ((block << (block_height + block_depth)) + gob_in_block) * gob + inside;
}

bool copy_rectangle(const gpu_memory& memory, const surface& to, std::uint32_t to_x, std::uint32_t to_y,
                    std::uint32_t to_z, const surface& from, std::uint32_t from_x, std::uint32_t from_y,
                    std::uint32_t from_z, std::uint32_t bytes, std::uint32_t lines)
{
    for (std::uint32_t y = 0; y < lines; ++y) {
        for (std::uint32_t x = 0; x < bytes;) {
            const auto run = std::min({bytes - x, to.run(to_x + x), from.run(from_x + x)});
            auto* target = memory.at(to.address_of(to_x + x, to_y + y, to_z), run);
            const auto* source = memory.at(from.address_of(from_x + x, from_y + y, from_z), run);
            if (target == nullptr || source == nullptr) return false;
            std::memmove(target, source, run);
            x += run;
        }
    }
    return true;
}

} // namespace isbesim::gl

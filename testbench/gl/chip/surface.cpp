// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/chip/surface.h"

#include <algorithm>
#include <cstring>

#include "testbench/gl/chip/gpu_memory.h"

namespace isbesim::gl {

namespace {

constexpr std::uint32_t gob_width = 64, gob_lines = 8;
constexpr std::uint64_t gob = gob_width * gob_lines;

std::uint64_t blocks_across(const surface& image)
{
    return (image.row_bytes + gob_width - 1) / gob_width;
}

std::uint64_t blocks_down(const surface& image)
{
    const auto lines = gob_lines << image.block_height;
    return (image.height + lines - 1) / lines;
}

} // namespace

std::uint64_t surface::address_of(std::uint32_t x, std::uint32_t y, std::uint32_t z) const
{
    if (linear) return address + std::uint64_t{y} * pitch + x;
    const auto lines = gob_lines << block_height;
    const auto layers = 1U << block_depth;
    const std::uint64_t block = (z / layers * blocks_down(*this) + y / lines) * blocks_across(*this) + x / gob_width;
    const std::uint64_t gob_in_block = (z % layers << block_height) + y % lines / gob_lines;
    // Order inside a GOB since Fermi: 16-byte pieces of two lines, then 32 bytes, then halves.
    const std::uint64_t inside = x % 64 / 32 * 256 + y % 8 / 2 * 64 + x % 32 / 16 * 32 + y % 2 * 16 + x % 16;
    return address + ((block << (block_height + block_depth)) + gob_in_block) * gob + inside;
}

byte_range surface::layer(std::uint32_t z) const
{
    if (linear) return {address, std::uint64_t{pitch} * height};
    const auto bytes = blocks_down(*this) * blocks_across(*this) * gob << (block_height + block_depth);
    return {address + (z >> block_depth) * bytes, bytes};
}

bool copy_rectangle(const gpu_memory& memory, const surface& target, std::uint32_t target_x, std::uint32_t target_y,
                    std::uint32_t target_z, const surface& source, std::uint32_t source_x, std::uint32_t source_y,
                    std::uint32_t source_z, std::uint32_t bytes, std::uint32_t lines)
{
    for (std::uint32_t y = 0; y < lines; ++y) {
        for (std::uint32_t x = 0; x < bytes;) {
            const auto run = std::min({bytes - x, target.run(target_x + x), source.run(source_x + x)});
            auto* written = memory.at(target.address_of(target_x + x, target_y + y, target_z), run);
            const auto* read = memory.at(source.address_of(source_x + x, source_y + y, source_z), run);
            if (written == nullptr || read == nullptr) return false;
            std::memmove(written, read, run);
            x += run;
        }
    }
    return true;
}

} // namespace isbesim::gl

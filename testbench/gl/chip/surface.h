// SPDX-License-Identifier: Apache-2.0
// Addresses of an image's bytes, which are in lines or in blocks of GOBs.
#pragma once

#include <cstdint>

namespace isbesim::gl {

class gpu_memory;

/// Consecutive bytes of memory.
struct byte_range {
    std::uint64_t address = 0, bytes = 0;
};

/// A GOB is 64 bytes wide and 8 lines high; a block is 1 GOB wide, 2^block_height high, 2^block_depth deep.
struct surface {
    std::uint64_t address = 0;
    bool linear = true;
    std::uint32_t pitch = 0;                    ///< linear: bytes from line to line
    std::uint32_t row_bytes = 0, height = 0;    ///< in blocks: of the whole image
    unsigned block_height = 0, block_depth = 0; ///< log2, in GOBs

    /// Byte `x` of line `y` in layer `z`.
    std::uint64_t address_of(std::uint32_t x, std::uint32_t y, std::uint32_t z = 0) const;
    /// The memory with layer `z`; in blocks of several layers, with all layers of the block.
    byte_range layer(std::uint32_t z = 0) const;
    /// Number of contiguous bytes from `x` on.
    std::uint32_t run(std::uint32_t x) const { return linear ? 0xffffffffU : 16 - x % 16; }
};

/// Copies a rectangle of bytes; the rectangles must not overlap. Returns false for an address outside the memory.
bool copy_rectangle(const gpu_memory& memory, const surface& target, std::uint32_t target_x, std::uint32_t target_y,
                    std::uint32_t target_z, const surface& source, std::uint32_t source_x, std::uint32_t source_y,
                    std::uint32_t source_z, std::uint32_t bytes, std::uint32_t lines);

} // namespace isbesim::gl

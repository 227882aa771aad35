// SPDX-License-Identifier: Apache-2.0
// Places of texels in memory: levels, layers, tiles (HARDWARE.md H.4).
#pragma once

#include <array>
#include <cstdint>

#include "models/texture/header.h"

namespace isbesim::texture {

/// A GOB, "group of bytes": 64 bytes by 8 lines. A tile stacks GOBs in y, then in z.
inline constexpr unsigned gob_width = 64, gob_lines = 8, gob_bytes = gob_width * gob_lines;

/// Place of a byte in its GOB.
constexpr unsigned gob_offset(unsigned x, unsigned y)
{
    return (x & 32U) << 3 | (y & 6U) << 5 | (x & 16U) << 1 | (y & 1U) << 4 | (x & 15U);
}

/// One level of one layer.
struct level_layout {
    std::uint32_t width = 1, height = 1, depth = 1; ///< texels
    std::uint64_t offset = 0;                       ///< bytes from the layer's first
    std::uint64_t row_bytes = 0;                    ///< of a row of blocks, padded
    std::uint32_t tile_rows = 1;                    ///< rows of tiles
    std::uint8_t tile_height = 0, tile_depth = 0;   ///< logarithms: GOBs in a tile
};

/// Access by a sampler or by an image unit. For a multisample image, coordinates and the header's sizes count pixels in
/// a `texture` access and samples in a `surface` access.
enum class access : std::uint8_t { texture, surface };

struct image_layout {
    std::array<level_layout, 16> levels;
    std::uint64_t layer_bytes = 0;
    std::uint32_t layers = 1; ///< faces, for cubes
};

image_layout lay_out(const header& header, access kind);

/// Offset of a byte in its level. `x` in bytes, `y` in lines of blocks, `z` in slices.
std::uint64_t tiled_offset(const level_layout& level, std::uint64_t x, std::uint32_t y, std::uint32_t z);

} // namespace isbesim::texture

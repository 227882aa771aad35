// SPDX-License-Identifier: Apache-2.0
#include "models/texture/layout.h"

#include <algorithm>

#include "tlm/rounded_up.h"

namespace isbesim::texture {

namespace {

std::uint32_t half_size(std::uint32_t size, unsigned level)
{
    return std::max(size >> level, 1U);
}

/// Logarithm of the smallest power of two, at most 2^greatest, of units that cover a size.
std::uint8_t covering(std::uint32_t size, std::uint32_t unit, unsigned greatest)
{
    unsigned log = greatest;
    while (log > 0 && unit << (log - 1) >= size) --log;
    return static_cast<std::uint8_t>(log);
}

/// Small levels have lower and shallower tiles than level 0. nouveau chooses tiles per level, and one becomes deeper:
/// below a tile of 4 by 16 GOBs, a level of up to 16 lines takes 32 slices.
void choose_tile(const header& header, std::uint32_t lines, level_layout& level)
{
    const bool deeper = header.block_height == 2 && header.block_depth == 4 && lines <= 2 * gob_lines;
    level.tile_height = covering(lines, gob_lines, header.block_height);
    level.tile_depth = covering(level.depth, 1, deeper ? 5 : header.block_depth);
}

void lay_out_tiles(const header& header, access kind, image_layout& layout)
{
    const bool pixels = kind == access::texture;
    const std::uint32_t width = header.width << (pixels ? header.samples_x : 0);
    const std::uint32_t height = header.height << (pixels ? header.samples_y : 0);
    std::uint64_t offset = 0;
    for (unsigned i = 0; i <= header.last_level; ++i) {
        level_layout& level = layout.levels[i];
        level.width = half_size(width, i);
        level.height = half_size(height, i);
        level.depth = header.type == image_type::three_d ? half_size(header.depth, i) : 1;
        const format& format = *header.texels;
        const std::uint32_t columns = (level.width + format.block_width - 1U) / format.block_width;
        const std::uint32_t lines = (level.height + format.block_height - 1U) / format.block_height;
        choose_tile(header, lines, level);
        level.row_bytes = rounded_up(std::uint64_t{columns} * format.bytes, gob_width);
        const std::uint32_t tile_lines = gob_lines << level.tile_height;
        level.tile_rows = (lines + tile_lines - 1) / tile_lines;
        level.offset = offset;
        const std::uint64_t slices = rounded_up(level.depth, std::uint64_t{1} << level.tile_depth);
        offset += level.row_bytes * level.tile_rows * tile_lines * slices;
    }
    const unsigned tile_log = header.block_height + unsigned{header.block_depth};
    layout.layer_bytes = rounded_up(offset, std::uint64_t{gob_bytes} << tile_log);
}

std::uint32_t layer_count(const header& header)
{
    switch (header.type) {
    case image_type::cube:
    case image_type::array_cube:
        return 6 * header.depth;
    case image_type::array_1d:
    case image_type::array_2d:
        return header.depth;
    default:
        return 1;
    }
}

} // namespace

image_layout lay_out(const header& header, access kind)
{
    image_layout layout;
    if (header.layout == memory_layout::block_linear) {
        lay_out_tiles(header, kind, layout);
        layout.layers = layer_count(header);
        return layout;
    }
    level_layout& level = layout.levels[0];
    level.width = header.width;
    level.height = header.height;
    level.row_bytes = header.pitch; // buffers have a single row and no pitch
    return layout;
}

std::uint64_t tiled_offset(const level_layout& level, std::uint64_t x, std::uint32_t y, std::uint32_t z)
{
    const std::uint64_t tiles_in_row = level.row_bytes / gob_width;
    const unsigned line_log = 3U + level.tile_height;
    const std::uint64_t tile =
        (std::uint64_t{z >> level.tile_depth} * level.tile_rows + (y >> line_log)) * tiles_in_row + x / gob_width;
    const std::uint32_t slice = z & ((1U << level.tile_depth) - 1);
    const std::uint32_t gob = (slice << level.tile_height) + (y >> 3 & ((1U << level.tile_height) - 1));
    const std::uint64_t first = (tile << (level.tile_height + level.tile_depth)) + gob;
    return first * gob_bytes + gob_offset(static_cast<unsigned>(x % gob_width), y % gob_lines);
}

} // namespace isbesim::texture

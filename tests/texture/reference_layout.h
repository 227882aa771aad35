// SPDX-License-Identifier: Apache-2.0
// Where a texel's bytes are in block-linear memory, the long way: levels one after the other, each a list of tiles,
// each a list of GOBs, in which the bits of x and y are interleaved.
#pragma once

#include <algorithm>
#include <cstdint>

namespace isbesim::test {

struct reference_shape {
    unsigned width = 1, height = 1, depth = 1; ///< texels of level 0
    bool three_d = false;
    unsigned bytes = 4; ///< of a texel
    unsigned tile_height = 0, tile_depth = 0;
    unsigned last_level = 0;
};

class reference_layout {
public:
    explicit reference_layout(const reference_shape& shape) : shape_(shape) {}

    std::uint64_t layer_bytes() const
    {
        const std::uint64_t tile = 512ULL << (shape_.tile_height + shape_.tile_depth);
        std::uint64_t bytes = level_offset(shape_.last_level + 1);
        while (bytes % tile != 0) bytes += 512;
        return bytes;
    }
    std::uint64_t level_offset(unsigned level) const
    {
        std::uint64_t offset = 0;
        for (unsigned i = 0; i < level; ++i) {
            const tiling tiles(shape_, i);
            offset += std::uint64_t{tiles.tiles_x} * tiles.tiles_y * tiles.tiles_z * tiles.tile_bytes();
        }
        return offset;
    }
    std::uint64_t texel(unsigned level, unsigned layer, unsigned x, unsigned y, unsigned z) const
    {
        const tiling tiles(shape_, level);
        const unsigned byte = x * shape_.bytes;
        const std::uint64_t tile =
            byte / 64 + tiles.tiles_x * (y / tiles.lines + std::uint64_t{tiles.tiles_y} * (z / tiles.slices));
        const unsigned gob = y % tiles.lines / 8 + z % tiles.slices * (tiles.lines / 8);
        return layer * layer_bytes() + level_offset(level) + tile * tiles.tile_bytes() + gob * 512 +
               in_gob(byte % 64, y % 8);
    }
    static unsigned in_gob(unsigned x, unsigned y)
    {
        constexpr unsigned x_goes_to[] = {0, 1, 2, 3, 5, 8};
        constexpr unsigned y_goes_to[] = {4, 6, 7};
        unsigned place = 0;
        for (unsigned i = 0; i < 6; ++i) place += (x >> i & 1U) << x_goes_to[i];
        for (unsigned i = 0; i < 3; ++i) place += (y >> i & 1U) << y_goes_to[i];
        return place;
    }

private:
    struct tiling {
        unsigned lines = 8, slices = 1, tiles_x = 1, tiles_y = 1, tiles_z = 1;

        tiling(const reference_shape& shape, unsigned level)
        {
            unsigned size[] = {shape.width, shape.height, shape.three_d ? shape.depth : 1};
            for (unsigned i = 0; i < level; ++i)
                for (unsigned& each : size) each = each > 1 ? each / 2 : 1;
            while (lines < size[1] && lines < 8U << shape.tile_height) lines *= 2;
            while (slices < size[2] && slices < 1U << shape.tile_depth) slices *= 2;
            tiles_x = (size[0] * shape.bytes + 63) / 64;
            tiles_y = (size[1] + lines - 1) / lines;
            tiles_z = (size[2] + slices - 1) / slices;
        }
        std::uint64_t tile_bytes() const { return 64ULL * lines * slices; }
    };

    reference_shape shape_;
};

} // namespace isbesim::test

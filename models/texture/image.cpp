// SPDX-License-Identifier: Apache-2.0
#include "models/texture/image.h"

namespace isbesim::texture {

namespace {

/// Number of bytes that are contiguous in block-linear memory.
constexpr unsigned adjacent_bytes = 16;

} // namespace

fault image::decode(const entry& words, access kind)
{
    const fault why = decode_header(words, header_);
    if (why == fault::none) layout_ = lay_out(header_, kind);
    return why;
}

bool image::contains(const texel_place& place) const
{
    const level_layout& level = layout_.levels[place.level];
    return place.layer < layout_.layers && place.x < level.width && place.y < level.height && place.z < level.depth;
}

std::uint64_t image::offset(const texel_place& row, std::uint64_t x, std::uint32_t y) const
{
    const level_layout& level = layout_.levels[row.level];
    if (header_.layout != memory_layout::block_linear) return y * level.row_bytes + x;
    return row.layer * layout_.layer_bytes + level.offset + tiled_offset(level, x, y, row.z);
}

std::uint8_t* image::find(memory_space& memory, const texel_place& place) const
{
    const format& format = *header_.texels;
    const std::uint64_t x = std::uint64_t{place.x / format.block_width} * format.bytes;
    return memory.find(header_.address + offset(place, x, place.y / format.block_height), format.bytes);
}

std::uint8_t* image::find_bytes(memory_space& memory, const texel_place& row, std::uint64_t x, std::size_t count) const
{
    if (header_.layout == memory_layout::block_linear && x % adjacent_bytes + count > adjacent_bytes) return nullptr;
    return memory.find(header_.address + offset(row, x, row.y), count);
}

} // namespace isbesim::texture

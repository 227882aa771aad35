// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/channel/render_target.h"

#include <algorithm>

#include "testbench/gl/channel/three_d_methods.h"

namespace isbesim::gl {

namespace {

void set_blocks(surface& where, std::uint32_t sizes)
{
    where.linear = false;
    where.block_height = sizes >> 4 & 0xf;
    where.block_depth = sizes >> 8 & 0xf;
}

} // namespace

surface render_target::image_of(std::uint32_t layer) const
{
    auto result = where;
    if (!has_slices) result.address += (first_layer + layer) * layer_bytes;
    return result;
}

byte_range render_target::memory() const
{
    if (format == nullptr) return {where.address, ~where.address};
    const auto count = std::max(layers, first_layer + 1) - first_layer;
    const auto first = image_of(0).layer(slice_of(0)), last = image_of(count - 1).layer(slice_of(count - 1));
    return {first.address, last.address + last.bytes - first.address};
}

render_target colour_target(const three_d_state& state, std::uint32_t number)
{
    constexpr std::uint32_t in_lines = 1U << 12, depth_is_size = 1U << 16;
    const auto targets = state.at(three_d::colour_targets);
    render_target result;
    if (number >= std::min(targets & 0xf, 8U)) return result;
    const auto registers = three_d::colour_target + 0x40 * (targets >> (4 + 3 * number) & 7);
    const auto at = [&](std::uint32_t offset) { return state.at(registers + offset); };
    result.code = at(0x10);
    result.format = find_target_format(result.code);
    result.where.address = state.address_at(registers);
    result.where.height = at(0xc);
    result.width = at(8);
    result.layers = at(0x18);
    result.layer_bytes = std::uint64_t{at(0x1c)} * 4;
    result.first_layer = at(0x20);
    result.has_slices = (at(0x14) & depth_is_size) != 0;
    if (result.format == nullptr) return result;
    const auto size = result.format->layout.bytes;
    if ((at(0x14) & in_lines) != 0) { // the width is in bytes
        result.where.pitch = result.width;
        result.width /= size;
    } else {
        set_blocks(result.where, at(0x14));
    }
    result.where.row_bytes = result.width * size;
    return result;
}

render_target depth_target(const three_d_state& state)
{
    constexpr std::uint32_t one_layer = 1U << 16;
    render_target result;
    if ((state.at(three_d::depth_enable) & 1) == 0) return result;
    const auto at = [&](std::uint32_t offset) { return state.at(three_d::depth_target + offset); };
    result.code = at(8);
    result.format = find_depth_format(result.code);
    result.where.address = state.address_at(three_d::depth_target);
    set_blocks(result.where, at(0xc));
    result.layer_bytes = std::uint64_t{at(0x10)} * 4;
    result.width = state.at(three_d::depth_size);
    result.where.height = state.at(three_d::depth_size + 4);
    result.first_layer = state.at(three_d::depth_layer);
    const auto third = state.at(three_d::depth_size + 8);
    result.layers = (third & one_layer) != 0 ? result.first_layer + 1 : third & 0xffff;
    if (result.format != nullptr) result.where.row_bytes = result.width * result.format->layout.bytes;
    return result;
}

} // namespace isbesim::gl

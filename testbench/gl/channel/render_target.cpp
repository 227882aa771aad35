// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/channel/render_target.h"

#include <algorithm>

#include "testbench/gl/channel/three_d_methods.h"

namespace isbesim::gl {

namespace {

/// Bit of SET_ZT_FORMAT: the stencil has memory of its own.
constexpr std::uint32_t separate = 1U << 8;

/// The format of depth whose stencil is separate; 0 if there is no depth.
std::uint32_t alone(std::uint32_t code)
{
    constexpr std::uint32_t s8z24 = 0x16, x8z24 = 0x15, zf32_x24s8 = 0x19, zf32 = 0xa, s8 = 0x17, z24s8 = 0x14;
    switch (code & ~separate) {
    case s8z24:
        return x8z24;
    case zf32_x24s8:
        return zf32;
    case s8:
        return 0;
    case z24s8:
        return code; // no driver that we know uses it
    default:
        return code & ~separate;
    }
}

void set_blocks(surface& where, std::uint32_t sizes)
{
    where.linear = false;
    where.block_height = sizes >> 4 & 0xf;
    where.block_depth = sizes >> 8 & 0xf;
}

/// The size and the block of a target of depth or stencil differ in their place only.
render_target zeta_target(const three_d_state& state, std::uint32_t registers, std::uint32_t size, std::uint32_t code)
{
    constexpr std::uint32_t one_layer = 1U << 16;
    render_target result;
    if ((state.at(three_d::depth_enable) & 1) == 0) return result;
    const auto sizes = registers + (registers == three_d::depth_target ? 0xc : 8); // after the depth format
    result.code = code;
    result.format = find_depth_format(code);
    result.where.address = state.address_at(registers);
    set_blocks(result.where, state.at(sizes));
    result.layer_bytes = std::uint64_t{state.at(sizes + 4)} * 4;
    result.width = state.at(size);
    result.where.height = state.at(size + 4);
    result.first_layer = state.at(three_d::depth_layer);
    const auto third = state.at(three_d::depth_size + 8);
    result.layers = (third & one_layer) != 0 ? result.first_layer + 1 : third & 0xffff;
    if (result.format != nullptr) result.where.row_bytes = result.width * result.format->layout.bytes;
    return result;
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
    const auto target_register = [&](std::uint32_t offset) { return state.at(registers + offset); };
    result.code = target_register(0x10);
    result.format = find_target_format(result.code);
    result.where.address = state.address_at(registers);
    result.where.height = target_register(0xc);
    result.width = target_register(8);
    result.layers = target_register(0x18);
    result.layer_bytes = std::uint64_t{target_register(0x1c)} * 4;
    result.first_layer = target_register(0x20);
    result.has_slices = (target_register(0x14) & depth_is_size) != 0;
    if (result.format == nullptr) return result;
    const auto size = result.format->layout.bytes;
    if ((target_register(0x14) & in_lines) != 0) { // the width is in bytes
        result.where.pitch = result.width;
        result.width /= size;
    } else {
        set_blocks(result.where, target_register(0x14));
    }
    result.where.row_bytes = result.width * size;
    return result;
}

render_target depth_target(const three_d_state& state)
{
    const auto code = state.at(three_d::depth_target + 8);
    return zeta_target(state, three_d::depth_target, three_d::depth_size, (code & separate) != 0 ? alone(code) : code);
}

render_target stencil_target(const three_d_state& state)
{
    constexpr std::uint32_t stencil = 0x17;
    const bool exists = (state.at(three_d::depth_target + 8) & separate) != 0;
    return zeta_target(state, three_d::stencil_target, three_d::stencil_size, exists ? stencil : 0);
}

} // namespace isbesim::gl

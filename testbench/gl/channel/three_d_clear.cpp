// SPDX-License-Identifier: Apache-2.0
// Clears of colour, depth and stencil. Drivers also fill buffers with them, as colour targets in lines.
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <utility>

#include "testbench/gl/channel/report.h"
#include "testbench/gl/channel/three_d_engine.h"
#include "testbench/gl/channel/three_d_methods.h"

namespace isbesim::gl {

namespace {

using range = image_fill::range;
struct area {
    range x, y;

    void cut(const area& other)
    {
        for (const auto which : {&area::x, &area::y}) {
            (this->*which).first = std::max((this->*which).first, (other.*which).first);
            (this->*which).end = std::min((this->*which).end, (other.*which).end);
        }
    }
};

range first_and_end(std::uint32_t value)
{
    return {value & 0xffff, value >> 16};
}

range first_and_size(std::uint32_t value)
{
    return {value & 0xffff, (value & 0xffff) + (value >> 16)};
}

/// Logarithms of the samples of a pixel, across and down (SET_ANTI_ALIAS).
std::pair<unsigned, unsigned> samples_of(std::uint32_t mode)
{
    static constexpr std::pair<unsigned, unsigned> logs[] = {{0, 0}, {1, 0}, {1, 1}, {2, 1}, {2, 1}, {1, 0}, {2, 2}};
    return mode < std::size(logs) ? logs[mode] : logs[0];
}

/// The samples that the registers select, which give pixels.
area cleared_area(const three_d_state& state, const render_target& target)
{
    constexpr std::uint32_t use_rectangle = 1U << 4, use_scissor = 1U << 8, use_viewport = 1U << 12;
    const auto control = state.at(three_d::clear_control);
    const auto area_of = [&](std::uint32_t number, range read(std::uint32_t)) {
        return area{read(state.at(number)), read(state.at(number + 4))};
    };
    auto result = area_of(three_d::surface_clip, first_and_size);
    if ((control & use_rectangle) != 0) result.cut(area_of(three_d::clear_rectangle, first_and_end));
    if ((control & use_scissor) != 0 && (state.at(three_d::scissor) & 1) != 0)
        result.cut(area_of(three_d::scissor + 4, first_and_end));
    if ((control & use_viewport) != 0) result.cut(area_of(three_d::viewport_clip, first_and_size));
    const auto [across, down] = samples_of(state.at(three_d::samples) & 0xf);
    result = {{result.x.first << across, result.x.end << across}, {result.y.first << down, result.y.end << down}};
    result.cut({{0, target.width}, {0, target.where.height}});
    return result;
}

/// Sets the bits of a fill, and those that it keeps: of channels that the clear does not write. Returns false if it
/// writes none.
bool set_bits(const render_target& target, std::uint32_t channels, const std::uint32_t* values,
              std::uint32_t stencil_mask, image_fill& fill)
{
    const auto& layout = target.format->layout;
    encode_pixel(*target.format, values, fill.bits.data());
    bool writes = false;
    for (unsigned i = 0; i < layout.channels.size(); ++i) {
        const auto field = layout.channels[i];
        for (unsigned bit = 0; bit < field.count; ++bit) {
            const bool stays =
                (channels >> i & 1) == 0 || (target.format->depth && i == 1 && (stencil_mask >> bit & 1) == 0);
            const auto position = field.first + bit;
            writes = writes || !stays;
            if (stays)
                fill.kept[position / 8] = static_cast<std::uint8_t>(fill.kept[position / 8] | 1U << position % 8);
        }
    }
    for (unsigned i = 0; i < image_fill::piece; ++i) {
        fill.kept[i] = fill.kept[i % layout.bytes];
        fill.bits[i] = static_cast<std::uint8_t>(fill.bits[i % layout.bytes] & ~fill.kept[i]);
    }
    return writes;
}

} // namespace

void three_d_engine::clear(std::uint32_t what)
{
    if (!rendering_enabled(parts_, state_)) return;
    const auto layer = what >> 10 & 0xffff;
    if (const auto channels = what & 3; channels != 0) {
        const std::uint32_t values[] = {state_.at(three_d::clear_depth), state_.at(three_d::clear_stencil) & 0xff, 0,
                                        0};
        clear(depth_target(state_), layer, channels, values);
        clear(stencil_target(state_), layer, channels, values);
    }
    if (const auto channels = what >> 2 & 0xf; channels != 0)
        clear(colour_target(state_, what >> 6 & 0xf), layer, channels, &state_.at(three_d::clear_colour));
}

void three_d_engine::clear(const render_target& target, std::uint32_t layer, std::uint32_t channels,
                           const std::uint32_t* values)
{
    constexpr std::uint32_t respect_stencil_mask = 1;
    if (target.code == 0) return;
    if (target.format == nullptr) {
        char name[48];
        std::snprintf(name, sizeof name, "clears of format %02x", target.code);
        ++parts_.counts.skipped[name];
        parts_.memory.set_undrawn(target.memory());
        return;
    }
    const auto cleared = cleared_area(state_, target);
    const bool masked = (state_.at(three_d::clear_control) & respect_stencil_mask) != 0;
    const std::uint32_t size = target.format->layout.bytes;
    image_fill fill;
    fill.where = target.image_of(layer);
    fill.z = target.slice_of(layer);
    fill.x = {cleared.x.first * size, cleared.x.end * size};
    fill.y = cleared.y;
    if (cleared.x.first >= cleared.x.end || cleared.y.first >= cleared.y.end ||
        !set_bits(target, channels, values, masked ? state_.at(three_d::stencil_mask) : 0xff, fill))
        return;
    const auto reach = fill.reach();
    if (!parts_.memory.fill(fill)) ++parts_.counts.refused["clear of an address outside the GPU's memory"];
    parts_.journal.forget(reach.address, reach.bytes);
    if (fill.is_whole()) parts_.memory.set_drawn(reach);
}

} // namespace isbesim::gl

// SPDX-License-Identifier: Apache-2.0
// Clears. Drivers use them to fill buffers, as colour targets in lines. Targets in blocks and depth are left out, like
// the pixels that would be drawn over them.
#include <algorithm>
#include <array>
#include <cstdio>

#include "testbench/gl/channel/pixel_format.h"
#include "testbench/gl/channel/report.h"
#include "testbench/gl/channel/three_d_engine.h"
#include "testbench/gl/channel/three_d_methods.h"

namespace isbesim::gl {

namespace {

/// Pixels: the first, and the first after the range.
struct range {
    std::uint64_t first, end;
};
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

/// The part of a target that the registers select.
area cleared_area(const three_d_state& state, std::uint64_t width, std::uint64_t height)
{
    constexpr std::uint32_t use_rectangle = 1U << 4, use_scissor = 1U << 8, use_viewport = 1U << 12;
    const auto control = state.at(three_d::clear_control);
    const auto of = [&](std::uint32_t number, range read(std::uint32_t)) {
        return area{read(state.at(number)), read(state.at(number + 4))};
    };
    area result{{0, width}, {0, height}};
    result.cut(of(three_d::surface_clip, first_and_size));
    if ((control & use_rectangle) != 0) result.cut(of(three_d::clear_rectangle, first_and_end));
    if ((control & use_scissor) != 0 && (state.at(three_d::scissor) & 1) != 0)
        result.cut(of(three_d::scissor + 4, first_and_end));
    if ((control & use_viewport) != 0) result.cut(of(three_d::viewport_clip, first_and_size));
    return result;
}

/// A pixel's bytes, and the bits that a clear keeps: those of channels that it does not write.
struct pixel_pattern {
    std::array<std::uint8_t, 16> bytes{}, kept{};

    pixel_pattern(const pixel_format& format, const std::uint32_t* colour, std::uint32_t channels)
    {
        encode_pixel(format, colour, bytes.data());
        for (unsigned i = 0; i < 4; ++i) {
            const auto field = format.layout.channels[i];
            if ((channels >> i & 1) != 0) continue;
            for (unsigned bit = field.first; bit < unsigned{field.first} + field.count; ++bit)
                kept[bit / 8] = static_cast<std::uint8_t>(kept[bit / 8] | 1U << bit % 8);
        }
    }
    void write(std::uint8_t* pixel, unsigned size) const
    {
        for (unsigned i = 0; i < size; ++i)
            pixel[i] = static_cast<std::uint8_t>((pixel[i] & kept[i]) | (bytes[i] & ~kept[i]));
    }
};

} // namespace

void three_d_engine::clear(std::uint32_t what)
{
    constexpr std::uint32_t depth_or_stencil = 3;
    constexpr std::uint32_t in_lines = 1U << 12;
    if (!rendering_enabled(parts_, state_)) return;
    const auto leave_out = [&](const char* name, std::uint64_t address) {
        ++parts_.counts.skipped[name];
        parts_.memory.set_undrawn(address);
    };
    if ((what & depth_or_stencil) != 0)
        leave_out("clears of depth and stencil", state_.address_at(three_d::depth_target));
    const auto channels = (what >> 2) & 0xf;
    const auto index = (what >> 6) & 0xf;
    const auto targets = state_.at(three_d::colour_targets);
    if (channels == 0 || index >= std::min(targets & 0xf, 8U)) return;
    const auto target = three_d::colour_target + 0x40 * ((targets >> (4 + 3 * index)) & 7);
    const auto at = [&](std::uint32_t offset) { return std::uint64_t{state_.at(target + offset)}; };
    if (at(0x10) == 0) return;
    const auto layer = ((what >> 10) & 0xffff) + at(0x20);
    const auto address = state_.address_at(target) + layer * at(0x1c) * 4;
    if ((at(0x14) & in_lines) == 0) {
        leave_out("clears of images in blocks", address);
        return;
    }
    const auto* format = find_target_format(state_.at(target + 0x10));
    if (format == nullptr || format->srgb) {
        char name[48];
        std::snprintf(name, sizeof name, "clears of format %02x", state_.at(target + 0x10));
        leave_out(name, address);
        return;
    }
    const auto size = format->layout.bytes;
    const auto pitch = at(8); // for lines, the width is in bytes
    const auto cleared = cleared_area(state_, pitch / size, at(0xc));
    if (cleared.x.first >= cleared.x.end) return;
    const pixel_pattern pattern(*format, &state_.at(three_d::clear_colour), channels);
    const auto bytes = (cleared.x.end - cleared.x.first) * size;
    for (auto y = cleared.y.first; y < cleared.y.end; ++y) {
        const auto line = address + y * pitch + cleared.x.first * size;
        auto* pixels = parts_.memory.at(line, bytes);
        if (pixels == nullptr) {
            ++parts_.counts.refused["clear of an address outside the GPU's memory"];
            return;
        }
        for (std::uint64_t i = 0; i < bytes; i += size) pattern.write(pixels + i, size);
        parts_.journal.forget(line, bytes);
    }
}

} // namespace isbesim::gl

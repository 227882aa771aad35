// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/channel/copy_engine.h"

#include <cstring>

#include "testbench/gl/channel/surface.h"

namespace isbesim::gl {

namespace {

// Class headers: A0B5.
namespace copy_method {
constexpr std::uint32_t launch = 0x300, from = 0x400, to = 0x408, pitch_from = 0x410, pitch_to = 0x414,
                        line_length = 0x418, line_count = 0x41c, constant = 0x700, components = 0x708, to_block = 0x70c,
                        from_block = 0x728;
constexpr std::uint32_t set_semaphore = 0x240;
} // namespace copy_method
// Behind a block size: width in pixels, height, depth, layer, origin.
enum place : std::uint32_t { width = 4, height = 8, depth = 12, layer = 16, origin = 20 };

// Set: lines with a pitch; clear: blocks.
constexpr std::uint32_t from_linear = 1U << 7;
constexpr std::uint32_t to_linear = 1U << 8;
constexpr std::uint32_t many_lines = 1U << 9;
constexpr std::uint32_t remapped = 1U << 10;

} // namespace

void copy_engine::method(std::uint32_t number, std::uint32_t value)
{
    if (number >= 0x800) return;
    registers_[number / 4] = value;
    if (number == copy_method::launch) launch(value);
}

std::vector<std::uint8_t> copy_engine::constant_pixel() const
{
    constexpr std::uint32_t first_constant = 4, last_constant = 5;
    const auto components = at(copy_method::components);
    const auto bytes = ((components >> 16) & 3) + 1;
    std::vector<std::uint8_t> pixel;
    for (unsigned i = 0; i <= ((components >> 24) & 3); ++i) {
        const auto from = (components >> (4 * i)) & 7;
        if (from < first_constant || from > last_constant) return {};
        const auto value = at(copy_method::constant + 4 * (from - first_constant));
        for (unsigned byte = 0; byte < bytes; ++byte) pixel.push_back(static_cast<std::uint8_t>(value >> (8 * byte)));
    }
    return pixel;
}

void copy_engine::fill(const std::vector<std::uint8_t>& pixel, std::uint32_t what)
{
    if ((what & to_linear) == 0) {
        ++parts_.counts.skipped["fills of images in blocks"];
        return;
    }
    const auto length = std::uint64_t{at(copy_method::line_length)} * pixel.size();
    const auto lines = (what & many_lines) != 0 ? at(copy_method::line_count) : 1;
    for (std::uint32_t line = 0; line < lines; ++line) {
        const auto address = address_at(copy_method::to) + std::uint64_t{line} * at(copy_method::pitch_to);
        auto* target = parts_.memory.at(address, length);
        if (target == nullptr) {
            ++parts_.counts.refused["copy with an address outside the GPU's memory"];
            return;
        }
        for (std::uint64_t i = 0; i < length; ++i) target[i] = pixel[i % pixel.size()];
        parts_.journal.forget(address, length);
    }
}

void copy_engine::launch(std::uint32_t what)
{
    const auto length = at(copy_method::line_length);
    if ((what & 3) == 0) {
        ++parts_.counts.skipped["semaphore of the copy engine"];
        return;
    }
    if ((what & remapped) != 0) {
        if (const auto pixel = constant_pixel(); !pixel.empty()) {
            fill(pixel, what);
            return;
        }
    }
    if ((what & many_lines) == 0) {
        auto* target = parts_.memory.at(address_at(copy_method::to), length);
        const auto* source = parts_.memory.at(address_at(copy_method::from), length);
        if (target == nullptr || source == nullptr) {
            ++parts_.counts.refused["copy with an address outside the GPU's memory"];
            return;
        }
        std::memmove(target, source, length);
        parts_.journal.forget(address_at(copy_method::to), length);
        return;
    }
    // With remapping the unit is a pixel, of components as in 17:16 (bytes) and 21:20 (of the source).
    const auto components = at(copy_method::components);
    const auto unit = (what & remapped) != 0 ? (((components >> 16) & 3) + 1) * (((components >> 20) & 3) + 1) : 1;
    const auto make = [&](std::uint32_t address, std::uint32_t pitch, std::uint32_t block, bool linear) {
        surface result;
        result.address = address_at(address);
        result.linear = linear;
        result.pitch = at(pitch);
        result.row_bytes = at(block + width) * unit;
        result.height = at(block + height);
        result.depth = at(block + depth);
        result.block_height = (at(block) >> 4) & 0xf;
        result.block_depth = (at(block) >> 8) & 0xf;
        return result;
    };
    const auto from =
        make(copy_method::from, copy_method::pitch_from, copy_method::from_block, (what & from_linear) != 0);
    const auto to = make(copy_method::to, copy_method::pitch_to, copy_method::to_block, (what & to_linear) != 0);
    // The fragment stage, which is not modelled, drew there: counted for the summary.
    if (!from.linear && to.linear) ++parts_.counts.skipped[images_read_back];
    const auto x_of = [&](const surface& one, std::uint32_t block) {
        return one.linear ? 0 : (at(block + origin) & 0xffff) * unit;
    };
    const auto y_of = [&](const surface& one, std::uint32_t block) {
        return one.linear ? 0 : at(block + origin) >> 16;
    };
    const auto z_of = [&](const surface& one, std::uint32_t block) { return one.linear ? 0 : at(block + layer); };
    if (!copy_rectangle(parts_.memory, to, x_of(to, copy_method::to_block), y_of(to, copy_method::to_block),
                        z_of(to, copy_method::to_block), from, x_of(from, copy_method::from_block),
                        y_of(from, copy_method::from_block), z_of(from, copy_method::from_block), length * unit,
                        at(copy_method::line_count)))
        ++parts_.counts.refused["copy with an address outside the GPU's memory"];
}

} // namespace isbesim::gl

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>

#include "testbench/gl/channel/engine.h"
#include "testbench/gl/chip/surface.h"

namespace isbesim::gl {

namespace {

// Class headers: A0B5.
namespace copy_method {
constexpr std::uint32_t semaphore = 0x240, payload = 0x248;
constexpr std::uint32_t launch = 0x300, from = 0x400, to = 0x408, pitch_from = 0x410, pitch_to = 0x414,
                        line_length = 0x418, line_count = 0x41c, constant = 0x700, components = 0x708, to_block = 0x70c,
                        to_origin = 0x720, from_block = 0x728, from_origin = 0x73c;
/// x, then y; since C1B5 registers, which the packed origins set.
constexpr std::uint32_t from_origin_x = 0x744, to_origin_x = 0x74c;
} // namespace copy_method
// Offsets from a block size: width in pixels, height, layer.
enum field : std::uint32_t { width = 4, height = 8, layer = 16 };

// Set: lines with a pitch; clear: blocks.
constexpr std::uint32_t from_linear = 1U << 7;
constexpr std::uint32_t to_linear = 1U << 8;
constexpr std::uint32_t many_lines = 1U << 9;
constexpr std::uint32_t remapped = 1U << 10;
constexpr std::uint32_t reduces = 1U << 19; ///< the semaphore: combines its word with the payload

/// What a launch writes when its copy is done, bits 4:3: the payload, or the payload and the time.
enum class release : std::uint32_t { nothing, one_word, four_words };

/// Remapping of pixel components: bytes per component, number of components read and written, source of each written
/// component.
struct remapping {
    explicit remapping(std::uint32_t components)
        : bytes(((components >> 16) & 3) + 1), read(((components >> 20) & 3) + 1), written(((components >> 24) & 3) + 1)
    {
        for (unsigned i = 0; i < written; ++i) from[i] = (components >> (4 * i)) & 7;
    }
    bool is_in_order() const
    {
        constexpr std::array<std::uint32_t, 4> in_order = {0, 1, 2, 3};
        return read == written && std::equal(from.begin(), from.begin() + written, in_order.begin());
    }

    std::uint32_t bytes, read, written;
    std::array<std::uint32_t, 4> from{};
};

/// The copy engine: copies lines and rectangles of linear memory and of images in blocks.
class copy_engine : public engine {
public:
    explicit copy_engine(const channel_parts& parts) : parts_(parts) {}
    void method(std::uint32_t number, std::uint32_t value) override
    {
        if (number >= 0x800) return;
        registers_[number / 4] = value;
        if (number == copy_method::from_origin) set_origin(copy_method::from_origin_x, value);
        if (number == copy_method::to_origin) set_origin(copy_method::to_origin_x, value);
        if (number == copy_method::launch) launch(value);
    }

private:
    std::uint32_t at(std::uint32_t number) const { return registers_[number / 4]; }
    std::uint64_t address_at(std::uint32_t number) const { return (std::uint64_t{at(number)} << 32) | at(number + 4); }
    void set_origin(std::uint32_t first, std::uint32_t packed)
    {
        registers_[first / 4] = packed & 0xffff;
        registers_[first / 4 + 1] = packed >> 16;
    }
    void launch(std::uint32_t what)
    {
        if ((what & 3) != 0) copy(what);
        release_semaphore(what);
    }
    void release_semaphore(std::uint32_t what)
    {
        const auto how = static_cast<release>((what >> 3) & 3);
        if (how == release::nothing) return;
        const auto address = address_at(copy_method::semaphore);
        const auto payload = at(copy_method::payload);
        const std::uint64_t bytes = how == release::one_word ? 4 : 16;
        auto* target = parts_.memory.at(address, bytes);
        if ((what & reduces) != 0) {
            ++parts_.counts.skipped["reductions by semaphores of the copy engine"];
        } else if (target == nullptr) {
            ++parts_.counts.refused["semaphore of the copy engine outside the GPU's memory"];
        } else if (how == release::one_word) {
            parts_.fences.add(address, payload);
        } else {
            parts_.fences.forget(address, bytes);
            const std::uint64_t words[] = {payload, parts_.target.nanoseconds()};
            std::memcpy(target, words, sizeof words);
        }
    }
    void copy(std::uint32_t what)
    {
        const auto length = at(copy_method::line_length);
        std::uint32_t unit = 1; // with remapping: bytes of a source pixel
        if ((what & remapped) != 0) {
            const remapping pixel(at(copy_method::components));
            if (!pixel.is_in_order()) {
                rearrange(what);
                return;
            }
            unit = pixel.bytes * pixel.read;
        }
        if ((what & many_lines) == 0) {
            const auto bytes = std::uint64_t{length} * unit;
            auto* target = parts_.memory.at(address_at(copy_method::to), bytes);
            const auto* source = parts_.memory.at(address_at(copy_method::from), bytes);
            if (target == nullptr || source == nullptr) {
                ++parts_.counts.refused["copy with an address outside the GPU's memory"];
                return;
            }
            std::memmove(target, source, bytes);
            parts_.target.transfer(bytes);
            parts_.journal.forget(address_at(copy_method::to), bytes);
            return;
        }
        const auto source = from_image(what, unit);
        const auto to = to_image(what, unit);
        note_copied_pixels(parts_, to.image, to.z, source.image, source.z);
        if (!copy_rectangle(parts_.memory, to.image, to.x * unit, to.y, to.z, source.image, source.x * unit, source.y,
                            source.z, length * unit, at(copy_method::line_count)))
            ++parts_.counts.refused["copy with an address outside the GPU's memory"];
        else
            parts_.target.transfer(std::uint64_t{length} * unit * at(copy_method::line_count));
    }
    /// An image, and the pixel where the rectangle begins.
    struct place {
        surface image;
        std::uint32_t x = 0, y = 0, z = 0;
    };
    place to_image(std::uint32_t what, std::uint32_t pixel) const
    {
        return image_at(copy_method::to, copy_method::pitch_to, copy_method::to_block, copy_method::to_origin_x,
                        (what & to_linear) != 0, pixel);
    }
    place from_image(std::uint32_t what, std::uint32_t pixel) const
    {
        return image_at(copy_method::from, copy_method::pitch_from, copy_method::from_block, copy_method::from_origin_x,
                        (what & from_linear) != 0, pixel);
    }
    place image_at(std::uint32_t address, std::uint32_t pitch, std::uint32_t block, std::uint32_t origin, bool linear,
                   std::uint32_t pixel) const
    {
        place result;
        auto& image = result.image;
        image.address = address_at(address);
        image.linear = linear;
        image.pitch = at(pitch);
        image.row_bytes = at(block + width) * pixel;
        image.height = linear ? at(copy_method::line_count) : at(block + height);
        image.block_height = at(block) >> 4 & 0xf;
        image.block_depth = at(block) >> 8 & 0xf;
        if (!linear) {
            result.x = at(origin);
            result.y = at(origin + 4);
            result.z = at(block + layer);
        }
        return result;
    }
    /// Copies pixels; each component is any component of the source or a constant.
    void rearrange(std::uint32_t what)
    {
        constexpr std::uint32_t first_constant = 4, last_constant = 5;
        const remapping pixel_format(at(copy_method::components));
        const auto& selectors = pixel_format.from;
        const auto count = pixel_format.written;
        const auto bytes = pixel_format.bytes;
        const auto source = bytes * pixel_format.read;
        const bool reads =
            std::any_of(selectors.begin(), selectors.begin() + count, [](auto one) { return one < first_constant; });
        const auto written = static_cast<std::uint32_t>(count * bytes);
        const auto to_place = to_image(what, written);
        const auto from_place = from_image(what, source);
        const auto fits = [](const place& side, std::uint32_t size) {
            return side.image.linear || side.image.run(0) % size == 0;
        };
        if (!fits(to_place, written) || (reads && !fits(from_place, source))) {
            ++parts_.counts.skipped["copies that rearrange pixels of 3, 6, 9 or 12 bytes in blocks"];
            return;
        }
        if (reads) note_copied_pixels(parts_, to_place.image, to_place.z, from_place.image, from_place.z);
        const auto length = at(copy_method::line_length);
        const auto lines = (what & many_lines) != 0 ? at(copy_method::line_count) : 1;
        const auto run_at = [](const place& side, std::uint32_t pixel, std::uint32_t size) {
            return side.image.run((side.x + pixel) * size) / size;
        };
        const auto bytes_at = [this](const place& side, std::uint32_t pixel, std::uint32_t line, std::uint32_t size,
                                     std::uint32_t run) {
            return parts_.memory.at(side.image.address_of((side.x + pixel) * size, side.y + line, side.z),
                                    std::uint64_t{run} * size);
        };
        for (std::uint32_t line = 0; line < lines; ++line) {
            std::uint32_t run = 0;
            for (std::uint32_t first = 0; first < length; first += run) {
                run = std::min(length - first, run_at(to_place, first, written));
                if (reads) run = std::min(run, run_at(from_place, first, source));
                auto* target = bytes_at(to_place, first, line, written, run);
                const auto* pixels = reads ? bytes_at(from_place, first, line, source, run) : nullptr;
                if (target == nullptr || (reads && pixels == nullptr)) {
                    ++parts_.counts.refused["copy with an address outside the GPU's memory"];
                    return;
                }
                for (std::uint32_t pixel = 0; pixel < run; ++pixel) {
                    for (unsigned i = 0; i < count; ++i, target += bytes) {
                        if (selectors[i] < first_constant)
                            std::memmove(target, pixels + pixel * source + selectors[i] * bytes, bytes);
                        else if (selectors[i] <= last_constant)
                            std::memcpy(target, &registers_[copy_method::constant / 4 + selectors[i] - first_constant],
                                        bytes);
                    }
                }
            }
            const auto begin = to_place.image.address_of(0, line);
            if (to_place.image.linear) parts_.journal.forget(begin, std::uint64_t{length} * written);
        }
        parts_.target.transfer(std::uint64_t{length} * written * lines);
    }

    channel_parts parts_;
    std::array<std::uint32_t, 0x800 / 4> registers_{};
};

} // namespace

void note_copied_pixels(const channel_parts& parts, const surface& target, std::uint32_t target_layer,
                        const surface& source, std::uint32_t source_layer)
{
    if (!parts.memory.is_undrawn(source.layer(source_layer))) return;
    if (target.linear)
        ++parts.counts.skipped[images_read_back];
    else
        parts.memory.set_undrawn(target.layer(target_layer));
}

std::unique_ptr<engine> make_copy_engine(const channel_parts& parts)
{
    return std::make_unique<copy_engine>(parts);
}

} // namespace isbesim::gl

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "testbench/gl/channel/engine.h"
#include "testbench/gl/channel/pixel_format.h"
#include "testbench/gl/chip/surface.h"

namespace isbesim::gl {

namespace {

// Class headers: 902D. A surface is format, linear, block size, depth, layer, pitch, width, height, address.
namespace blit_method {
constexpr std::uint32_t to = 0x200, from = 0x230;
constexpr std::uint32_t clip_x = 0x280, clip_enable = 0x290; ///< left, top, width, height
constexpr std::uint32_t operation = 0x2ac;
constexpr std::uint32_t second_corner = 0x60c;
constexpr std::uint32_t to_x = 0x8b0, to_y = 0x8b4, width = 0x8b8, height = 0x8bc;
constexpr std::uint32_t x_step = 0x8c0, y_step = 0x8c8; ///< fraction, integer
constexpr std::uint32_t from_x = 0x8d0, from_y = 0x8d8; ///< fraction, integer; the last word starts the blit
} // namespace blit_method

enum operation : std::uint32_t { copy = 3, copy_premultiplied = 5 };

/// The 2D class: copies of rectangles.
class blit_engine : public engine {
public:
    explicit blit_engine(const channel_parts& parts) : parts_(parts)
    {
        registers_[blit_method::operation / 4] = operation::copy; // a choice: drivers set it first
    }
    void method(std::uint32_t number, std::uint32_t value) override
    {
        if (number >= 0xc00) return;
        registers_[number / 4] = value;
        if (number == blit_method::from_y + 4) blit();
        if (number == blit_method::second_corner) ++parts_.counts.skipped["shapes that the 2D class fills"];
    }

private:
    /// In pixels.
    struct rectangle {
        std::uint32_t to_x, to_y, from_x, from_y, width, height;
    };

    std::uint32_t at(std::uint32_t number) const { return registers_[number / 4]; }
    surface surface_at(std::uint32_t number, unsigned pixel_bytes) const
    {
        surface result;
        result.linear = at(number + 0x4) != 0;
        result.block_height = (at(number + 0x8) >> 4) & 0xf;
        result.block_depth = (at(number + 0x8) >> 8) & 0xf;
        result.pitch = at(number + 0x14);
        result.row_bytes = at(number + 0x18) * pixel_bytes;
        result.height = at(number + 0x1c);
        result.address = (std::uint64_t{at(number + 0x20)} << 32) | at(number + 0x24);
        return result;
    }
    /// A surface in lines has a single layer.
    std::uint32_t layer(std::uint32_t number) const { return at(number + 4) != 0 ? 0 : at(number + 0x10); }
    rectangle clipped() const
    {
        using namespace blit_method;
        rectangle all{at(to_x), at(to_y), at(from_x + 4), at(from_y + 4), at(width), at(height)};
        if (at(clip_enable) == 0) return all;
        const auto cut = [](std::uint32_t& target, std::uint32_t& source, std::uint32_t& size, std::uint32_t first,
                            std::uint32_t count) {
            const auto skipped = std::min(size, first > target ? first - target : 0);
            target += skipped;
            source += skipped;
            const auto end = std::uint64_t{first} + count;
            const auto left = end > target ? end - target : 0;
            size = static_cast<std::uint32_t>(std::min<std::uint64_t>(size - skipped, left));
        };
        cut(all.to_x, all.from_x, all.width, at(clip_x), at(clip_x + 8));
        cut(all.to_y, all.from_y, all.height, at(clip_x + 4), at(clip_x + 12));
        return all;
    }
    /// Returns false for an address outside the memory.
    bool convert(const pixel_format& to_format, const pixel_format& from_format, const rectangle& what)
    {
        const auto to_bytes = to_format.layout.bytes;
        const auto from_bytes = from_format.layout.bytes;
        const auto target = surface_at(blit_method::to, to_bytes);
        const auto source = surface_at(blit_method::from, from_bytes);
        for (std::uint32_t y = 0; y < what.height; ++y) {
            for (std::uint32_t x = 0; x < what.width; ++x) {
                auto* write = parts_.memory.at(
                    target.address_of((what.to_x + x) * to_bytes, what.to_y + y, layer(blit_method::to)), to_bytes);
                const auto* read = parts_.memory.at(
                    source.address_of((what.from_x + x) * from_bytes, what.from_y + y, layer(blit_method::from)),
                    from_bytes);
                if (write == nullptr || read == nullptr) return false;
                convert_pixel(from_format, read, to_format, write);
            }
        }
        return true;
    }
    void blit()
    {
        using namespace blit_method;
        const auto* to_format = find_pixel_format(at(to));
        const auto* from_format = find_pixel_format(at(from));
        // Sampling at pixel centres makes the source's fraction one half, which changes nothing in a 1:1 copy.
        const auto same_size = at(x_step) == 0 && at(x_step + 4) == 1 && at(y_step) == 0 && at(y_step + 4) == 1;
        const auto how = at(blit_method::operation);
        if (to_format == nullptr || from_format == nullptr || !can_convert(*from_format, *to_format) || !same_size ||
            (how != operation::copy && how != operation::copy_premultiplied)) {
            ++parts_.counts.skipped["2D blits that scale or mix"];
            if (to_format != nullptr)
                parts_.memory.set_undrawn(surface_at(to, to_format->layout.bytes).layer(layer(to)));
            return;
        }
        const auto what = clipped();
        const auto bytes = to_format->layout.bytes;
        note_copied_pixels(parts_, surface_at(to, bytes), layer(to), surface_at(from, from_format->layout.bytes),
                           layer(from));
        const auto whole = to_format != from_format
                               ? convert(*to_format, *from_format, what)
                               : copy_rectangle(parts_.memory, surface_at(to, bytes), what.to_x * bytes, what.to_y,
                                                layer(to), surface_at(from, bytes), what.from_x * bytes, what.from_y,
                                                layer(from), what.width * bytes, what.height);
        if (!whole) ++parts_.counts.refused["2D blit with an address outside the GPU's memory"];
    }

    channel_parts parts_;
    std::array<std::uint32_t, 0xc00 / 4> registers_{};
};

} // namespace

std::unique_ptr<engine> make_blit_engine(const channel_parts& parts)
{
    return std::make_unique<blit_engine>(parts);
}

} // namespace isbesim::gl

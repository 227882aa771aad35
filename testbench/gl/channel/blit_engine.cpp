#include "testbench/gl/channel/blit_engine.h"

namespace isbesim::gl {

namespace {

// Class headers: 902D. A surface is format, linear, block size, depth, layer, pitch, width, height, address.
namespace blit_method {
constexpr std::uint32_t to = 0x200, from = 0x230;
constexpr std::uint32_t to_x = 0x8b0, to_y = 0x8b4, width = 0x8b8, height = 0x8bc;
constexpr std::uint32_t x_step = 0x8c0, y_step = 0x8c8; ///< fraction, integer
constexpr std::uint32_t from_x = 0x8d0, from_y = 0x8d8; ///< fraction, integer; the last one starts the blit
} // namespace blit_method

/// Bytes of a pixel, by ranges of the formats' codes; 0 for the others.
unsigned pixel_bytes_of(std::uint32_t format)
{
    if (format >= 0xc0 && format <= 0xc3) return 16;
    if (format >= 0xc6 && format <= 0xce) return 8;
    if (format >= 0xcf && format <= 0xe7) return 4;
    if (format >= 0xe8 && format <= 0xf2) return 2;
    if (format >= 0xf3 && format <= 0xf7) return 1;
    return 0;
}

} // namespace

void blit_engine::method(std::uint32_t number, std::uint32_t value)
{
    if (number >= 0xc00) return;
    registers_[number / 4] = value;
    if (number == blit_method::from_y + 4) blit();
}

surface blit_engine::surface_at(std::uint32_t number, unsigned pixel_bytes) const
{
    surface result;
    result.linear = at(number + 0x4) != 0;
    result.block_height = (at(number + 0x8) >> 4) & 0xf;
    result.block_depth = (at(number + 0x8) >> 8) & 0xf;
    result.depth = at(number + 0xc);
    result.pitch = at(number + 0x14);
    result.row_bytes = at(number + 0x18) * pixel_bytes;
    result.height = at(number + 0x1c);
    result.address = (std::uint64_t{at(number + 0x20)} << 32) | at(number + 0x24);
    return result;
}

void blit_engine::blit()
{
    using namespace blit_method;
    const auto bytes = pixel_bytes_of(at(to));
    // Samples at pixel centres make the source's fraction one half; in a copy one to one that changes nothing.
    const auto same_size = at(x_step) == 0 && at(x_step + 4) == 1 && at(y_step) == 0 && at(y_step + 4) == 1;
    // What drew there was the fragment stage, which is not modelled: the program is told.
    if (at(from + 4) == 0 && at(to + 4) != 0) ++parts_.counts.skipped[images_read_back];
    if (bytes == 0 || at(to) != at(from) || !same_size) {
        ++parts_.counts.skipped["2D blits that scale or convert"];
        return;
    }
    const auto target = surface_at(to, bytes);
    const auto source = surface_at(from, bytes);
    if (!copy_rectangle(parts_.memory, target, at(to_x) * bytes, at(to_y), target.linear ? 0 : at(to + 0x10), source,
                        at(from_x + 4) * bytes, at(from_y + 4), source.linear ? 0 : at(from + 0x10), at(width) * bytes,
                        at(height)))
        ++parts_.counts.refused["2D blit with an address outside the GPU's memory"];
}

} // namespace isbesim::gl

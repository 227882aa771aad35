// SPDX-License-Identifier: Apache-2.0
// TXQ: queries of a header (HARDWARE.md H.6).
#include <algorithm>

#include "models/texture/number.h"
#include "models/texture/texture_unit.h"

namespace isbesim::texture {

namespace {

/// Sizes from the header; 0 for a level that is not in the view.
texel dimensions(const image& image, std::int32_t level)
{
    const header& header = image.description();
    if (static_cast<unsigned>(level) >= image.levels()) return {0, 0, 0, image.levels()};
    const unsigned number = header.view_first + static_cast<unsigned>(level);
    const auto at_level = [&](std::uint32_t size) { return std::max(size >> number, 1U); };
    const word width = at_level(header.width);
    switch (header.type) {
    case image_type::three_d:
        return {width, at_level(header.height), at_level(header.depth), image.levels()};
    case image_type::array_1d:
        return {width, header.depth, 1, image.levels()};
    case image_type::buffer:
        return {width, 1, 1, 1};
    default:
        return {width, at_level(header.height), header.depth, image.levels()};
    }
}

/// Position of a sample in a pixel by the standard patterns, which are in 16ths of a pixel.
texel sample_position(unsigned samples, std::int32_t number)
{
    struct point {
        std::uint8_t x, y;
    };
    constexpr point one[] = {{8, 8}};
    constexpr point two[] = {{4, 4}, {12, 12}};
    constexpr point four[] = {{6, 2}, {14, 6}, {2, 10}, {10, 14}};
    constexpr point eight[] = {{1, 7}, {5, 3}, {3, 13}, {7, 11}, {9, 5}, {15, 1}, {11, 15}, {13, 9}};
    if (static_cast<unsigned>(number) >= samples) return {};
    const point* points = samples == 8 ? eight : samples == 4 ? four : samples == 2 ? two : one;
    const point place = points[number];
    return {to_bits(static_cast<float>(place.x) / 16), to_bits(static_cast<float>(place.y) / 16), 0, 0};
}

} // namespace

fault texture_unit::query_header(texture::handle handle, query what, std::int32_t argument, texel& result)
{
    const image* image = nullptr;
    const fault why = entries_.find_image(*memory_, handle.header(), access::texture, image);
    if (why != fault::none) return why;
    const header& header = image->description();
    const unsigned samples = 1U << (header.samples_x + header.samples_y);
    switch (what) {
    case query::dimension:
        result = dimensions(*image, argument);
        break;
    case query::texture_type:
        result = {static_cast<word>(header.type), 0, samples, 0};
        break;
    case query::sampler_pos:
        result = sample_position(samples, argument);
        break;
    }
    return fault::none;
}

} // namespace isbesim::texture

// SPDX-License-Identifier: Apache-2.0
// Accesses to texels of images: SULD, SUST, SUATOM.
#include "models/texture/texel_codec.h"
#include "models/texture/texture_unit.h"

namespace isbesim::texture {

namespace {

/// The place of a request in the view's first level, with x in texels or bytes. False outside of the image.
bool surface_place(const surface_request& request, const image& image, std::uint64_t x_end, texel_place& place)
{
    place.level = image.description().view_first;
    place.layer = is_array(request.shape) ? request.layer : 0;
    std::array<std::uint32_t*, 3> coordinates{&place.x, &place.y, &place.z};
    // The conversion places negative coordinates beyond every image.
    for (unsigned i = 0; i < coordinates_of(request.shape); ++i)
        *coordinates[i] = static_cast<std::uint32_t>(request.coordinates[i]);
    const level_layout& level = image.level(place.level);
    return place.x < x_end && place.y < level.height && place.z < level.depth && place.layer < image.layers();
}

/// The block of a texel, null outside of the image.
fault find_texel(memory_space& memory, const image& image, const surface_request& request, std::uint8_t*& found)
{
    texel_place place;
    if (!surface_place(request, image, image.level(image.description().view_first).width, place)) return fault::none;
    found = image.find(memory, place);
    return found != nullptr ? fault::none : fault::outside_memory;
}

/// Finds a texel to convert by the header's format; `bytes` stays null outside the image.
fault find_converted(entry_tables& entries, memory_space& memory, const surface_request& request,
                     const texture::image*& image, std::uint8_t*& bytes)
{
    const fault why = entries.find_image(memory, request.handle.header(), access::surface, image);
    if (why != fault::none) return why;
    if (request.byte_x || !can_encode(image->description())) return fault::unsupported_format;
    return find_texel(memory, *image, request, bytes);
}

} // namespace

fault texture_unit::load(const surface_request& request, texel& result)
{
    result = {};
    const image* image = nullptr;
    std::uint8_t* bytes = nullptr;
    const fault why = find_converted(entries_, *memory_, request, image, bytes);
    if (bytes != nullptr)
        result = swizzle(image->description(), decode_texel(image->description(), bytes, 0, 0, false));
    return why;
}

fault texture_unit::store(const surface_request& request, const texel& value)
{
    const image* image = nullptr;
    std::uint8_t* bytes = nullptr;
    const fault why = find_converted(entries_, *memory_, request, image, bytes);
    if (bytes != nullptr) encode_texel(image->description(), unswizzle(image->description(), value), bytes);
    return why;
}

fault texture_unit::find_bytes(const surface_request& request, std::size_t count, std::uint8_t*& found)
{
    found = nullptr;
    const image* image = nullptr;
    const fault why = entries_.find_image(*memory_, request.handle.header(), access::surface, image);
    if (why != fault::none) return why;
    const header& header = image->description();
    const format& format = *header.texels;
    if (format.block_width != 1) return fault::unsupported_format;
    const std::uint32_t width = image->level(header.view_first).width;
    texel_place place;
    const std::uint64_t x_end = request.byte_x ? std::uint64_t{width} * format.bytes : width;
    if (!surface_place(request, *image, x_end, place)) return fault::none;
    const std::uint64_t first = request.byte_x ? place.x : std::uint64_t{place.x} * format.bytes;
    if (first + count > std::uint64_t{width} * format.bytes) return fault::none;
    found = image->find_bytes(*memory_, place, first, count);
    return found != nullptr ? fault::none : fault::outside_memory;
}

} // namespace isbesim::texture

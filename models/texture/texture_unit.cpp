// SPDX-License-Identifier: Apache-2.0
#include "models/texture/texture_unit.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "models/texture/tap_reader.h"
#include "models/texture/texel_codec.h"

namespace isbesim::texture {

namespace {

bool read_entry(memory_space& memory, std::uint64_t table, word number, entry& words)
{
    const std::uint8_t* bytes = memory.find(table + std::uint64_t{number} * sizeof words, sizeof words);
    if (bytes != nullptr) std::memcpy(words.data(), bytes, sizeof words);
    return bytes != nullptr;
}

footprint sample_footprint(const image& image, const sampler& sampler, const position& where, level_choice levels)
{
    // Integers are never filtered: OpenGL calls such a texture incomplete.
    if (reads_integers(image.description())) {
        levels.within = filter::point;
        levels.fraction = 0;
    }
    footprint texels;
    const auto add = levels.within == filter::linear ? add_linear : add_point;
    if (levels.fraction < 1) add(image, sampler, where, levels.first, 1 - static_cast<double>(levels.fraction), texels);
    if (levels.fraction > 0) add(image, sampler, where, levels.second, levels.fraction, texels);
    return texels;
}

/// The inputs of every access with a sampler.
struct sampled_image {
    const texture::image* image = nullptr;
    texture::sampler sampler;
    position where;
};

/// Finds them by the handle, shape, coordinates and layer of a request.
template <typename Request>
fault find_sampled(entry_tables& entries, memory_space& memory, const Request& request, sampled_image& result)
{
    fault why = entries.find_image(memory, request.handle.header(), access::texture, result.image);
    if (why == fault::none) why = entries.find_sampler(memory, request.handle.sampler(), result.sampler);
    if (why != fault::none) return why;
    return locate(request.shape, request.coordinates, request.layer, *result.image, result.sampler, result.where);
}

/// A level as fixed point with a sign, 16 bits, of which 8 are fraction bits.
word fixed_level(float level)
{
    return static_cast<word>(static_cast<std::int32_t>(std::nearbyint(std::clamp(level * 256, -32768.0F, 32767.0F))));
}

/// Samples 0 to 7 lie in quads: 0 1 4 5 above 2 3 6 7; in Direct3D's order 1 0, or 5 3 0 7 above 4 1 6 2.
std::array<word, 3> place_in_pixel(const header& header, word sample)
{
    static constexpr std::uint8_t eight[][2] = {{2, 0}, {1, 1}, {3, 1}, {1, 0}, {0, 1}, {0, 0}, {2, 1}, {3, 0}};
    if (!header.d3d_samples) return {(sample & 1U) | sample >> 2 << 1, sample >> 1 & 1U, 0};
    if (header.samples_y == 0) return {1 - sample, 0, 0};
    return {eight[sample][0], eight[sample][1], 0};
}

} // namespace

fault entry_tables::find_image(memory_space& memory, word number, access kind, const image*& found)
{
    entry words{};
    if (number >= where_.header_count || !read_entry(memory, where_.headers, number, words)) return fault::no_header;
    if (where_.second_version) words = first_version_header(words);
    decoded& place = recent_[number % recent_.size()];
    if (!place.used || place.kind != kind || place.words != words) {
        place.used = true;
        place.kind = kind;
        place.words = words;
        place.why = place.value.decode(words, kind);
    }
    found = &place.value;
    return place.why;
}

fault entry_tables::find_sampler(memory_space& memory, word number, sampler& found) const
{
    entry words{};
    if (number >= where_.sampler_count || !read_entry(memory, where_.samplers, number, words)) return fault::no_sampler;
    return decode_sampler(words, found);
}

texture_unit::texture_unit(std::shared_ptr<memory_space> memory, const tables& where)
    : memory_(std::move(memory)), entries_(where)
{
}

fault texture_unit::sample(const sample_request& request, texel& result)
{
    sampled_image sampled;
    const fault why = find_sampled(entries_, *memory_, request, sampled);
    if (why != fault::none) return why;
    auto& [image, sampler, where] = sampled;
    where.offset = request.offset;
    const float lod = clamped_lod(computed_lod(request, *image, sampler), *image, sampler);
    tap_reader reader(*memory_, *image, sampler);
    if (request.compare) reader.compare_with(request.reference);
    return reader.filter(sample_footprint(*image, sampler, where, choose_levels(lod, *image, sampler)), result);
}

fault texture_unit::gather(const gather_request& request, texel& result)
{
    sampled_image sampled;
    fault why = find_sampled(entries_, *memory_, request, sampled);
    if (why != fault::none) return why;
    auto& [image, sampler, where] = sampled;
    tap_reader reader(*memory_, *image, sampler);
    if (request.compare) reader.compare_with(request.reference);
    std::array<footprint, 4> texels{};
    for (unsigned i = 0; i < 4; ++i) {
        if (i == 0 || request.four_offsets) {
            where.offset = {request.offsets[i][0], request.offsets[i][1], 0};
            texels = gather_texels(*image, sampler, where);
        }
        footprint& one = texels[request.four_offsets ? 3 : i];
        if (reads_integers(image->description())) one.count = 1;
        texel components{};
        why = reader.filter(one, components);
        if (why != fault::none) return why;
        result[i] = components[request.component];
    }
    return fault::none;
}

fault texture_unit::fetch(const fetch_request& request, texel& result)
{
    result = {};
    const image* image = nullptr;
    const fault why = entries_.find_image(*memory_, request.handle.header(), access::texture, image);
    if (why != fault::none) return why;
    const header& header = image->description();
    const unsigned samples = 1U << (header.samples_x + header.samples_y);
    if (static_cast<unsigned>(request.level) >= image->levels() || request.sample >= samples) return fault::none;
    const auto sample = place_in_pixel(header, request.sample);
    const std::array<unsigned, 3> logs{header.samples_x, header.samples_y, 0};
    std::array<std::uint32_t, 3> xyz{};
    for (unsigned i = 0; i < coordinates_of(request.shape); ++i) {
        const std::int64_t pixel = std::int64_t{request.coordinates[i]} + request.offset[i];
        const std::int64_t place = pixel * (1LL << logs[i]) + sample[i];
        if (place < 0 || place > UINT32_MAX) return fault::none;
        xyz[i] = static_cast<std::uint32_t>(place);
    }
    const texel_place place{header.view_first + static_cast<unsigned>(request.level),
                            is_array(request.shape) ? request.layer : 0, xyz[0], xyz[1], xyz[2]};
    if (!image->contains(place)) return fault::none;
    const std::uint8_t* block = image->find(*memory_, place);
    if (block == nullptr) return fault::outside_memory;
    const format& format = *header.texels;
    result = swizzle(
        header, decode_texel(header, block, xyz[0] % format.block_width, xyz[1] % format.block_height, header.srgb));
    return fault::none;
}

fault texture_unit::query_level(const sample_request& request, level_of_detail& result)
{
    sampled_image sampled;
    const fault why = find_sampled(entries_, *memory_, request, sampled);
    if (why != fault::none) return why;
    auto& [image, sampler, where] = sampled;
    const float computed = computed_lod(request, *image, sampler);
    const level_choice levels = choose_levels(clamped_lod(computed, *image, sampler), *image, sampler);
    const unsigned view_first = image->description().view_first;
    result.clamped = fixed_level(static_cast<float>(levels.first - view_first) + levels.fraction);
    result.computed = fixed_level(std::isnan(computed) ? 0 : computed);
    return fault::none;
}

} // namespace isbesim::texture

// SPDX-License-Identifier: Apache-2.0
#include "models/texture/footprint.h"

#include <algorithm>
#include <cmath>

#include "models/texture/cube.h"

namespace isbesim::texture {
namespace {

/// Coordinates beyond this have no fraction; the value itself fits into a 32-bit integer.
constexpr float far_away = 0x1p30F;

std::int32_t modulo(std::int32_t i, std::int32_t size)
{
    const std::int32_t rest = i % size;
    return rest < 0 ? rest + size : rest;
}

/// Reflects negative positions at the image's edge: -1 becomes 0, -2 becomes 1.
std::int32_t reflected(std::int32_t i)
{
    return i >= 0 ? i : -1 - i;
}

/// Applies a mode to the coordinate itself, before texels are chosen.
float limited(address_mode mode, float u, std::int32_t size)
{
    if (std::isnan(u)) return 0;
    switch (mode) {
    case address_mode::wrap:
    case address_mode::mirror:
        if (std::fabs(u) < far_away) return u;
        return std::isinf(u) ? 0 : std::fmod(u, 2 * static_cast<float>(size));
    case address_mode::clamp:
        return std::clamp(u, 0.0F, static_cast<float>(size));
    case address_mode::mirror_once_clamp:
        return std::min(std::fabs(u), static_cast<float>(size));
    default:
        return std::clamp(u, -far_away, far_away);
    }
}

/// Length, in texels, of a change of the coordinates.
float texels_moved(const sample_request& request, const image& image, bool normalized,
                   const std::array<float, 3>& change)
{
    const level_layout& base = image.level(image.description().view_first);
    const std::array<std::uint32_t, 3> sizes{base.width, base.height, base.depth};
    std::array<float, 3> moved = change;
    unsigned count = coordinates_of(request.shape);
    if (request.shape == shape::cube || request.shape == shape::array_cube) {
        const auto on_face = project_gradient(request.coordinates, project(request.coordinates).face, change);
        moved = {on_face[0], on_face[1], 0};
        count = 2;
    }
    float squares = 0;
    for (unsigned i = 0; i < count; ++i) {
        const float texels = normalized ? moved[i] * static_cast<float>(sizes[i]) : moved[i];
        squares += texels * texels;
    }
    return std::sqrt(squares);
}

float lod_of_gradients(const sample_request& request, const image& image, const sampler& sampler)
{
    const bool normalized = image.description().normalized && !sampler.unnormalized;
    const float rho = std::max(texels_moved(request, image, normalized, request.ddx),
                               texels_moved(request, image, normalized, request.ddy));
    return std::log2(rho);
}

std::array<std::int32_t, 3> sizes_of(const level_layout& level)
{
    return {static_cast<std::int32_t>(level.width), static_cast<std::int32_t>(level.height),
            static_cast<std::int32_t>(level.depth)};
}

float in_texels(const position& where, unsigned axis, std::int32_t size)
{
    const float u = where.normalized ? where.coordinates[axis] * static_cast<float>(size) : where.coordinates[axis];
    return u + static_cast<float>(where.offset[axis]);
}

address_mode mode_of(const sampler& sampler, const position& where, unsigned axis)
{
    const bool clamps = where.cube && sampler.edges != cube_edges::address_mode;
    return clamps ? address_mode::clamp_to_edge : sampler.address[axis];
}

tap make_tap(const position& where, unsigned level, const std::array<std::int32_t, 3>& xyz, double weight)
{
    tap one;
    one.border = std::any_of(xyz.begin(), xyz.end(), [](std::int32_t i) { return i == border_texel; });
    one.place = {level, where.layer + where.face, static_cast<std::uint32_t>(xyz[0]),
                 static_cast<std::uint32_t>(xyz[1]), static_cast<std::uint32_t>(xyz[2])};
    one.weight = weight;
    return one;
}

/// The texels of a linear filter, a pair for each coordinate.
struct linear_grid {
    std::array<texel_pair, 3> pairs{};
    unsigned dimensions = 0;
    std::int32_t face_size = 0; ///< if not 0, pairs may lie beyond the edges of a cube's face

    bool beyond(unsigned axis, unsigned i) const
    {
        return face_size != 0 && (pairs[axis].texels[i] < 0 || pairs[axis].texels[i] >= face_size);
    }
};

linear_grid make_grid(const image& image, const sampler& sampler, const position& where, unsigned level)
{
    const auto sizes = sizes_of(image.level(level));
    linear_grid grid;
    grid.dimensions = where.dimensions;
    if (where.cube && sampler.edges == cube_edges::seamless) grid.face_size = sizes[0];
    for (unsigned axis = 0; axis < where.dimensions; ++axis) {
        const float u = in_texels(where, axis, sizes[axis]);
        // On a face, too: inf / inf is NaN, and with an offset all four texels could lie beyond two edges.
        grid.pairs[axis] = grid.face_size != 0 ? unwrapped_texels(limited(address_mode::clamp, u, sizes[axis]))
                                               : linear_texels(mode_of(sampler, where, axis), u, sizes[axis]);
    }
    return grid;
}

/// Texel (i, j, k) of the grid, each 0 or 1.
void add_grid_texel(const position& where, unsigned level, const linear_grid& grid, const std::array<unsigned, 3>& ijk,
                    double weight, footprint& result)
{
    if (grid.beyond(0, ijk[0]) && grid.beyond(1, ijk[1])) { // a cube's corner: the mean of the three others
        for (unsigned other = 1; other < 4; ++other)
            add_grid_texel(where, level, grid, {ijk[0] ^ (other & 1U), ijk[1] ^ (other >> 1), 0}, weight / 3, result);
        return;
    }
    std::array<std::int32_t, 3> xyz{};
    for (unsigned axis = 0; axis < grid.dimensions; ++axis) xyz[axis] = grid.pairs[axis].texels[ijk[axis]];
    position face = where;
    if (grid.beyond(0, ijk[0]) || grid.beyond(1, ijk[1])) {
        const face_texel texel = across_edge({where.face, xyz[0], xyz[1]}, grid.face_size);
        face.face = texel.face;
        xyz = {texel.x, texel.y, 0};
    }
    result.add(make_tap(face, level, xyz, weight));
}

} // namespace

std::int32_t wrapped(address_mode mode, std::int32_t i, std::int32_t size)
{
    switch (mode) {
    case address_mode::wrap:
        return modulo(i, size);
    case address_mode::mirror:
        return size - 1 - reflected(modulo(i, 2 * size) - size);
    case address_mode::clamp_to_edge:
        return std::clamp(i, 0, size - 1);
    case address_mode::mirror_once_clamp_to_edge:
        return std::min(reflected(i), size - 1);
    case address_mode::mirror_once_border:
        i = reflected(i);
        break;
    case address_mode::border:
    case address_mode::clamp:
    case address_mode::mirror_once_clamp:
        break;
    }
    return i >= 0 && i < size ? i : border_texel;
}

std::int32_t nearest_texel(address_mode mode, float u, std::int32_t size)
{
    const auto i = static_cast<std::int32_t>(std::floor(limited(mode, u, size)));
    // The coordinate was clamped to the image, whose end belongs to the last texel.
    const bool clamps = mode == address_mode::clamp || mode == address_mode::mirror_once_clamp;
    return wrapped(mode, clamps ? std::min(i, size - 1) : i, size);
}

texel_pair unwrapped_texels(float u)
{
    const float shifted = u - 0.5F;
    const float whole = std::floor(shifted);
    const auto i = static_cast<std::int32_t>(whole);
    return {{i, i + 1}, shifted - whole};
}

texel_pair linear_texels(address_mode mode, float u, std::int32_t size)
{
    texel_pair pair = unwrapped_texels(limited(mode, u, size));
    for (auto& i : pair.texels) i = wrapped(mode, i, size);
    return pair;
}

float computed_lod(const sample_request& request, const image& image, const sampler& sampler)
{
    float lod = 0;
    if (request.level == level_mode::bias || request.level == level_mode::explicit_level) lod = request.level_value;
    if (request.level == level_mode::gradients) lod = lod_of_gradients(request, image, sampler);
    return lod + sampler.bias;
}

float clamped_lod(float computed, const image& image, const sampler& sampler)
{
    const header& header = image.description();
    // NaN counts as 0. If min_lod exceeds max_lod, min_lod wins.
    const float lod = std::max(sampler.min_lod, std::min(sampler.max_lod, std::isnan(computed) ? 0 : computed));
    return header.min_lod > 0 ? std::max(lod, header.min_lod - static_cast<float>(header.view_first)) : lod;
}

level_choice choose_levels(float clamped, const image& image, const sampler& sampler)
{
    const header& header = image.description();
    level_choice choice;
    choice.first = choice.second = header.view_first;
    // The constant c of the specification is 0.
    choice.within = clamped > 0 ? sampler.minify : sampler.magnify;
    const auto last = static_cast<float>(image.levels() - 1);
    const float lod = std::clamp(clamped, 0.0F, last);
    if (sampler.mip == mip_filter::none) return choice;
    // Half-way between two levels, the specification allows both; the even one is taken.
    const float level = sampler.mip == mip_filter::point ? std::nearbyint(lod) : std::floor(lod);
    choice.first = choice.second = header.view_first + static_cast<unsigned>(level);
    if (sampler.mip == mip_filter::linear && level < last) {
        choice.second = choice.first + 1;
        choice.fraction = lod - level;
    }
    return choice;
}

fault locate(shape shape, const std::array<float, 3>& coordinates, word layer, const image& image,
             const sampler& sampler, position& result)
{
    const header& header = image.description();
    if (header.layout == memory_layout::buffer) return fault::bad_header;
    result = {};
    result.coordinates = coordinates;
    result.dimensions = coordinates_of(shape);
    result.normalized = header.normalized && !sampler.unnormalized;
    const std::uint32_t array_layer = is_array(shape) ? layer : 0;
    if (shape != shape::cube && shape != shape::array_cube) {
        result.layer = std::min(array_layer, image.layers() - 1);
        return fault::none;
    }
    if (image.layers() < cube_faces) return fault::bad_header;
    const cube_point point = project(coordinates);
    result.coordinates = {point.s, point.t, 0};
    result.dimensions = 2;
    result.cube = true;
    result.face = point.face;
    result.layer = cube_faces * std::min(array_layer, image.layers() / cube_faces - 1);
    return fault::none;
}

void add_point(const image& image, const sampler& sampler, const position& where, unsigned level, double weight,
               footprint& result)
{
    const auto sizes = sizes_of(image.level(level));
    std::array<std::int32_t, 3> xyz{};
    for (unsigned axis = 0; axis < where.dimensions; ++axis)
        xyz[axis] = nearest_texel(mode_of(sampler, where, axis), in_texels(where, axis, sizes[axis]), sizes[axis]);
    result.add(make_tap(where, level, xyz, weight));
}

void add_linear(const image& image, const sampler& sampler, const position& where, unsigned level, double weight,
                footprint& result)
{
    const linear_grid grid = make_grid(image, sampler, where, level);
    for (unsigned corner = 0; corner < 1U << grid.dimensions; ++corner) {
        double part = weight;
        for (unsigned axis = 0; axis < grid.dimensions; ++axis) {
            const double second = grid.pairs[axis].fraction;
            part *= (corner >> axis & 1U) != 0 ? second : 1 - second;
        }
        // Texels of weight 0 are not read, so that their infinities and NaNs have no effect.
        if (part != 0) add_grid_texel(where, level, grid, {corner & 1U, corner >> 1 & 1U, corner >> 2}, part, result);
    }
}

std::array<footprint, 4> gather_texels(const image& image, const sampler& sampler, const position& where)
{
    const unsigned level = image.description().view_first;
    const linear_grid grid = make_grid(image, sampler, where, level);
    std::array<footprint, 4> results{};
    constexpr std::array<std::array<unsigned, 3>, 4> order{{{0, 1, 0}, {1, 1, 0}, {1, 0, 0}, {0, 0, 0}}};
    for (unsigned i = 0; i < order.size(); ++i) add_grid_texel(where, level, grid, order[i], 1, results[i]);
    return results;
}

} // namespace isbesim::texture

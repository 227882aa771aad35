// SPDX-License-Identifier: Apache-2.0
#include "models/pe/stream_out/culling.h"

#include <algorithm>

#include "models/attribute/attribute_map.h"
#include "tlm/float_bits.h"

namespace isbesim {

namespace {

struct clip_vertex {
    double x, y, z, w;

    bool same_place(const clip_vertex& other) const { return x == other.x && y == other.y && w == other.w; }
};

double determinant(const clip_vertex& a, const clip_vertex& b, const clip_vertex& c)
{
    if (a.same_place(b) || b.same_place(c) || c.same_place(a)) return 0;
    return a.x * (b.y * c.w - b.w * c.y) - a.y * (b.x * c.w - b.w * c.x) + a.w * (b.x * c.y - b.y * c.x);
}

/// True if all `k` vertices are beyond the same clip distance.
bool is_clipped(const unsigned* vertices, unsigned k, const word* buffer, const cull_places& places)
{
    return std::any_of(places.begin() + 4, places.end(), [&](std::size_t place) {
        return place != not_written && std::all_of(vertices, vertices + k, [&](unsigned vertex) {
                   return to_float(buffer[place + vertex]) < 0;
               });
    });
}

} // namespace

std::array<unsigned, cull_attributes> cull_attribute_ids()
{
    std::array<unsigned, cull_attributes> ids{};
    for (unsigned i = 0; i < 4; ++i) ids[i] = attribute_address::position / 4 + i;
    for (unsigned i = 4; i < cull_attributes; ++i) ids[i] = attribute_address::clip_distance / 4 + i - 4;
    return ids;
}

std::optional<cull_reason> culling::reason(const unsigned* vertices, unsigned k, const word* buffer,
                                           const cull_places& places) const
{
    if (std::any_of(places.begin(), places.begin() + 4, [](std::size_t place) { return place == not_written; }))
        return std::nullopt;
    std::array<clip_vertex, 3> corners{};
    k = std::min(k, static_cast<unsigned>(corners.size()));
    const auto read = [&](unsigned attribute, unsigned vertex) {
        return static_cast<double>(to_float(buffer[places[attribute] + vertex]));
    };
    for (unsigned i = 0; i < k; ++i)
        corners[i] = {read(0, vertices[i]), read(1, vertices[i]), read(2, vertices[i]), read(3, vertices[i])};
    const auto all = [&](auto&& beyond) { return std::all_of(corners.begin(), corners.begin() + k, beyond); };
    const auto near_beyond = [&](const clip_vertex& v) { return settings_.depth_from_zero ? v.z < 0 : v.z < -v.w; };
    if (all([](const clip_vertex& v) { return v.x < -v.w; }) || all([](const clip_vertex& v) { return v.x > v.w; }) ||
        all([](const clip_vertex& v) { return v.y < -v.w; }) || all([](const clip_vertex& v) { return v.y > v.w; }) ||
        all(near_beyond) || all([](const clip_vertex& v) { return v.z > v.w; }))
        return cull_reason::outside;
    if (k < 3) return std::nullopt;
    const auto area = determinant(corners[0], corners[1], corners[2]);
    if (area == 0) return cull_reason::no_area;
    const bool front = (area < 0) == settings_.clockwise_is_front;
    if (front ? settings_.front : settings_.back) return cull_reason::facing;
    return std::nullopt;
}

bool culling::sort(const unsigned* vertices, unsigned k, const word* buffer, const cull_places& places,
                   cull_counts& dropped, std::vector<lane_mask>& kept) const
{
    if (const auto why = reason(vertices, k, buffer, places)) {
        ++dropped[*why];
        return false;
    }
    if (is_clipped(vertices, k, buffer, places)) return false;
    for (unsigned i = 0; i < k; ++i) kept[vertices[i] / warp_lanes] |= lane_mask{1} << vertices[i] % warp_lanes;
    return true;
}

} // namespace isbesim

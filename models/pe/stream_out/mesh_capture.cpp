// SPDX-License-Identifier: Apache-2.0
#include "models/pe/stream_out/mesh_capture.h"

#include <algorithm>

#include "models/attribute/attribute_map.h"

namespace isbesim {

namespace {

constexpr unsigned viewport_mask = attribute_address::viewport_mask / 4;

unsigned groups_of(unsigned count)
{
    return (count + warp_lanes - 1) / warp_lanes;
}

} // namespace

std::size_t mesh_capture::part::place_of(unsigned attribute)
{
    const auto found = std::find(attributes.begin(), attributes.end(), attribute);
    const auto place = static_cast<std::size_t>(found - attributes.begin()) * groups * warp_lanes;
    if (found == attributes.end()) attributes.push_back(attribute);
    return place;
}

mesh_capture::mesh_capture(const capture_list& capture, const mesh_layout& layout, const isbe_config& config,
                           consumer_rule consumer)
    : layout_(layout), culls_(consumer == consumer_rule::rasteriser)
{
    vertices_.groups = groups_of(layout.max_vertices);
    primitives_.groups = groups_of(layout.max_primitives);
    for (unsigned id = 0; consumer == consumer_rule::written && id < mapped_attribute_ids; ++id) {
        if (layout.vertex_attributes.contains(id)) vertices_.place_of(id);
        if (layout.primitive_attributes.contains(id)) primitives_.place_of(id);
    }
    if (culls_) {
        for (const auto id : cull_attribute_ids())
            if (layout.vertex_attributes.contains(id)) vertices_.place_of(id);
        if (layout.primitive_attributes.contains(viewport_mask)) primitives_.place_of(viewport_mask);
    }
    for (unsigned s = 0; s < capture.size(); ++s)
        for (const auto address : capture[s]) {
            const auto id = address / 4;
            column c;
            if (layout.primitive_attributes.contains(id)) {
                c.what = column::kind::primitive;
                c.place = primitives_.place_of(id);
            } else if (layout.vertex_attributes.contains(id)) {
                c.what = column::kind::vertex;
                c.place = vertices_.place_of(id);
            } else {
                c.value = attribute_default(id, config.attribute_default, config.position_w_default);
            }
            columns_[s].push_back(c);
        }
    const auto missing = [](const part& in, unsigned id) {
        return std::find(in.attributes.begin(), in.attributes.end(), id) == in.attributes.end();
    };
    for (unsigned id = 0; culls_ && id < mapped_attribute_ids; ++id) {
        if (layout.vertex_attributes.contains(id) && missing(vertices_, id)) late_vertices_.push_back(id);
        if (layout.primitive_attributes.contains(id) && missing(primitives_, id)) late_primitives_.push_back(id);
    }
}

cull_places mesh_capture::places() const
{
    cull_places result;
    const auto ids = cull_attribute_ids();
    for (std::size_t i = 0; i < ids.size(); ++i)
        result[i] = layout_.vertex_attributes.contains(ids[i]) ? part(vertices_).place_of(ids[i]) : not_written;
    return result;
}

bool mesh_capture::given_up(unsigned primitive, const word* buffer) const
{
    if (!layout_.primitive_attributes.contains(viewport_mask)) return false;
    return buffer[vertices_.words() + part(primitives_).place_of(viewport_mask) + primitive] == 0;
}

bool mesh_capture::read_late(isbe_access& isbe, word attr_base, const std::vector<lane_mask>& vertices,
                             const std::vector<lane_mask>& primitives, std::vector<word>& buffer) const
{
    buffer.resize((late_vertices_.size() * vertices.size() + late_primitives_.size() * primitives.size()) * warp_lanes);
    auto* to = buffer.data();
    bool any = false;
    const auto read = [&](const std::vector<unsigned>& ids, const std::vector<lane_mask>& kept, auto&& offset_of) {
        for (const auto id : ids)
            for (unsigned group = 0; group < kept.size(); ++group, to += warp_lanes) {
                if (kept[group] == 0) continue;
                isbe.read({attr_base + static_cast<word>(offset_of(id, group * warp_lanes)), 4}, kept[group], to);
                any = true;
            }
    };
    read(late_vertices_, vertices, [&](unsigned id, unsigned first) { return layout_.vertex_offset(id, first); });
    read(late_primitives_, primitives,
         [&](unsigned id, unsigned first) { return layout_.primitive_offset(id, first); });
    return any;
}

std::size_t mesh_capture::buffer_words() const
{
    return vertices_.words() + primitives_.words();
}

void mesh_capture::read_vertices(isbe_access& isbe, word attr_base, unsigned group, lane_mask lanes, word* buffer) const
{
    for (std::size_t i = 0; i < vertices_.attributes.size(); ++i) {
        const auto offset = layout_.vertex_offset(vertices_.attributes[i], group * warp_lanes);
        isbe.read({attr_base + static_cast<word>(offset), 4}, lanes,
                  buffer + (i * vertices_.groups + group) * warp_lanes);
    }
}

void mesh_capture::read_primitives(isbe_access& isbe, word attr_base, unsigned group, lane_mask lanes,
                                   word* buffer) const
{
    buffer += vertices_.words();
    for (std::size_t i = 0; i < primitives_.attributes.size(); ++i) {
        const auto offset = layout_.primitive_offset(primitives_.attributes[i], group * warp_lanes);
        isbe.read({attr_base + static_cast<word>(offset), 4}, lanes,
                  buffer + (i * primitives_.groups + group) * warp_lanes);
    }
}

void mesh_capture::append(stream_output::stream& rows, unsigned stream, unsigned vertex, unsigned primitive,
                          const word* buffer) const
{
    auto* to = rows.add(1, columns_[stream].size());
    const auto* const primitives = buffer + vertices_.words();
    for (const auto& c : columns_[stream]) {
        const auto value = c.what == column::kind::vertex      ? buffer[c.place + vertex]
                           : c.what == column::kind::primitive ? primitives[c.place + primitive]
                                                               : c.value;
        *to++ = value;
    }
}

} // namespace isbesim

// SPDX-License-Identifier: Apache-2.0
#include "models/pe/stream_out/capture.h"

#include <algorithm>

#include "models/attribute/attribute_map.h"

namespace isbesim {

namespace {

constexpr unsigned columns_at_once = 8;

/// Writes part of each row: the words of its vertex from the places `place` of the buffer.
void gather_rows(const word* buffer, const std::array<unsigned, columns_at_once>& place, const unsigned* vertices,
                 std::size_t count, std::size_t columns, word* to)
{
    std::array<const word*, columns_at_once> column;
    for (unsigned i = 0; i < columns_at_once; ++i) column[i] = buffer + place[i];
    for (std::size_t row = 0; row < count; ++row, to += columns) {
        const std::size_t vertex = vertices[row];
        for (unsigned i = 0; i < columns_at_once; ++i) to[i] = column[i][vertex];
    }
}

constexpr unsigned viewport_mask = attribute_address::viewport_mask / 4;

unsigned groups_of(unsigned count)
{
    return (count + warp_lanes - 1) / warp_lanes;
}

} // namespace

capture_plan::capture_plan(const capture_list& capture, const linked_stage& last, const isbe_config& config,
                           consumer_rule consumer)
    : culls_(consumer == consumer_rule::rasteriser), skew_(config.skew)
{
    if (culls_)
        for (const auto id : cull_attribute_ids())
            if (last.output_enabled.contains(id)) attributes_.push_back(id);
    for (unsigned id = 0; consumer == consumer_rule::written && id < mapped_attribute_ids; ++id)
        if (last.output_enabled.contains(id)) attributes_.push_back(id);
    for (unsigned s = 0; s < capture.size(); ++s) {
        for (const auto address : capture[s]) {
            const auto id = address / 4;
            column c;
            c.stored = last.output_enabled.contains(id);
            if (c.stored) {
                const auto found = std::find(attributes_.begin(), attributes_.end(), id);
                c.index = static_cast<unsigned>(found - attributes_.begin());
                if (found == attributes_.end()) attributes_.push_back(id);
            } else {
                c.value = attribute_default(id, config.attribute_default, config.position_w_default);
            }
            columns_[s].push_back(c);
        }
    }
    for (unsigned id = 0; culls_ && id < mapped_attribute_ids; ++id)
        if (last.output_enabled.contains(id) &&
            std::find(attributes_.begin(), attributes_.end(), id) == attributes_.end())
            late_.push_back(id);
}

cull_places capture_plan::places(unsigned groups) const
{
    cull_places result;
    const auto ids = cull_attribute_ids();
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const auto found = std::find(attributes_.begin(), attributes_.end(), ids[i]);
        result[i] = found == attributes_.end()
                        ? not_written
                        : static_cast<std::size_t>(found - attributes_.begin()) * groups * warp_lanes;
    }
    return result;
}

void capture_plan::add_late_reads(std::vector<run_read>& reads, const space_layout& space,
                                  const std::vector<lane_mask>& kept, std::vector<word>& buffer) const
{
    buffer.resize(late_.size() * kept.size() * warp_lanes);
    auto* to = buffer.data();
    for (const auto id : late_)
        for (unsigned group = 0; group < kept.size(); ++group, to += warp_lanes) {
            if (kept[group] == 0) continue;
            const auto run = attribute_run(space, id, group, skew_);
            reads.push_back({run.base, run.stride, kept[group], to});
        }
}

void capture_plan::add_reads(std::vector<run_read>& reads, const space_layout& space, unsigned group, lane_mask lanes,
                             unsigned groups, word* buffer) const
{
    for (std::size_t i = 0; i < attributes_.size(); ++i) {
        const auto run = attribute_run(space, attributes_[i], group, skew_);
        reads.push_back({run.base, run.stride, lanes, buffer + (i * groups + group) * warp_lanes});
    }
}

void capture_plan::append(stream_output::stream& rows, unsigned stream, const std::vector<unsigned>& vertices,
                          unsigned groups, const word* buffer) const
{
    fill(stream, vertices.data(), vertices.size(), groups, buffer, rows.add(vertices.size(), columns_[stream].size()));
}

void capture_plan::fill(unsigned stream, const unsigned* vertices, std::size_t count, unsigned groups,
                        const word* buffer, word* to) const
{
    const auto& columns = columns_[stream];
    std::size_t c = 0;
    for (; c + columns_at_once <= columns.size(); c += columns_at_once) {
        std::array<unsigned, columns_at_once> place;
        for (unsigned i = 0; i < columns_at_once; ++i) place[i] = columns[c + i].index * groups * warp_lanes;
        if (!attributes_.empty()) gather_rows(buffer, place, vertices, count, columns.size(), to + c);
    }
    for (; c < columns.size(); ++c) {
        const auto* const stored = buffer + columns[c].index * groups * warp_lanes;
        if (!columns[c].stored) continue;
        for (std::size_t row = 0; row < count; ++row) to[row * columns.size() + c] = stored[vertices[row]];
    }
    for (c = 0; c < columns.size(); ++c)
        for (std::size_t row = 0; row < count && !columns[c].stored; ++row)
            to[row * columns.size() + c] = columns[c].value;
}

void capture_plan::append_over(const capture_plan& under, stream_output::stream& rows, capture_record record,
                               capture_record vertex) const
{
    auto* to = rows.add(1, columns_[0].size());
    for (std::size_t i = 0; i < columns_[0].size(); ++i) {
        const auto own = columns_[0][i].stored;
        const auto& c = own ? columns_[0][i] : under.columns_[0][i];
        const auto& source = own ? record : vertex;
        *to++ = c.stored ? source.words[c.index * warp_lanes + source.lane] : c.value;
    }
}

bool capture_plan::add_reads_of_batch(std::vector<run_read>& reads, const space_layout& space, const batch& vertices,
                                      std::vector<word>& buffer) const
{
    buffer.resize(buffer_words(1));
    add_reads(reads, space, 0, first_lanes(vertices.vertex_count), 1, buffer.data());
    return !buffer.empty();
}

void capture_plan::append_batch(stream_output& output, const batch& vertices, const std::vector<word>& buffer) const
{
    auto& rows = output.streams[0];
    const auto k = vertices.primitive_vertices;
    const auto core = core_corners_of(k);
    rows.primitive_vertices = core.count;
    auto* to = rows.add(std::size_t{vertices.primitive_count()} * core.count, columns_[0].size());
    std::array<unsigned, 8 * warp_lanes> chosen;
    unsigned count = 0;
    const auto write = [&] {
        fill(0, chosen.data(), count, 1, buffer.data(), to);
        to += count * columns_[0].size();
        count = 0;
    };
    for (unsigned p = 0; p < vertices.primitive_count(); ++p)
        for (unsigned i = 0; i < core.count; ++i) {
            if (count == chosen.size()) write();
            chosen[count++] = vertices.corners[p * k + core.first + i * core.step];
        }
    write();
}

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

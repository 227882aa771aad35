#include "models/pe/stream_out/capture_plan.h"

#include <algorithm>

#include "models/attribute/attribute_map.h"

namespace isbesim {

capture_plan::capture_plan(const capture_list& capture, const linked_stage& last, const isbe_config& config,
                           consumer_rule consumer)
    : skew_(config.skew)
{
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
}

void capture_plan::read(isbe_access& isbe, const space_layout& space, unsigned group, lane_mask lanes, unsigned groups,
                        word* buffer) const
{
    for (std::size_t i = 0; i < attributes_.size(); ++i)
        isbe.read(attribute_run(space, attributes_[i], group, skew_), lanes,
                  buffer + (i * groups + group) * warp_lanes);
}

void capture_plan::append(stream_output::stream& rows, unsigned stream, unsigned vertex, unsigned groups,
                          const word* buffer) const
{
    ++rows.vertices;
    for (const auto& c : columns_[stream])
        rows.words.push_back(c.stored ? buffer[c.index * groups * warp_lanes + vertex] : c.value);
}

void capture_plan::append_over(const capture_plan& under, stream_output::stream& rows, capture_record record,
                               capture_record vertex) const
{
    ++rows.vertices;
    for (std::size_t i = 0; i < columns_[0].size(); ++i) {
        const auto own = columns_[0][i].stored;
        const auto& c = own ? columns_[0][i] : under.columns_[0][i];
        const auto& from = own ? record : vertex;
        rows.words.push_back(c.stored ? from.words[c.index * warp_lanes + from.lane] : c.value);
    }
}

bool capture_plan::read_batch(isbe_access& isbe, const space_layout& space, const batch& vertices,
                              std::vector<word>& buffer) const
{
    buffer.resize(buffer_words(1));
    read(isbe, space, 0, first_lanes(vertices.vertex_count), 1, buffer.data());
    return !buffer.empty();
}

void capture_plan::append_batch(stream_output& output, const batch& vertices, const std::vector<word>& buffer) const
{
    auto& rows = output.streams[0];
    const auto k = vertices.primitive_vertices;
    const auto core = core_corners_of(k);
    rows.primitive_vertices = core.count;
    // As append(), with room for all of them made once.
    const auto& columns = columns_[0];
    const auto added = vertices.primitive_count() * core.count;
    rows.vertices += added;
    const auto end = rows.words.size();
    rows.words.resize(end + added * columns.size());
    auto* to = rows.words.data() + end;
    for (unsigned p = 0; p < vertices.primitive_count(); ++p)
        for (unsigned i = 0; i < core.count; ++i) {
            const auto vertex = vertices.corners[p * k + core.first + i * core.step];
            for (const auto& c : columns) *to++ = c.stored ? buffer[c.index * warp_lanes + vertex] : c.value;
        }
}

} // namespace isbesim

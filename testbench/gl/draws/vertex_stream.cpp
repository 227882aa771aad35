// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/draws/vertex_stream.h"

#include <cstring>
#include <utility>

#include "testbench/gl/channel/three_d_methods.h"
#include "testbench/gl/draws/array_end.h"
#include "testbench/gl/draws/draw_refused.h"

namespace isbesim::gl {

namespace {

using namespace primitive_code;

/// Reads index values, before the base is added.
class index_reader {
public:
    index_reader(const three_d_state& state, const chip& chip, const gpu_memory& memory)
        : memory_(memory),
          address_(state.address_at(three_d::index_address)),
          size_(1U << (state.at(three_d::index_format) & 3))
    {
        constexpr std::uint32_t limit = 0x17d0;
        constexpr std::uint32_t limit_turing = 0x238;
        limit_ = array_end(address_, state.address_at(chip.limit_base == 0x600 ? limit_turing : limit));
    }

    /// Bytes of an index.
    unsigned size() const
    {
        if (size_ > sizeof(std::uint32_t)) throw draw_refused("index format 3");
        return size_;
    }
    /// An index past the end of the buffer is 0.
    std::uint32_t at(std::uint64_t position) const
    {
        const auto place = address_ + position * size_;
        const auto* bytes = place + size_ - 1 <= limit_ ? memory_.at(place, size_) : nullptr;
        std::uint32_t value = 0;
        if (bytes != nullptr) std::memcpy(&value, bytes, size_);
        return value;
    }

private:
    const gpu_memory& memory_;
    std::uint64_t address_;
    std::uint64_t limit_ = 0;
    unsigned size_;
};

} // namespace

vertex_stream read_vertices(const three_d_state& state, const drawn_vertices& drawn, const chip& chip,
                            const gpu_memory& memory)
{
    using source = vertex_run::source;
    const auto total = drawn.count();
    if (total * drawn.instances > most_vertices) throw draw_refused("more than 100,000,000 vertices in one draw");
    vertex_stream result;
    const auto restarts = (state.at(three_d::restart_enable) & 1) != 0;
    const auto restart_index = state.at(three_d::restart_index);
    const auto restarts_in_arrays = restarts && state.at(three_d::restart_in_arrays) != 0;
    const auto only_arrays = drawn.runs.size() == 1 && drawn.runs[0].from == source::arrays;
    if (only_arrays && !(restarts_in_arrays && restart_index - drawn.runs[0].first < drawn.runs[0].count)) {
        result.first = drawn.runs[0].first;
        result.count = drawn.runs[0].count;
        return result;
    }
    result.indexed = true;
    result.positions.reserve(total);
    const auto base = state.at(three_d::element_base);
    const index_reader indices(state, chip, memory);
    const auto add = [&](std::uint32_t index, bool may_restart, std::uint32_t offset) {
        if (may_restart && index == restart_index)
            result.restarts.push_back(static_cast<std::uint32_t>(result.positions.size()));
        else
            result.positions.push_back(index + offset);
    };
    for (const auto& run : drawn.runs) {
        if (run.from == source::index_buffer) result.index_bytes = indices.size();
        for (std::uint32_t i = 0; i < run.count; ++i) {
            if (run.from == source::arrays)
                add(run.first + i, restarts_in_arrays, 0);
            else
                add(run.from == source::index_buffer ? indices.at(std::uint64_t{run.first} + i) : run.indices[i],
                    restarts, base);
        }
    }
    result.count = static_cast<std::uint32_t>(result.positions.size());
    return result;
}

void make_list(vertex_stream& vertices, const run_splitter& split)
{
    std::vector<std::uint32_t> run;
    std::vector<std::uint32_t> list;
    auto restart = vertices.restarts.begin();
    for (std::uint32_t i = 0; i < vertices.count; ++i) {
        for (; restart != vertices.restarts.end() && *restart == i; ++restart) {
            split(run, list);
            run.clear();
        }
        run.push_back(vertices.indexed ? vertices.positions[i] : vertices.first + i);
    }
    split(run, list);
    vertices.indexed = true;
    vertices.restarts.clear();
    vertices.positions = std::move(list);
    vertices.first = 0;
    vertices.count = static_cast<std::uint32_t>(vertices.positions.size());
}

void split_polygons(std::uint32_t& primitive, vertex_stream& vertices)
{
    if (primitive == polygon) {
        primitive = triangle_fan;
        return;
    }
    if (primitive != quads && primitive != quad_strip) return;
    const auto strip = primitive == quad_strip;
    primitive = triangles;
    make_list(vertices, [strip](const std::vector<std::uint32_t>& run, std::vector<std::uint32_t>& list) {
        for (std::size_t i = 0; i + 3 < run.size(); i += strip ? 2 : 4) {
            const auto* v = run.data() + i;
            // Both triangles end with the quad's last vertex, which provides flat attributes.
            if (strip)
                list.insert(list.end(), {v[0], v[1], v[3], v[2], v[0], v[3]});
            else
                list.insert(list.end(), {v[0], v[1], v[3], v[1], v[2], v[3]});
        }
    });
}

} // namespace isbesim::gl

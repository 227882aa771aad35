// SPDX-License-Identifier: Apache-2.0
#include "models/pe/front_end/assembly.h"

#include <algorithm>
#include <utility>

namespace isbesim {

unsigned vertices_per_primitive(topology kind, unsigned patch_vertices)
{
    switch (kind) {
    case topology::points:
    case topology::mesh:
        return 1;
    case topology::lines:
    case topology::line_strip:
    case topology::line_loop:
        return 2;
    case topology::triangles:
    case topology::triangle_strip:
    case topology::triangle_fan:
        return 3;
    case topology::lines_adjacency:
    case topology::line_strip_adjacency:
        return 4;
    case topology::triangles_adjacency:
    case topology::triangle_strip_adjacency:
        return 6;
    case topology::patches:
        break;
    }
    return patch_vertices;
}

namespace {

/// Primitives of a run of `n` vertices without a restart.
std::uint64_t primitives_of_run(const draw_call& draw, std::uint64_t n)
{
    const std::uint64_t k = vertices_per_primitive(draw.topology, draw.patch_vertices);
    switch (draw.topology) {
    case topology::line_strip:
    case topology::triangle_strip:
    case topology::triangle_fan:
    case topology::line_strip_adjacency:
        return n < k ? 0 : n - k + 1;
    case topology::line_loop:
        return n < k ? 0 : n;
    case topology::triangle_strip_adjacency:
        return n < k ? 0 : (n - 4) / 2;
    default:
        return k == 0 ? 0 : n / k;
    }
}

} // namespace

std::uint64_t count_primitives(const draw_call& draw)
{
    const auto each = draw.vertices_per_draw == 0 ? draw.vertex_count : draw.vertices_per_draw;
    std::uint64_t count = 0;
    if (draw.indexed && draw.restart_index) {
        std::uint64_t run = 0;
        for (std::uint64_t i = 0; i < draw.vertex_count; ++i) {
            if (draw.indices[draw.first_vertex + i] != *draw.restart_index)
                ++run;
            else
                count += primitives_of_run(draw, std::exchange(run, 0));
            if ((i + 1) % each == 0 || i + 1 == draw.vertex_count)
                count += primitives_of_run(draw, std::exchange(run, 0));
        }
    } else if (each != 0) {
        count = draw.vertex_count / each * primitives_of_run(draw, each) +
                primitives_of_run(draw, draw.vertex_count % each);
    }
    return count * draw.instance_count;
}

primitive_assembly::primitive_assembly(const draw_call& draw)
    : draw_(draw), size_(vertices_per_primitive(draw.topology, draw.patch_vertices))
{
}

void primitive_assembly::store(primitive& result, std::initializer_list<std::uint32_t> vertices) const
{
    std::copy(vertices.begin(), vertices.end(), result.vertex.begin());
}

bool primitive_assembly::finish(primitive& result)
{
    result.count = size_;
    result.instance = instance_;
    result.draw = number_;
    result.id = next_id_++;
    return true;
}

// Triangle i of a strip with adjacency (table 10.1, counted from 0 here). The outer edge of the last triangle has no
// neighbour; the strip's final vertex takes the place of the vertex of the next triangle.
void primitive_assembly::adjacency_triangle(primitive& result, std::uint64_t i, bool last) const
{
    const auto v = [&](std::uint64_t offset) { return at(2 * i + offset); };
    const auto before = i == 0 ? v(1) : at(2 * i - 2);
    const auto beyond = last ? v(5) : v(6);
    if (i % 2 == 0)
        store(result, {v(0), before, v(2), beyond, v(4), v(3)});
    else if (draw_.first_provokes)
        store(result, {v(0), v(3), v(4), beyond, v(2), before});
    else
        store(result, {v(2), before, v(0), v(3), v(4), beyond});
}

// Called after each vertex of a run. True if it completes a primitive.
bool primitive_assembly::complete(primitive& result)
{
    const auto n = run_;
    switch (draw_.topology) {
    case topology::points:
    case topology::lines:
    case topology::triangles:
    case topology::lines_adjacency:
    case topology::triangles_adjacency:
    case topology::patches:
    case topology::mesh:
        if (n % size_ != 0) return false;
        for (unsigned i = 0; i < size_; ++i) result.vertex[i] = at(n - size_ + i);
        break;
    case topology::line_strip:
    case topology::line_loop:
    case topology::line_strip_adjacency:
        if (n < size_) return false;
        for (unsigned i = 0; i < size_; ++i) result.vertex[i] = at(n - size_ + i);
        break;
    case topology::triangle_strip:
        if (n < 3) return false;
        if (n % 2 == 1)
            store(result, {at(n - 3), at(n - 2), at(n - 1)});
        else if (draw_.first_provokes)
            store(result, {at(n - 3), at(n - 1), at(n - 2)});
        else
            store(result, {at(n - 2), at(n - 3), at(n - 1)});
        break;
    case topology::triangle_fan:
        if (n < 3) return false;
        if (draw_.first_provokes)
            store(result, {at(n - 2), at(n - 1), first_});
        else
            store(result, {first_, at(n - 2), at(n - 1)});
        break;
    case topology::triangle_strip_adjacency:
        // Two vertices late: only then is it known that triangle (n - 8) / 2 is not the last one.
        if (n < 8 || n % 2 != 0) return false;
        adjacency_triangle(result, (n - 8) / 2, false);
        break;
    }
    return finish(result);
}

// Called at a restart and at the end of an instance.
bool primitive_assembly::end_run(primitive& result)
{
    const auto n = run_;
    run_ = 0;
    if (draw_.topology == topology::line_loop && n >= 2) {
        store(result, {at(n - 1), first_});
        return finish(result);
    }
    if (draw_.topology == topology::triangle_strip_adjacency && n >= 6) {
        adjacency_triangle(result, (n - 6) / 2, true);
        return finish(result);
    }
    return false;
}

std::uint64_t primitive_assembly::end_of_draw() const
{
    const auto all = draw_.vertex_count, each = draw_.vertices_per_draw;
    return each == 0 ? all : std::min(all, (number_ + std::uint64_t{1}) * each);
}

bool primitive_assembly::next(primitive& result)
{
    while (size_ != 0 && instance_ < draw_.instance_count) {
        if (position_ == end_of_draw()) {
            if (end_run(result)) return true;
            next_id_ = 0;
            if (position_ != draw_.vertex_count) {
                ++number_;
                continue;
            }
            ++instance_;
            position_ = 0;
            continue;
        }
        const auto stream = draw_.first_vertex + position_++;
        ++positions_read_;
        const auto vertex = draw_.indexed ? draw_.indices[stream] : static_cast<std::uint32_t>(stream);
        if (draw_.indexed && draw_.restart_index && vertex == *draw_.restart_index) {
            ++restarts_read_;
            if (end_run(result)) return true;
            continue;
        }
        if (run_ == 0) first_ = vertex;
        window_[run_++ % window] = vertex;
        if (complete(result)) return true;
    }
    return false;
}

} // namespace isbesim

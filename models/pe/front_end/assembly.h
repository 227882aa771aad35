// SPDX-License-Identifier: Apache-2.0
// Primitive assembly: the draw's vertex stream -> primitives in API order, one at a time, with constant memory.
//
// Vertex orders are those of the OpenGL specification (4.6 core, 10.1 and table 10.1) with the last-vertex provoking
// convention: odd triangles of a strip swap their first two vertices to keep the winding. With first_provokes they are
// Vulkan's (1.3, 21.1): triangle i of a strip or fan begins with vertex i or i + 1, and odd ones swap the other two.
#pragma once

#include <array>
#include <cstdint>

#include "models/pe/front_end/draw.h"

namespace isbesim {

/// Largest primitive: a patch of 32 control points.
inline constexpr unsigned max_primitive_vertices = 32;

/// Number of primitives of a draw, over all instances. Reads the indices only if there is a restart index.
std::uint64_t count_primitives(const draw_call& draw);

/// One assembled primitive. `vertex` holds vertex ids: index values, or stream positions in a draw without indices.
struct primitive {
    std::array<std::uint32_t, max_primitive_vertices> vertex{};
    unsigned count = 0;         ///< vertices; the same for every primitive of a draw
    std::uint32_t instance = 0; ///< 0 .. instance_count - 1
    std::uint32_t draw = 0;     ///< of consecutive draws
    std::uint32_t id = 0;       ///< PRIMITIVE_ID: counts from 0 in each instance and draw, restarts do not reset it
};

/// Vertices per assembled primitive of a topology, including adjacent vertices. A workgroup of a mesh draw is a point
/// (HARDWARE.md D.6: the draw method counts workgroups as vertices).
unsigned vertices_per_primitive(topology kind, unsigned patch_vertices);

/// Generator of a draw's primitives. The draw must outlive it and pass validate_draw() (linking.h): indices in range,
/// 1 <= patch_vertices <= 32.
class primitive_assembly {
public:
    explicit primitive_assembly(const draw_call& draw);

    /// The next primitive, or false at the end of the draw. A restart index ends the current strip, loop, fan or list
    /// primitive in every topology; vertices that do not complete a primitive are dropped.
    bool next(primitive& result);

    /// Stream positions read so far over all instances; for the cost of fetching indices.
    std::uint64_t positions_read() const { return positions_read_; }
    /// Restart indices among them.
    std::uint64_t restarts_read() const { return restarts_read_; }

private:
    /// Number of kept positions of the current run (since its start or the last restart). A patch needs 32; 16 are
    /// enough for adjacency strips.
    static constexpr unsigned window = 32;

    std::uint32_t at(std::uint64_t n) const { return window_[n % window]; }
    bool complete(primitive& result);
    bool end_run(primitive& result);
    void adjacency_triangle(primitive& result, std::uint64_t i, bool last) const;
    void store(primitive& result, std::initializer_list<std::uint32_t> vertices) const;
    bool finish(primitive& result);
    std::uint64_t end_of_draw() const;

    const draw_call& draw_;
    unsigned size_;
    std::array<std::uint32_t, window> window_{};
    std::uint32_t first_ = 0;    ///< first vertex of the run: the fan's centre, the loop's end
    std::uint64_t run_ = 0;      ///< vertices of the run so far
    std::uint64_t position_ = 0; ///< next stream position of the instance
    std::uint32_t instance_ = 0;
    std::uint32_t number_ = 0; ///< of consecutive draws
    std::uint32_t next_id_ = 0;
    std::uint64_t positions_read_ = 0;
    std::uint64_t restarts_read_ = 0;
};

} // namespace isbesim

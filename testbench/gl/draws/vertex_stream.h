// SPDX-License-Identifier: Apache-2.0
// The vertices of a draw in order: index values, and the places where primitives restart.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "testbench/gl/channel/draw_target.h"
#include "testbench/gl/chip/chip.h"
#include "testbench/gl/chip/gpu_memory.h"

namespace isbesim::gl {

/// BEGIN's codes of primitives that become lists.
namespace primitive_code {
enum : std::uint32_t { triangles = 4, triangle_strip = 5, triangle_fan = 6, quads = 7, quad_strip = 8, polygon = 9 };
}

struct vertex_stream {
    bool indexed = false;     ///< false: the vertices are first, first + 1, ...
    unsigned index_bytes = 0; ///< of an index in memory; 0: none is read
    std::uint32_t first = 0, count = 0;
    std::vector<std::uint32_t> positions{}; ///< if indexed: elements of the arrays
    std::vector<std::uint32_t> restarts{};  ///< indices of positions before which primitives restart, ascending
};

/// More vertices than this in one draw are refused: they would run for days.
inline constexpr std::uint32_t most_vertices = 100'000'000;

/// Reads the index buffer if the draw has one. Throws draw_refused.
vertex_stream read_vertices(const three_d_state& state, const drawn_vertices& drawn, const chip& chip,
                            const gpu_memory& memory);

/// Replaces the vertices by a list of primitives without restarts. `split` appends those of a run between restarts.
using run_splitter = std::function<void(const std::vector<std::uint32_t>& run, std::vector<std::uint32_t>& list)>;
void make_list(vertex_stream& vertices, const run_splitter& split);

/// Splits quads, quad strips and polygons into triangles, as the hardware does. Changes `primitive`, BEGIN's code.
void split_polygons(std::uint32_t& primitive, vertex_stream& vertices);

} // namespace isbesim::gl

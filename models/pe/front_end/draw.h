// SPDX-License-Identifier: Apache-2.0
// One draw as the PE sees it: programs, topology, vertex data and what to capture. Plain values; the scenario reader
// of testbench/ fills it from JSON.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "models/attribute/sph.h"
#include "models/isa/execution/executor.h"
#include "models/isa/program.h"
#include "models/isbe/functional/context.h"
#include "models/memory/memory_contents.h"
#include "models/pe/front_end/mesh.h"
#include "models/pe/tessellation/tessellation.h"
#include "tlm/enum_table.h"

namespace isbesim {

/// Why a rasteriser drops a primitive before it reads the other attributes of its vertices: the first that applies.
enum class cull_reason : std::uint8_t {
    outside, ///< beyond a plane of the view volume, or given up by the mesh program
    no_area, ///< a triangle
    facing,  ///< a triangle of a side that the draw culls
};
inline constexpr auto last_cull_reason = cull_reason::facing;

/// The primitives that a draw culls.
struct cull_settings {
    bool front = false;
    bool back = false;
    bool clockwise_is_front = false; ///< seen with y up
    bool depth_from_zero = false;    ///< the near plane is z = 0, not z = -w

    bool operator==(const cull_settings& other) const
    {
        return front == other.front && back == other.back && clockwise_is_front == other.clockwise_is_front &&
               depth_from_zero == other.depth_from_zero;
    }
};

enum class topology : std::uint8_t {
    points,
    lines,
    line_strip,
    line_loop,
    triangles,
    triangle_strip,
    triangle_fan,
    lines_adjacency,
    line_strip_adjacency,
    triangles_adjacency,
    triangle_strip_adjacency,
    patches,
    mesh, ///< vertex_count workgroups instead of vertices
};

/// SET_GS_MODE (HARDWARE.md E.4): with `fast`, a geometry thread outputs one vertex and has no output state.
enum class geometry_mode : std::uint8_t { any, fast };

struct stage_program {
    isa::program program; ///< may be empty only in a geometry stage with a passthrough header
    program_header header;
    isa::constant_banks constants;
    std::shared_ptr<texture::texture_unit> textures; ///< the same for all stages; null without textures
    unsigned shared_bytes = 0;                       ///< shared memory of a workgroup; task and mesh stages
    isa::address_windows windows;                    ///< of generic addresses; the same for all stages
};

/// Vertex input at one attribute address: `components` words per element, element = vertex id or instance.
struct attribute_source {
    unsigned components = 4;
    bool per_instance = false;
    bool repeat = false; ///< start over if the data is shorter than the draw
    // Where the elements are in memory, for its time.
    std::uint64_t address = 0; ///< of the first; 0: after the previous sources
    unsigned stride = 0;       ///< bytes from one to the next; 0: they follow each other
    unsigned bytes = 0;        ///< of an element in its format; 0: four for each component
    std::vector<word> words;
};

/// Byte addresses captured per stream, in column order.
using capture_list = std::array<std::vector<unsigned>, 4>;

/// Bytes of an index in memory; 0: no memory holds it.
constexpr bool is_index_size(unsigned bytes)
{
    return bytes <= 2 || bytes == 4;
}

struct draw_call {
    isa::architecture arch = isa::architecture::sm50;
    std::shared_ptr<memory_contents> memory; ///< global memory of all stages; null without any
    std::map<stage, stage_program> stages;
    isbesim::topology topology = topology::triangles;
    std::uint64_t vertex_count = 0;
    std::uint64_t first_vertex = 0; ///< first vertex id, or first position in `indices`
    std::uint32_t instance_count = 1;
    std::uint64_t vertices_per_draw = 0; ///< of each of the consecutive draws that share the vertices; 0: one draw
    unsigned record_bytes = 0;           ///< of an indirect draw, from its record to the next; 0: a direct draw

    /// Consecutive draws; at most one instance if there are several.
    std::uint64_t draws() const
    {
        return vertices_per_draw == 0 ? 1 : (vertex_count + vertices_per_draw - 1) / vertices_per_draw;
    }
    std::vector<std::uint32_t> indices; ///< used if `indexed`
    bool indexed = false;
    static constexpr unsigned whole_index = 4;
    unsigned index_bytes = whole_index; ///< is_index_size()
    std::optional<std::uint32_t> restart_index;
    unsigned patch_vertices = 3;
    tessellation_state tessellation; ///< used with a TS stage
    geometry_mode gs_mode = geometry_mode::any;
    cull_settings cull;          ///< of a rasteriser after the last stage
    bool first_provokes = false; ///< in strips and fans, also of geometry programs: the first vertex provokes
    task_settings task;          ///< used with a task stage
    mesh_settings mesh;          ///< used with a mesh stage
    std::map<unsigned, attribute_source> attributes; ///< by attribute byte address, multiple of 4
    capture_list capture;
};

/// Receives the streamed-out vertices, in API order.
class vertex_sink {
public:
    virtual ~vertex_sink() = default;
    /// `values` are in the order of capture[stream]; `vertex` counts from 0 in each primitive, `primitive` per stream.
    virtual void vertex(unsigned stream, std::uint64_t primitive, unsigned vertex, const word* values,
                        std::size_t count) = 0;
    /// Primitives from number `first` on, of `vertices` vertices each, `rows` vertices in all: calls vertex() for each.
    virtual void primitives(unsigned stream, std::uint64_t first, unsigned vertices, const word* values,
                            std::size_t count, std::uint64_t rows)
    {
        for (unsigned corner = 0; rows != 0; --rows, values += count) {
            vertex(stream, first, corner, values, count);
            if (++corner != vertices) continue;
            corner = 0;
            ++first;
        }
    }
};

} // namespace isbesim

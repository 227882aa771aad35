// SPDX-License-Identifier: Apache-2.0
// Settings of the task and mesh stages of a draw: the fields of SET_MESH_INIT_SHADER, SET_MESH_SHADER_A and
// SET_MESH_SHADER_B (HARDWARE.md D.6). A workgroup has one warp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace isbesim {

enum class mesh_output : std::uint8_t { points, lines, triangles };

inline constexpr unsigned most_workgroup_threads = 32;
inline constexpr unsigned most_workgroup_lines = 511;  ///< the line counts are 9-bit fields
inline constexpr unsigned most_shared_bytes = 65536;   ///< of a workgroup on SM75
inline constexpr unsigned most_mesh_vertices = 256;    ///< limit of an 8-bit index
inline constexpr unsigned most_mesh_primitives = 1023; ///< a 10-bit field

struct task_settings {
    unsigned threads = most_workgroup_threads;
    unsigned local_lines = 1;  ///< shared memory, including the payload at its start
    unsigned output_lines = 1; ///< the part that the mesh stage sees: payload and grid
};

struct mesh_settings {
    mesh_output output = mesh_output::triangles;
    unsigned max_vertices = 1;
    unsigned max_primitives = 1;
    unsigned shared_lines = 0;
    unsigned threads = most_workgroup_threads;
    std::vector<unsigned> per_primitive; ///< byte addresses of the attributes that belong to primitives
};

/// Position of a setting in the words of a driver (HARDWARE.md D.6).
struct mesh_field {
    std::uint32_t method = 0;
    unsigned low = 0, bits = 0;

    constexpr std::uint32_t mask() const { return ((std::uint32_t{1} << bits) - 1) << low; }
    /// The value of the field in a word of the method.
    constexpr unsigned extract(std::uint32_t value) const { return (value & mask()) >> low; }
};
namespace mesh_fields {
inline constexpr mesh_field output{0x1150, 0, 4}, max_vertices{0x1150, 4, 9}, max_primitives{0x1150, 13, 10},
    shared_lines{0x1154, 8, 9}, threads{0x1154, 20, 6}, task_threads{0x1158, 0, 6}, task_local_lines{0x1158, 12, 9},
    task_output_lines{0x1158, 22, 9};
} // namespace mesh_fields

/// The output of a code in mesh_fields::output; nothing for other codes.
constexpr std::optional<mesh_output> mesh_output_of(std::uint32_t code)
{
    if (code == 0) return mesh_output::points;
    if (code == 1) return mesh_output::lines;
    if (code == 4) return mesh_output::triangles;
    return std::nullopt;
}

/// Vertices per primitive, k of HARDWARE.md D.4.
constexpr unsigned vertices_per_mesh_primitive(mesh_output output)
{
    return output == mesh_output::points ? 1 : output == mesh_output::lines ? 2 : 3;
}

/// Words that EmitMeshTasks writes at the start of the task's output ATTR region. A mesh shader finds them at the start
/// of its input, with its own index in the grid in word 0.
namespace grid_word {
inline constexpr unsigned index = 0;
inline constexpr unsigned total = 1;
inline constexpr unsigned x = 2;
inline constexpr unsigned y = 3;
inline constexpr unsigned z = 4;
inline constexpr unsigned count = 5; ///< words of the grid
} // namespace grid_word

/// Workgroups that one task may launch, the limit that the graphics APIs guarantee (Vulkan's
/// maxMeshWorkGroupTotalCount). *Choice*: a larger count is reduced to it and reported.
inline constexpr std::uint32_t most_grid_workgroups = 1U << 22;

/// Message for a program that accesses the ISBE outside of what these sizes give it.
std::string describe_limits(const task_settings& task);
std::string describe_limits(const mesh_settings& mesh, unsigned payload_lines);

} // namespace isbesim

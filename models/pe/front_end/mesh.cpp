// SPDX-License-Identifier: Apache-2.0
#include "models/pe/front_end/mesh.h"

namespace isbesim {

std::vector<std::pair<std::string, std::uint64_t>> describe(const workgroup_warnings& found)
{
    std::vector<std::pair<std::string, std::uint64_t>> warnings;
    const auto add = [&](std::uint64_t count, const char* text) {
        if (count != 0) warnings.emplace_back(text, count);
    };
    add(found.cut_grids, "task: more mesh workgroups than 2^22: the first 2^22 are launched");
    add(found.uneven_grids, "task: the total count of mesh workgroups is not x * y * z: the total count is launched");
    add(found.cut_counts, "mesh: primitive count above max_primitives: the first max_primitives are streamed out");
    add(found.dropped_primitives, "mesh: vertex index not below max_vertices: the primitive is dropped");
    return warnings;
}

std::string describe_limits(const task_settings& task)
{
    return "task: the program accesses the ISBE outside of what the draw gives it: local_lines " +
           std::to_string(task.local_lines) + " (method 0x1158)";
}

std::string describe_limits(const mesh_settings& mesh, unsigned payload_lines)
{
    auto text = "mesh: the program accesses the ISBE outside of what the draw gives it: max_vertices " +
                std::to_string(mesh.max_vertices) + ", max_primitives " + std::to_string(mesh.max_primitives) +
                " (method 0x1150), shared_lines " + std::to_string(mesh.shared_lines) + " (0x1154)";
    if (payload_lines != 0) text += ", the task's output_lines " + std::to_string(payload_lines) + " (0x1158)";
    return text;
}

} // namespace isbesim

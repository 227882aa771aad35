// SPDX-License-Identifier: Apache-2.0
#include "models/pe/front_end/mesh.h"

namespace isbesim {

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

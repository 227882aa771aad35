#include "models/pe/workgroup.h"

#include <algorithm>

namespace isbesim {

namespace {

/// Lines between the start of the output's ATTR region and its MAP.
unsigned attribute_lines(const workgroup_needs& needs)
{
    auto attributes = needs.output;
    attributes.map_bytes = 0;
    const auto lines = space_lines(attributes, true);
    return needs.shared ? std::max(lines, needs.input_lines) : lines;
}

unsigned output_lines(const workgroup_needs& needs)
{
    return attribute_lines(needs) + (needs.output.map_bytes + line_bytes - 1) / line_bytes;
}

} // namespace

unsigned workgroup_lines(const workgroup_needs& needs)
{
    return output_lines(needs) + (needs.shared ? 0 : needs.input_lines);
}

workgroup_spaces place_workgroup(const workgroup_needs& needs, unsigned first_line)
{
    workgroup_spaces spaces;
    auto& output = spaces.output = place_space(needs.output, first_line, true);
    output.map_base = (first_line + attribute_lines(needs)) * line_bytes;
    output.prim_base = output.patch_base = 0; // there are none
    auto& input = spaces.input;
    input.allocated = needs.input_allocated;
    input.vertex_count = needs.input_allocated.empty() ? 0 : 1;
    input.attr_base = (needs.shared ? first_line : first_line + output_lines(needs)) * line_bytes;
    input.attr_bytes = needs.input_lines * line_bytes;
    return spaces;
}

void write_vertex_id(const warp_task& task, isbe_access& isbe)
{
    per_lane<word> values{};
    values[0] = task.work->vertices.vertex[0];
    isbe.write({task.context.input.attr_base, 4}, all_lanes, values);
}

} // namespace isbesim

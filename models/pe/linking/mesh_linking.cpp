// SPDX-License-Identifier: Apache-2.0
#include "models/pe/linking/mesh_linking.h"

#include "models/attribute/attribute_map.h"
#include "models/pe/front_end/validation.h"
#include "models/pe/linking/connectivity.h"

namespace isbesim {

namespace {

/// A workgroup that the draw launched reads its index as the VERTEX_ID of one vertex (HARDWARE.md D.6).
void link_index(linked_stage& linked, workgroup_needs& needs)
{
    needs.input.allocated.insert(attribute_address::vertex_id / 4);
    needs.input.vertices = 1;
    linked.input_allocated = needs.input.allocated;
    linked.input_enabled = linked.program->header.imap & needs.input.allocated;
}

// The program computes addresses from the attributes that it declares, so all of them need a place, whether they are
// read or not (HARDWARE.md D.1): the layout follows OMAP, not BMAP.
mesh_layout layout_of(const program_header& header, const mesh_settings& mesh)
{
    mesh_layout layout;
    for (const auto address : mesh.per_primitive) layout.primitive_attributes.insert(address / 4);
    layout.vertex_attributes = header.omap;
    for (const auto address : mesh.per_primitive) layout.vertex_attributes.erase(address / 4);
    layout.max_vertices = mesh.max_vertices;
    layout.max_primitives = mesh.max_primitives;
    return layout;
}

} // namespace

linked_pipeline link_mesh_pipeline(const draw_call& draw, const machine_config& config)
{
    linked_pipeline pipeline;
    pipeline.warnings = warnings_of_draw(draw);
    for (const auto& [which, program] : draw.stages) {
        linked_stage linked;
        linked.stage = which;
        linked.program = &program;
        pipeline.stages.push_back(linked);
    }
    pipeline.consumer = config.pe.consumer;
    pipeline.assembly.limits = {1, 1};
    pipeline.assembly.primitive_vertices = pipeline.assembly.vertices = pipeline.assembly.primitives = 1;
    pipeline.task.settings = draw.task;
    pipeline.mesh.settings = draw.mesh;

    auto& task = pipeline.task.needs;
    auto& mesh = pipeline.mesh.needs;
    const auto has_task = pipeline.has(stage::task);
    link_index(pipeline.stages.front(), has_task ? task : mesh);
    if (has_task) {
        task.threads = draw.task.threads;
        task.output.extra_lines = draw.task.local_lines;
        task.shared = pipeline.stages.front().program->header.shared_spaces;
        mesh.input.extra_lines = draw.task.output_lines;
    }

    auto& last = pipeline.stages.back();
    const auto& layout = pipeline.mesh.layout = layout_of(last.program->header, draw.mesh);
    last.output_allocated = last.output_enabled = layout.vertex_attributes;
    mesh.threads = draw.mesh.threads;
    mesh.shared = last.program->header.shared_spaces;
    mesh.output.allocated = layout.vertex_attributes;
    mesh.output.vertices = layout.max_vertices;
    mesh.output.extra_lines = static_cast<unsigned>(layout.primitive_bytes() / line_bytes) + draw.mesh.shared_lines;
    mesh.output.map_bytes = count_bytes + layout.max_primitives * vertices_per_mesh_primitive(draw.mesh.output);

    pipeline.first_stage_lines = workgroup_lines(has_task ? task : mesh);
    if (has_task) pipeline.stage_lines.push_back(workgroup_lines(mesh));
    if (const auto shortage = find_shortage(config, pipeline.needs()))
        throw batch_too_large(has_task ? "a task with one mesh workgroup" : "a workgroup", *shortage);
    pipeline.buffers = plan_buffers(config, pipeline.needs());
    return pipeline;
}

} // namespace isbesim

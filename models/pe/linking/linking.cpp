// SPDX-License-Identifier: Apache-2.0
#include "models/pe/linking/linking.h"

#include <algorithm>

#include "models/attribute/attribute_map.h"
#include "models/attribute/bmap.h"
#include "models/isbe/functional/names.h"
#include "models/pe/front_end/program_accesses.h"
#include "models/pe/linking/connectivity.h"
#include "models/pe/linking/sizing.h"

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

const char* reason_of(space_sharing why)
{
    switch (why) {
    case space_sharing::passthrough:
        return "the PE passes the input's vertices on when the program has ended";
    case space_sharing::generated:
        return "what the PE generates into the output would lie on input that the program has not read";
    case space_sharing::no_room:
        return "isbe.lines has no room for shared lines beside those of patches that take several warps";
    case space_sharing::off:
    case space_sharing::on: // TS knows the number of warps of a patch only when it has the patch
    case space_sharing::several_warps:
        break;
    }
    return "several warps read the same input";
}

/// Links a draw with task and mesh stages.
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

} // namespace

std::string describe(stage which, space_sharing why)
{
    return std::string(name_of(which)) +
           ": header bit 25 (shared spaces): the output of a warp has ISBE lines of its own, because " + reason_of(why);
}

batch_too_large::batch_too_large(const std::string& what, const line_shortage& shortage)
    : draw_error(
          (shortage.of_machine
               ? "pe.alpha_lines and pe.beta_lines are " + std::to_string(shortage.needed) + " lines together but "
               : what + " of this draw needs " + std::to_string(shortage.needed) + " ISBE lines of 128 bytes but ") +
          shortage.key + " is " + std::to_string(shortage.available) + ", expected " + std::to_string(shortage.needed) +
          " or more" + (shortage.of_machine ? ", or 0 for both: what the draw needs" : "")),
      needed(shortage.needed),
      available(shortage.available),
      of_machine(shortage.of_machine)
{
}

bool linked_pipeline::has(isbesim::stage which) const
{
    return std::any_of(stages.begin(), stages.end(), [&](const linked_stage& s) { return s.stage == which; });
}

std::vector<stage_need> linked_pipeline::needs() const
{
    std::vector<stage_need> result;
    for (const auto& linked : stages) {
        stage_need need;
        need.stage = linked.stage;
        need.warp = result.empty() ? first_stage_lines : stage_lines[result.size() - 1];
        if (result.empty()) need.input = first_input_lines;
        if (linked.stage == stage::geometry) {
            const auto primitives = has(stage::tess) ? tess.limits.primitives : assembly.primitives;
            need.per_warp = (primitives * geometry.instances + geometry.threads - 1) / geometry.threads;
        }
        result.push_back(need);
    }
    return result;
}

attribute_set generated_for_second(const linked_pipeline& pipeline)
{
    if (pipeline.stages.front().stage != stage::vertex_a) return {};
    return pipeline.stages[1].input_enabled & generated_inputs(stage::vertex);
}

namespace {

/// An id of 32 vertices is a line of PRIM (micro-architecture section 4.2).
constexpr unsigned id_lines = 2;

attribute_set generated_in_prim(const linked_pipeline& pipeline)
{
    return without(generated_for_second(pipeline), pipeline.stages.front().output_allocated);
}

} // namespace

attribute_set supplied_attributes(const draw_call& draw)
{
    attribute_set set;
    for (const auto& [address, source] : draw.attributes)
        for (unsigned c = 0; c < source.components; ++c) set.insert(address / 4 + c);
    return set;
}

space_needs geometry_output_needs(const linked_pipeline& pipeline, const linked_stage& geometry, unsigned threads)
{
    space_needs needs;
    needs.allocated = geometry.output_allocated;
    // Without output state, each thread outputs one vertex as its own primitive; with it, each slot has a token.
    needs.vertices = pipeline.geometry.fast ? threads : threads * geometry.program->header.max_output_vertex_count;
    needs.map_bytes = count_bytes + needs.vertices;
    return needs;
}

space_needs vertex_input_needs(const linked_stage& vertex, unsigned vertices)
{
    space_needs needs;
    needs.allocated = vertex.input_allocated;
    needs.vertices = vertices;
    return needs;
}

space_needs vertex_output_needs(const linked_pipeline& pipeline, const linked_stage& vertex, unsigned vertices,
                                unsigned primitives)
{
    space_needs needs;
    needs.allocated = vertex.output_allocated;
    needs.vertices = vertices;
    needs.map_bytes = count_bytes + primitives * map_stride_of(pipeline, vertex);
    if (vertex.stage == stage::vertex_a && !generated_in_prim(pipeline).empty())
        needs.prim_bytes = id_lines * line_bytes;
    if (vertex.stage == stage::vertex_a || vertex.stage == pipeline.last().stage) return needs;
    needs.prim_bytes = primitives * 4;
    if (pipeline.levels_from_draw()) {
        needs.patch_words = level_words;
        needs.patches = primitives;
    }
    return needs;
}

space_needs tess_init_output_needs(const linked_pipeline& pipeline, const linked_stage& tess_init, unsigned patches)
{
    space_needs needs;
    needs.allocated = tess_init.output_allocated;
    needs.vertices = patches * pipeline.tess_init.threads;
    needs.map_bytes = count_bytes + patches * patch_map_bytes;
    needs.prim_bytes = patches * 4;
    needs.patch_words = tess_init.program->header.per_patch_attribute_count;
    needs.patches = patches;
    return needs;
}

space_needs tess_output_needs(const linked_pipeline& pipeline, const linked_stage& tess, unsigned vertices,
                              unsigned primitives)
{
    space_needs needs;
    needs.allocated = tess.output_allocated;
    needs.vertices = vertices;
    needs.map_bytes = count_bytes + primitives * pipeline.tess.primitive_vertices;
    if (tess.stage != pipeline.last().stage) needs.prim_bytes = primitives * 4;
    return needs;
}

space_needs output_needs(const linked_pipeline& pipeline, const linked_stage& linked, unsigned vertices,
                         unsigned primitives)
{
    switch (linked.stage) {
    case stage::tess_init:
        return tess_init_output_needs(pipeline, linked, primitives);
    case stage::tess:
        return tess_output_needs(pipeline, linked, pipeline.tess.limits.vertices, pipeline.tess.limits.primitives);
    case stage::geometry:
        return geometry_output_needs(pipeline, linked,
                                     std::min(primitives * pipeline.geometry.instances, pipeline.geometry.threads));
    default:
        return vertex_output_needs(pipeline, linked, vertices, primitives);
    }
}

shared_room room_after(const linked_pipeline& pipeline, unsigned level, unsigned vertices, unsigned primitives,
                       bool skew)
{
    shared_room room;
    for (; pipeline.next_shares(level); ++level) {
        const auto& next = pipeline.stages[level + 1];
        room.add(output_needs(pipeline, next, vertices, primitives), skew);
        if (next.stage == stage::tess) primitives = pipeline.tess.limits.primitives;
    }
    return room;
}

unsigned map_stride_of(const linked_pipeline& pipeline, const linked_stage& vertex)
{
    return vertex.stage == stage::vertex_a ? pipeline.assembly.primitive_vertices : pipeline.vertex.map_stride;
}

namespace {

/// Warns of outputs that a program loads back although its output map drops them, because no consumer reads them and
/// ST_REQ does not keep them (HARDWARE.md E.1, E.2).
void warn_of_read_back(linked_pipeline& pipeline)
{
    for (const auto& each : pipeline.stages) {
        if (each.stage == stage::geometry) continue; // has no ALD.O
        const auto& header = each.program->header;
        const auto loads = loads_of(each.program->program, space::output), stores = stores_of(each.program->program);
        const std::string asks = &each == &pipeline.last() ? "no capture and no" : "neither the next stage nor a";
        const auto warn = [&](const attribute_set& dropped, const std::string& verb, const std::string& opcode) {
            if (dropped.empty()) return;
            pipeline.warnings.push_back(std::string(name_of(each.stage)) + ": the program " + verb + " its outputs " +
                                        address_list(dropped) + " back (" + opcode + "), but " + asks +
                                        " StoreReq range asks for them: their stores are dropped, the loads read " +
                                        "defaults");
        };
        const auto named = without(loads.fixed & header.omap, each.output_enabled);
        warn(named, "loads", "ALD.O");
        if (!loads.indexed) continue;
        // An address in a register may be that of any output. Outputs that the program never stores have no store to
        // lose.
        const auto stored = stores.indexed ? header.omap : stores.fixed & header.omap;
        warn(without(without(stored, each.output_enabled), named), "may load", "ALD.O.PHYS");
    }
}

} // namespace

linked_pipeline link_pipeline(const draw_call& draw, const machine_config& config)
{
    validate_draw(draw);
    if (draw.topology == topology::mesh) return link_mesh_pipeline(draw, config);
    linked_pipeline pipeline;
    pipeline.warnings = warnings_of_draw(draw);
    pipeline.geometry.fast = is_fast_geometry(draw);
    pipeline.geometry.first_provokes = draw.first_provokes;
    for (const auto& [which, program] : draw.stages) {
        if (program.program.code.empty()) continue; // a passthrough geometry stage without a program
        linked_stage linked;
        linked.stage = which;
        linked.program = &program;
        pipeline.stages.push_back(linked);
    }

    attribute_set captured;
    for (const auto& columns : draw.capture)
        for (const auto address : columns) captured.insert(address / 4);

    pipeline.geometry.passthrough =
        pipeline.has(stage::geometry) && draw.stages.at(stage::geometry).header.geometry_passthrough;
    attribute_set streamed_out = last_stage_consumers(captured);
    pipeline.consumer = config.pe.consumer;
    if (pipeline.consumer != consumer_rule::captured)
        for (unsigned id = 0; id < mapped_attribute_ids; ++id) streamed_out.insert(id);

    for (std::size_t i = 0; i < pipeline.stages.size(); ++i) {
        auto& current = pipeline.stages[i];
        const auto& header = current.program->header;
        if (i == 0) {
            current.input_enabled = bmap_in(current.stage, header, supplied_attributes(draw));
            current.input_allocated = current.input_enabled;
        } else {
            const auto& producer = pipeline.stages[i - 1];
            current.input_enabled = bmap_in(current.stage, header, producer.program->header.omap);
            current.input_allocated = producer.output_allocated;
        }
        attribute_set consumed;
        if (i + 1 < pipeline.stages.size()) consumed = pipeline.stages[i + 1].program->header.imap;
        const auto before_last = i + 2 == pipeline.stages.size();
        if (i + 1 == pipeline.stages.size() || (before_last && pipeline.geometry.passthrough))
            consumed = consumed | streamed_out;
        current.output_enabled = bmap_out(header, consumed);
        current.output_allocated = current.output_enabled;
    }

    warn_of_read_back(pipeline);
    size_spaces(draw, config, pipeline);
    return pipeline;
}

} // namespace isbesim

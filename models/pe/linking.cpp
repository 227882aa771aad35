#include "models/pe/linking.h"

#include <algorithm>

#include "models/attribute/bmap.h"
#include "models/pe/assembly.h"
#include "models/pe/connectivity.h"
#include "models/pe/mesh_linking.h"

namespace isbesim {

batch_too_large::batch_too_large(const std::string& what, unsigned needed_lines, unsigned available_lines)
    : draw_error(what + " of this draw needs " + std::to_string(needed_lines) +
                 " ISBE lines of 128 bytes but isbe.lines is " + std::to_string(available_lines) + ", expected " +
                 std::to_string(needed_lines) + " or more"),
      needed(needed_lines),
      available(available_lines)
{
}

bool linked_pipeline::has(isbesim::stage which) const
{
    return std::any_of(stages.begin(), stages.end(), [&](const linked_stage& s) { return s.stage == which; });
}

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
    needs.vertices = threads;
    if (pipeline.fast_geometry) return needs;
    needs.vertices = threads * geometry.program->header.max_output_vertex_count;
    needs.map_bytes = 4 + needs.vertices; // the count word, then one token per slot
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
    if (vertex.stage == stage::vertex_a || vertex.stage == pipeline.last().stage) return needs;
    needs.map_bytes = primitives * pipeline.map_stride;
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
    needs.vertices = patches * pipeline.patch_threads;
    needs.map_bytes = patches * patch_map_bytes;
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
    if (pipeline.has(stage::geometry)) {
        needs.map_bytes = primitives * pipeline.tess_primitive_vertices;
        needs.prim_bytes = primitives * 4;
    }
    return needs;
}

namespace {

/// `taken`: lines that the largest warps of the earlier stages need.
unsigned largest_geometry_warp(const draw_call& draw, const machine_config& config, linked_pipeline& pipeline,
                               unsigned taken)
{
    const auto& header = draw.stages.at(stage::geometry).header;
    const auto maximum = pipeline.fast_geometry ? 1U : std::max(header.max_output_vertex_count, 1U);
    pipeline.geometry_instances = std::max(header.threads_per_input_primitive, 1U);
    const auto primitives = pipeline.has(stage::tess) ? pipeline.tess_limits.primitives : pipeline.batch_primitives;
    const auto wanted = std::min(config.pe.gs_output_vertices / maximum, primitives * pipeline.geometry_instances);
    auto threads = std::clamp(wanted, 1U, warp_lanes);
    // Fewer threads per warp are slower, but a draw that fits at all must run.
    const auto lines = [&](unsigned t) {
        return space_lines(geometry_output_needs(pipeline, pipeline.last(), t), config.isbe.skew);
    };
    while (threads > 1 && taken + lines(threads) > config.isbe.lines) --threads;
    pipeline.stage_lines.push_back(lines(threads));
    return threads;
}

} // namespace

linked_pipeline link_pipeline(const draw_call& draw, const machine_config& config)
{
    validate_draw(draw);
    if (draw.topology == topology::mesh) return link_mesh_pipeline(draw, config);
    linked_pipeline pipeline;
    pipeline.lints = lint_draw(draw);
    pipeline.fast_geometry = is_fast_geometry(draw);
    for (const auto& [which, program] : draw.stages) {
        if (program.program.code.empty()) continue; // the geometry stage passes its input on: nothing runs
        linked_stage linked;
        linked.stage = which;
        linked.program = &program;
        pipeline.stages.push_back(linked);
    }

    attribute_set captured;
    for (const auto& columns : draw.capture)
        for (const auto address : columns) captured.insert(address / 4);

    pipeline.geometry_passthrough =
        pipeline.has(stage::geometry) && draw.stages.at(stage::geometry).header.geometry_passthrough;
    const auto streamed_out = last_stage_consumers(captured);

    for (std::size_t i = 0; i < pipeline.stages.size(); ++i) {
        auto& current = pipeline.stages[i];
        const auto& header = current.program->header;
        if (i == 0) {
            current.input_enabled = bmap_in(current.stage, header, supplied_attributes(draw));
            current.input_allocated = current.input_enabled;
        } else {
            auto& producer = pipeline.stages[i - 1];
            current.input_enabled = bmap_in(current.stage, header, producer.program->header.omap);
            // A generated attribute is enabled without the producer having stored it, so it must have its place in the
            // producer's record: ranks are counted over the allocated set (micro-architecture section 4.2).
            producer.output_allocated = producer.output_allocated | current.input_enabled;
            current.input_allocated = producer.output_allocated;
        }
        attribute_set consumed;
        if (i + 1 < pipeline.stages.size()) consumed = pipeline.stages[i + 1].program->header.imap;
        const auto before_last = i + 2 == pipeline.stages.size();
        if (i + 1 == pipeline.stages.size() || (before_last && pipeline.geometry_passthrough))
            consumed = consumed | streamed_out;
        current.output_enabled = bmap_out(header, consumed);
        current.output_allocated = current.output_enabled;
    }

    const auto k = vertices_per_primitive(draw.topology, draw.patch_vertices);
    const auto limits = limits_of_batch(config.pe, k, most_primitives(draw));
    pipeline.primitive_vertices = k;
    pipeline.batch_vertices =
        static_cast<unsigned>(std::min<std::uint64_t>(std::max(limits.vertices, k), draw.vertex_count));
    // A vertex completes at most one primitive (a loop's last one closes it), but indices may name the same vertices
    // again and again.
    pipeline.batch_primitives = static_cast<unsigned>(std::min<std::uint64_t>(
        limits.primitives, draw.indexed ? draw.vertex_count : std::uint64_t{pipeline.batch_vertices}));

    pipeline.patch_threads = threads_per_patch(draw);
    // A patch shows all the handles that it could have to a stage that must not find another patch's (connectivity.h).
    const auto alone = draw.topology == topology::patches &&
                       (!pipeline.has(stage::tess_init) || pipeline.patch_threads > draw.patch_vertices);
    pipeline.map_stride = alone ? patch_map_bytes : k;
    pipeline.tessellation = draw.tessellation;
    pipeline.tess_primitive_vertices = vertices_per_tessellated_primitive(draw.tessellation.output);
    pipeline.tess_limits = limits_of_batch(config.pe, pipeline.tess_primitive_vertices);
    pipeline.tess_limits.vertices = std::max(pipeline.tess_limits.vertices, pipeline.tess_primitive_vertices);
    pipeline.geometry_primitive_vertices =
        pipeline.has(stage::tess) ? pipeline.tess_primitive_vertices : pipeline.primitive_vertices;

    const auto skew = config.isbe.skew;
    const auto& first = pipeline.stages.front();
    const auto first_input = vertex_input_needs(first, pipeline.batch_vertices);
    const auto first_output = vertex_output_needs(pipeline, first, pipeline.batch_vertices, pipeline.batch_primitives);
    pipeline.first_stage_lines = first.program->header.shared_spaces
                                     ? shared_space_lines(first_input, first_output, skew)
                                     : space_lines(first_input, skew) + space_lines(first_output, skew);
    auto needed = pipeline.first_stage_lines;
    for (const auto& linked : pipeline.stages) {
        if (linked.stage == first.stage)
            continue;
        else if (linked.stage == stage::vertex)
            pipeline.stage_lines.push_back(space_lines(
                vertex_output_needs(pipeline, linked, pipeline.batch_vertices, pipeline.batch_primitives), skew));
        else if (linked.stage == stage::tess_init)
            pipeline.stage_lines.push_back(
                space_lines(tess_init_output_needs(pipeline, linked, pipeline.batch_primitives), skew));
        else if (linked.stage == stage::tess)
            pipeline.stage_lines.push_back(space_lines(
                tess_output_needs(pipeline, linked, pipeline.tess_limits.vertices, pipeline.tess_limits.primitives),
                skew));
        else if (linked.stage == stage::geometry)
            pipeline.geometry_threads = largest_geometry_warp(draw, config, pipeline, needed);
        needed += pipeline.stage_lines.back();
    }
    if (needed > config.isbe.lines) throw batch_too_large("a batch", needed, config.isbe.lines);
    return pipeline;
}

} // namespace isbesim

// SPDX-License-Identifier: Apache-2.0
#include "models/pe/linking/sizing.h"

#include <algorithm>

#include "models/attribute/attribute_map.h"
#include "models/pe/front_end/assembly.h"
#include "models/pe/linking/connectivity.h"

namespace isbesim {

namespace {

class sizing {
public:
    sizing(const draw_call& draw, const machine_config& config, linked_pipeline& pipeline)
        : draw_(draw), config_(config), pipeline_(pipeline), skew_(config.isbe.skew)
    {
    }

    void run()
    {
        set_constants();
        find_sizes();
        pipeline_.buffers = plan_buffers(config_, pipeline_.needs());
    }

private:
    void find_sizes()
    {
        ask_headers();
        if (fits()) return;
        auto* const tess = find(stage::tess);
        if (tess != nullptr && tess->shares()) {
            // Lines for patches of several warps are reserved in any case.
            ask_headers();
            tess->sharing = space_sharing::no_room;
            if (fits()) return;
        }
        throw batch_too_large("a batch", shortage_);
    }

    linked_stage* find(stage which)
    {
        const auto found = std::find_if(pipeline_.stages.begin(), pipeline_.stages.end(),
                                        [&](const linked_stage& s) { return s.stage == which; });
        return found == pipeline_.stages.end() ? nullptr : &*found;
    }

    void set_constants();
    void ask_headers();
    bool generates_over_input(const linked_stage& linked) const;
    bool fits();
    bool fits(unsigned geometry_primitives, unsigned geometry_threads);
    void size_batches(unsigned geometry_primitives);

    const draw_call& draw_;
    const machine_config& config_;
    linked_pipeline& pipeline_;
    bool skew_;
    line_shortage shortage_; ///< the last one found
};

void sizing::set_constants()
{
    auto& p = pipeline_;
    p.assembly.primitive_vertices = vertices_per_primitive(draw_.topology, draw_.patch_vertices);
    p.tess_init.threads = threads_per_patch(draw_);
    // A patch has MAP bytes for all its possible handles if its reader must not find another patch's (connectivity.h).
    const auto alone =
        draw_.topology == topology::patches && (!p.has(stage::tess_init) || p.tess_init.threads > draw_.patch_vertices);
    p.vertex.map_stride = alone ? patch_map_bytes : p.assembly.primitive_vertices;
    p.tess.state = draw_.tessellation;
    p.tess.primitive_vertices = vertices_per_tessellated_primitive(draw_.tessellation.output);
    p.geometry.primitive_vertices = p.has(stage::tess) ? p.tess.primitive_vertices : p.assembly.primitive_vertices;
    if (p.has(stage::geometry))
        p.geometry.instances = std::max(draw_.stages.at(stage::geometry).header.threads_per_input_primitive, 1U);
}

/// Attributes that the PE writes into a stage's output before its program starts: the coordinates of TS, and generated
/// ids that VSb reads unless VSa writes them.
attribute_set written_before(const linked_pipeline& pipeline, const linked_stage& linked)
{
    attribute_set set;
    if (linked.stage == stage::tess) {
        set.insert(attribute_address::tess_eval_u / 4);
        set.insert(attribute_address::tess_eval_v / 4);
    } else if (linked.stage == stage::vertex_a) {
        set = generated_for_second(pipeline);
    }
    return set & linked.output_allocated;
}

bool sizing::generates_over_input(const linked_stage& linked) const
{
    const auto set = written_before(pipeline_, linked);
    // TS shares with one patch at a time. In the output, vertex 0 has the lowest address of each attribute.
    const auto vertices = linked.stage != stage::tess       ? warp_lanes
                          : pipeline_.has(stage::tess_init) ? pipeline_.tess_init.threads
                                                            : pipeline_.assembly.primitive_vertices;
    const auto input = attribute_bytes(skew_, linked.input_allocated.count(), vertices);
    for (unsigned id = 0; id < mapped_attribute_ids; ++id)
        if (set.contains(id) &&
            attribute_offset(skew_, linked.output_allocated.count(), linked.output_allocated.rank(id), 0) < input)
            return true;
    return false;
}

void sizing::ask_headers()
{
    for (auto& linked : pipeline_.stages) {
        if (!linked.program->header.shared_spaces)
            linked.sharing = space_sharing::off;
        else if (linked.stage == stage::geometry && pipeline_.geometry.passthrough)
            linked.sharing = space_sharing::passthrough;
        else if (generates_over_input(linked))
            linked.sharing = space_sharing::generated;
        else
            linked.sharing = space_sharing::on;
    }
}

/// `geometry_primitives`: the most primitives that a geometry stage reads at a time.
void sizing::size_batches(unsigned geometry_primitives)
{
    auto& p = pipeline_;
    const auto* const tess = find(stage::tess);
    auto most = most_primitives(draw_);
    if (draw_.topology == topology::patches) most = std::min(most, config_.pe.patches_per_batch);
    if (tess != nullptr && tess->shares()) most = 1;
    if (tess == nullptr) most = std::min(most, geometry_primitives);
    const auto k = p.assembly.primitive_vertices;
    p.assembly.limits = limits_of_batch(config_.pe, k, most);
    const auto unique = std::min(std::max(p.assembly.limits.vertices, k), p.assembly.limits.primitives * k);
    p.assembly.vertices = static_cast<unsigned>(std::min<std::uint64_t>(unique, draw_.vertex_count));
    // A vertex completes at most one primitive (a loop's last vertex closes it), but indices may repeat vertices any
    // number of times.
    p.assembly.primitives = static_cast<unsigned>(std::min<std::uint64_t>(
        p.assembly.limits.primitives, draw_.indexed ? draw_.vertex_count : std::uint64_t{p.assembly.vertices}));
    p.tess.limits = limits_of_batch(config_.pe, p.tess.primitive_vertices, geometry_primitives);
    p.tess.limits.vertices = std::max(p.tess.limits.vertices, p.tess.primitive_vertices);
}

bool sizing::fits()
{
    auto* const geometry = find(stage::geometry);
    if (geometry == nullptr) return fits(max_batch_primitives, 0);
    const auto& header = geometry->program->header;
    const auto maximum = pipeline_.geometry.fast ? 1U : std::max(header.max_output_vertex_count, 1U);
    const auto instances = pipeline_.geometry.instances;
    const auto threads =
        std::clamp(std::min(config_.pe.gs_output_vertices / maximum, config_.pe.gs_instances), 1U, warp_lanes);
    if (geometry->shares()) {
        // One warp must have room for all threads of a batch.
        for (auto primitives = threads / instances; primitives != 0; --primitives)
            if (fits(primitives, threads)) return true;
        geometry->sharing = space_sharing::several_warps;
    }
    // Fewer threads per warp are slower, but a draw must run if it fits at all.
    for (auto fewer = threads; fewer != 0; --fewer)
        if (fits(max_batch_primitives, fewer)) return true;
    return false;
}

/// True if the draw fits with at most `geometry_threads` threads in a geometry warp.
bool sizing::fits(unsigned geometry_primitives, unsigned geometry_threads)
{
    auto& p = pipeline_;
    size_batches(geometry_primitives);
    const auto read = p.has(stage::tess) ? p.tess.limits.primitives : p.assembly.primitives;
    p.geometry.threads = std::min(geometry_threads, std::max(read * p.geometry.instances, 1U));

    auto vertices = p.assembly.vertices;
    auto primitives = p.assembly.primitives;
    p.stage_lines.clear();
    for (unsigned level = 0; level < p.stages.size(); ++level) {
        const auto& linked = p.stages[level];
        const auto output = output_needs(p, linked, vertices, primitives);
        if (linked.stage == stage::tess) {
            vertices = p.tess.limits.vertices;
            primitives = p.tess.limits.primitives;
        }
        const auto room = room_after(p, level, vertices, primitives, skew_);
        if (level == 0) {
            const auto input = vertex_input_needs(linked, vertices);
            p.first_input_lines = linked.shares() ? 0 : space_lines(input, skew_);
            p.first_stage_lines = linked.shares() ? shared_space_lines(input, output, skew_, room)
                                                  : space_lines(input, skew_) + space_lines(output, skew_, room);
            continue;
        }
        const auto always = linked.shares() && linked.stage != stage::tess;
        p.stage_lines.push_back(always ? 0 : space_lines(output, skew_, room));
    }
    const auto shortage = find_shortage(config_, p.needs());
    if (shortage) shortage_ = *shortage;
    return !shortage;
}

} // namespace

void size_spaces(const draw_call& draw, const machine_config& config, linked_pipeline& pipeline)
{
    sizing(draw, config, pipeline).run();
}

} // namespace isbesim

// Links the stages of a draw: which attributes each space holds (BMAP, hardware.md E.1, E.2), how many ISBE lines a
// warp of each stage needs, and everything that can be wrong with a draw before it starts.
#pragma once

#include <string>
#include <vector>

#include "models/attribute/attribute_set.h"
#include "models/machine_config.h"
#include "models/pe/batches.h"
#include "models/pe/draw.h"
#include "models/pe/sharing.h"
#include "models/pe/spaces.h"
#include "models/pe/validation.h"
#include "models/pe/workgroup.h"

namespace isbesim {

/// A batch of this draw can never be in the ISBE, not even alone (conformance PIPE-07).
class batch_too_large : public draw_error {
public:
    /// `what`: "a batch", "a workgroup".
    batch_too_large(const std::string& what, unsigned needed_lines, unsigned available_lines);
    const unsigned needed;    ///< 128-byte lines
    const unsigned available; ///< 128-byte lines
};

/// One stage with its two spaces. A stage's input set is the output set of the stage before it: the space is handed
/// over, not copied.
struct linked_stage {
    isbesim::stage stage = isbesim::stage::none;
    const stage_program* program = nullptr;
    attribute_set input_allocated;
    attribute_set input_enabled; ///< BMAP_in
    attribute_set output_allocated;
    attribute_set output_enabled; ///< BMAP_out
    space_sharing sharing = space_sharing::off;
    bool shares() const { return sharing == space_sharing::on; }
};

/// The spaces of task and mesh workgroups (mesh_linking.h).
struct linked_workgroups {
    workgroup_needs task;
    workgroup_needs mesh;
    mesh_layout layout; ///< of the mesh stage's output ATTR region
};

struct linked_pipeline {
    std::vector<linked_stage> stages; ///< in pipeline order, those that have a program
    unsigned primitive_vertices = 0;  ///< vertices per assembled primitive
    batch_limits limits;              ///< of the batches of assembled primitives
    unsigned batch_vertices = 0;      ///< largest batch of this draw
    unsigned batch_primitives = 0;    ///< largest batch of this draw
    unsigned map_stride = 0;          ///< MAP bytes per assembled primitive behind the last vertex stage
    unsigned patch_threads = 1;       ///< TI threads per patch
    tessellation_state tessellation;
    batch_limits tess_limits;             ///< of the batches that TS makes
    unsigned tess_primitive_vertices = 0; ///< vertices per tessellated primitive
    task_settings task;
    mesh_settings mesh;
    linked_workgroups workgroups;
    unsigned geometry_primitive_vertices = 0;
    unsigned geometry_instances = 1;   ///< threads per input primitive
    unsigned geometry_threads = 0;     ///< largest geometry warp; 0 without a geometry program
    bool fast_geometry = false;        ///< one vertex per geometry thread (fast_geometry_step.h)
    bool geometry_passthrough = false; ///< ... whose attributes every vertex of its input primitive gets
    unsigned first_stage_lines = 0;    ///< input and output of the largest first-stage warp
    std::vector<unsigned> stage_lines; ///< output of the largest warp of each later stage, 0 where every warp shares
                                       ///< the lines of its input: the allocator's reserves
    consumer_rule consumer = consumer_rule::captured;
    std::vector<std::string> lints; ///< of the draw, see lint_draw()

    const linked_stage& last() const { return stages.back(); }
    bool has(stage which) const;
    /// The stage behind `level` may put its output where that level's output lies.
    bool shares_behind(unsigned level) const { return level + 1 < stages.size() && stages[level + 1].shares(); }
    /// TS finds the draw's levels in the patch space, as no TI stores any.
    bool levels_from_draw() const { return has(stage::tess) && !has(stage::tess_init); }
};

/// Attribute ids that the draw's vertex data supplies, as far as the hardware does not generate them (conformance
/// ALD-19).
attribute_set supplied_attributes(const draw_call& draw);

/// What the spaces of a warp hold; the sizes above are these for the largest warp. Every output starts its MAP with a
/// primitive count (connectivity.h), and the PRIM words of the primitives are part of what TI, TS and GS get.
space_needs vertex_input_needs(const linked_stage& vertex, unsigned vertices);
/// VSa or VSb.
space_needs vertex_output_needs(const linked_pipeline& pipeline, const linked_stage& vertex, unsigned vertices,
                                unsigned primitives);
space_needs tess_init_output_needs(const linked_pipeline& pipeline, const linked_stage& tess_init, unsigned patches);
space_needs tess_output_needs(const linked_pipeline& pipeline, const linked_stage& tess, unsigned vertices,
                              unsigned primitives);
space_needs geometry_output_needs(const linked_pipeline& pipeline, const linked_stage& geometry, unsigned threads);
/// Of any stage but task and mesh: the largest output of a warp that works on a batch of so many vertices and
/// primitives.
space_needs output_needs(const linked_pipeline& pipeline, const linked_stage& linked, unsigned vertices,
                         unsigned primitives);
/// What the stages that share the lines of the output of `level` put there, when that output is a batch of so many
/// vertices and primitives; nothing when header bit 25 of the stage behind it is 0.
shared_room room_behind(const linked_pipeline& pipeline, unsigned level, unsigned vertices, unsigned primitives,
                        bool skew);

/// MAP bytes per primitive of a vertex stage's output.
unsigned map_stride_of(const linked_pipeline& pipeline, const linked_stage& vertex);

/// validate_draw() (validation.h), then the maps and sizes. Throws batch_too_large as well.
linked_pipeline link_pipeline(const draw_call& draw, const machine_config& config);

} // namespace isbesim

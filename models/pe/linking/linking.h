// SPDX-License-Identifier: Apache-2.0
// Links the stages of a draw: which attributes each space holds (BMAP, HARDWARE.md E.1, E.2), how many ISBE lines a
// warp of each stage needs, and everything that can be wrong with a draw before it starts.
#pragma once

#include <string>
#include <vector>

#include "models/attribute/attribute_set.h"
#include "models/machine_config.h"
#include "models/pe/front_end/batches.h"
#include "models/pe/front_end/draw.h"
#include "models/pe/front_end/validation.h"
#include "models/pe/linking/buffers.h"
#include "models/pe/linking/sharing.h"
#include "models/pe/linking/spaces.h"
#include "models/pe/linking/workgroup.h"

namespace isbesim {

/// A batch of this draw can never be in the ISBE, not even alone (conformance PIPE-07).
class batch_too_large : public draw_error {
public:
    /// `what`: "a batch", "a workgroup".
    batch_too_large(const std::string& what, const line_shortage& shortage);
    const unsigned needed;    ///< 128-byte lines
    const unsigned available; ///< 128-byte lines
    const bool of_machine;    ///< its keys contradict each other: no draw runs on it
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

// What linking finds out about the parts of the pipeline, beyond the spaces of their stages. A stage that is not there
// leaves its structure as it is here.

/// Batches of the primitives that are assembled from the vertex data.
struct linked_assembly {
    unsigned primitive_vertices = 0; ///< vertices per primitive
    batch_limits limits;
    unsigned vertices = 0;   ///< largest batch of this draw
    unsigned primitives = 0; ///< largest batch of this draw
};

struct linked_vertex {
    unsigned map_stride = 0; ///< MAP bytes per assembled primitive after the last vertex stage
};

struct linked_tess_init {
    unsigned threads = 1; ///< per patch
};

struct linked_tess {
    tessellation_state state;
    batch_limits limits;             ///< of the batches that TS makes
    unsigned primitive_vertices = 0; ///< vertices per tessellated primitive
};

struct linked_geometry {
    unsigned primitive_vertices = 0; ///< vertices per input primitive
    unsigned instances = 1;          ///< threads per input primitive
    unsigned threads = 0;            ///< largest warp; 0 without a geometry program
    bool first_provokes = false;     ///< draw_call::first_provokes
    bool fast = false;               ///< one vertex per thread (fast_geometry_step.h)
    bool passthrough = false;        ///< ... whose attributes every vertex of its input primitive gets

    /// Threads of each warp but the last one, when a batch has `all` of them: as few warps as can do, as equal as can
    /// be. *Choice*: full warps and a remainder let warps of different batches end together or one after the other, as
    /// it comes, which made more lines 23 % slower (README.md).
    static unsigned even_share(unsigned all, unsigned most_of_warp)
    {
        if (all <= most_of_warp) return all;
        const auto warps = (all + most_of_warp - 1) / most_of_warp;
        return (all + warps - 1) / warps;
    }
};

struct linked_task {
    task_settings settings;
    workgroup_needs needs;
};

struct linked_mesh {
    mesh_settings settings;
    workgroup_needs needs;
    mesh_layout layout; ///< of the output ATTR region
};

struct linked_pipeline {
    std::vector<linked_stage> stages; ///< in pipeline order, those that have a program
    linked_assembly assembly;
    linked_vertex vertex;
    linked_tess_init tess_init;
    linked_tess tess;
    linked_geometry geometry;
    linked_task task;
    linked_mesh mesh;
    unsigned first_stage_lines = 0;    ///< input and output of the largest first-stage warp
    unsigned first_input_lines = 0;    ///< of them those that are its input's alone
    std::vector<unsigned> stage_lines; ///< output of the largest warp of each later stage, 0 where every warp shares
                                       ///< the lines of its input
    buffer_plan buffers;
    consumer_rule consumer = consumer_rule::captured;
    std::vector<std::string> warnings; ///< of the draw, see warnings_of_draw()

    const linked_stage& last() const { return stages.back(); }
    bool has(stage which) const;
    /// Lines of the largest warp of each stage.
    std::vector<stage_need> needs() const;
    /// The stage after `level` may put its output where that level's output lies.
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
/// vertices and primitives; nothing when header bit 25 of the next stage is 0.
shared_room room_behind(const linked_pipeline& pipeline, unsigned level, unsigned vertices, unsigned primitives,
                        bool skew);

/// MAP bytes per primitive of a vertex stage's output.
unsigned map_stride_of(const linked_pipeline& pipeline, const linked_stage& vertex);

/// validate_draw() (validation.h), then the maps and sizes. Throws batch_too_large as well.
linked_pipeline link_pipeline(const draw_call& draw, const machine_config& config);

} // namespace isbesim

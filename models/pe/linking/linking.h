// SPDX-License-Identifier: Apache-2.0
// Links the stages of a draw: which attributes each space holds (BMAP, HARDWARE.md E.1, E.2) and how many ISBE lines a
// warp of each stage needs. Makes all checks of a draw before it starts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/attribute/attribute_set.h"
#include "models/isbe/functional/context.h"
#include "models/machine_config.h"
#include "models/pe/front_end/batches.h"
#include "models/pe/front_end/draw.h"
#include "models/pe/front_end/validation.h"
#include "models/pe/linking/buffers.h"
#include "models/pe/linking/spaces.h"

namespace isbesim {

/// Header bit 25: a stage's output ATTR region starts where its input's does, in the lines of the stage that made the
/// input (HARDWARE.md D.1, E.6 row 30). If this is impossible, the output has its own lines and the report has the
/// reason.
///
/// *Choice*, because the public sources only name the bit: sharing never changes the output of a program that reads all
/// its inputs before it writes. So an output may lie over an input only if
///   - no other warp reads that input. Batches are made small enough for this: as many primitives as one geometry warp
///     covers, one patch before TS. If even the smallest batch takes more warps, the reason is several_warps.
///   - the PE itself does not need the input afterwards (passthrough),
///   - no data that the PE writes into the output before the program starts lies over the input (generated).
enum class space_sharing : std::uint8_t {
    off,           ///< bit 25 is 0
    on,            ///< shared wherever one warp is the only reader of its input
    several_warps, ///< more than one warp reads an input
    passthrough,   ///< the PE reads the vertices of the input after the program has ended
    generated,     ///< ids or coordinates that the PE writes into the output would lie over the input
    no_room,       ///< isbe.lines has no room for shared spaces next to those of patches of several warps
};

/// Report text for warps of `which` whose output has lines of its own in spite of bit 25. `why` is never off, and is on
/// only for TS.
std::string describe(stage which, space_sharing why);

/// A batch of this draw does not fit into the ISBE, not even alone (conformance PIPE-07).
class batch_too_large : public draw_error {
public:
    /// `what`: "a batch", "a workgroup".
    batch_too_large(const std::string& what, const line_shortage& shortage);
    const unsigned needed;    ///< 128-byte lines
    const unsigned available; ///< 128-byte lines
    const bool of_machine;    ///< the keys of the machine contradict each other: no draw can run
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

// Results of linking for the parts of the pipeline, beyond the spaces of their stages. The structures of absent stages
// keep the values given here.

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
    bool fast = false;               ///< one vertex per thread (geometry_steps.cpp)
    bool passthrough = false;        ///< ... whose attributes are given to every vertex of its input primitive

    /// Threads of each warp except the last, for a batch with `all` threads: as few warps as possible, as equal as
    /// possible. *Choice*: with full warps and a remainder, timing decides whether warps of different batches end
    /// together or one after the other, which made a larger ISBE 23 % slower (README.md).
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
    unsigned first_input_lines = 0;    ///< of these, the lines of its input alone
    std::vector<unsigned> stage_lines; ///< output of the largest warp of each later stage, 0 where every warp shares
                                       ///< the lines of its input
    buffer_plan buffers;
    consumer_rule consumer = consumer_rule::captured;
    std::vector<std::string> warnings; ///< of the draw, see warnings_of_draw()

    const linked_stage& last() const { return stages.back(); }
    bool has(stage which) const;
    /// Lines of the largest warp of each stage.
    std::vector<stage_need> needs() const;
    /// True if the stage after `level` may place its output over the output of `level`.
    bool next_shares(unsigned level) const { return level + 1 < stages.size() && stages[level + 1].shares(); }
    /// True if the patch space holds the levels of the draw, because no TI stage stores any.
    bool levels_from_draw() const { return has(stage::tess) && !has(stage::tess_init); }
};

/// Generated ids that VSb reads after VSa, unless VSa stores them: in VSa's output where its OMAP names them, else in
/// its PRIM region (micro-architecture section 4.2).
attribute_set generated_for_second(const linked_pipeline& pipeline);

/// Attribute ids that the draw's vertex data supplies; the hardware may generate others (conformance ALD-19).
attribute_set supplied_attributes(const draw_call& draw);

/// Contents of the spaces of a warp; the sizes above are those of the largest warp. The MAP of every output starts with
/// a primitive count (connectivity.h), and outputs that TI, TS or GS reads include the PRIM words of the primitives.
space_needs vertex_input_needs(const linked_stage& vertex, unsigned vertices);
/// For VSa or VSb.
space_needs vertex_output_needs(const linked_pipeline& pipeline, const linked_stage& vertex, unsigned vertices,
                                unsigned primitives);
space_needs tess_init_output_needs(const linked_pipeline& pipeline, const linked_stage& tess_init, unsigned patches);
space_needs tess_output_needs(const linked_pipeline& pipeline, const linked_stage& tess, unsigned vertices,
                              unsigned primitives);
space_needs geometry_output_needs(const linked_pipeline& pipeline, const linked_stage& geometry, unsigned threads);
/// For any stage except task and mesh: the largest output of a warp that works on a batch of this many vertices and
/// primitives.
space_needs output_needs(const linked_pipeline& pipeline, const linked_stage& linked, unsigned vertices,
                         unsigned primitives);
/// Room for later stages that share the lines of the output of `level`, which is a batch of this many vertices and
/// primitives; empty if the next stage does not share (header bit 25).
shared_room room_after(const linked_pipeline& pipeline, unsigned level, unsigned vertices, unsigned primitives,
                       bool skew);

/// MAP bytes per primitive of a vertex stage's output.
unsigned map_stride_of(const linked_pipeline& pipeline, const linked_stage& vertex);

/// Calls validate_draw() (validation.h), then finds the maps and sizes. Also throws batch_too_large.
linked_pipeline link_pipeline(const draw_call& draw, const machine_config& config);

} // namespace isbesim

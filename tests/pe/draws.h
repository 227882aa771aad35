// SPDX-License-Identifier: Apache-2.0
// Draws for the tests of the primitive engine.
#pragma once

#include <numeric>

#include "models/pe/front_end/assembly.h"
#include "models/pe/front_end/draw.h"
#include "tests/support/warp_operations.h"

namespace isbesim::test {

/// A draw of a topology without programs: enough for assembly and batches.
inline draw_call plain_draw(topology kind, std::uint64_t vertices)
{
    draw_call draw;
    draw.topology = kind;
    draw.vertex_count = vertices;
    return draw;
}

inline constexpr std::uint32_t restart = 0xffffffffU;

inline draw_call indexed_draw(topology kind, std::vector<std::uint32_t> indices)
{
    draw_call draw = plain_draw(kind, indices.size());
    draw.indexed = true;
    draw.indices = std::move(indices);
    draw.restart_index = restart;
    return draw;
}

/// Vertices by primitive.
using primitive_list = std::vector<std::vector<std::uint32_t>>;

inline primitive_list assemble(const draw_call& draw)
{
    primitive_assembly assembly(draw);
    primitive_list result;
    primitive p;
    while (assembly.next(p)) result.emplace_back(p.vertex.begin(), p.vertex.begin() + p.count);
    return result;
}

/// A program that counts as one: validation only looks whether it has an instruction.
inline stage_program program(shader_type type, const attribute_set& imap, const attribute_set& omap)
{
    stage_program stage;
    stage.program.code.resize(1);
    stage.header.shader_type = type;
    stage.header.imap = imap;
    stage.header.omap = omap;
    return stage;
}

/// A vertex draw: position from attribute 0x80, words 0, 1, 2, … .
inline draw_call vertex_draw(topology kind, std::uint64_t vertices)
{
    auto draw = plain_draw(kind, vertices);
    draw.stages[stage::vertex] =
        program(shader_type::vertex, ids({0x80, 0x84, 0x88, 0x8c}), ids({0x70, 0x74, 0x78, 0x7c}));
    auto& source = draw.attributes[0x80];
    source.words.resize(4 * vertices);
    std::iota(source.words.begin(), source.words.end(), 0U);
    draw.capture[0] = {0x70, 0x74, 0x78, 0x7c};
    return draw;
}

inline void add_geometry(draw_call& draw, output_topology kind, unsigned maximum, unsigned instances = 1)
{
    auto& geometry = draw.stages[stage::geometry];
    geometry = program(shader_type::geometry, ids({0x70, 0x74, 0x78, 0x7c}), ids({0x70, 0x74, 0x78, 0x7c}));
    geometry.header.output_topology = kind;
    geometry.header.max_output_vertex_count = maximum;
    geometry.header.threads_per_input_primitive = instances;
    geometry.header.stream_out_mask = 1;
}

inline draw_call triangles_through_geometry(std::uint64_t vertices)
{
    auto draw = vertex_draw(topology::triangle_strip, vertices);
    add_geometry(draw, output_topology::triangle_strip, 3);
    return draw;
}

/// A mesh draw; what it captures is up to the caller.
inline draw_call mesh_draw(std::uint64_t workgroups, const mesh_settings& mesh, const attribute_set& outputs,
                           bool shared)
{
    auto draw = plain_draw(topology::mesh, workgroups);
    draw.arch = isa::architecture::sm75;
    draw.mesh = mesh;
    auto& stage = draw.stages[stage::mesh];
    stage = program(shader_type::vertex, ids({0x2fc}), outputs);
    stage.program.arch = draw.arch;
    stage.header.shared_spaces = shared;
    return draw;
}

inline void add_task(draw_call& draw, const task_settings& task, bool shared)
{
    draw.task = task;
    auto& stage = draw.stages[stage::task];
    stage = program(shader_type::vertex, ids({0x2fc}), {});
    stage.program.arch = draw.arch;
    stage.header.shared_spaces = shared;
    draw.stages[stage::mesh].header.shader_type = shader_type::tess;
}

} // namespace isbesim::test

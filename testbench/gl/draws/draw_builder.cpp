// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/draws/draw_builder.h"

#include <algorithm>
#include <cstring>

#include "testbench/gl/channel/three_d_methods.h"
#include "testbench/gl/draws/draw_memory.h"
#include "testbench/gl/draws/draw_refused.h"
#include "testbench/gl/draws/stream_out_layout.h"
#include "testbench/gl/draws/vertex_attributes.h"

namespace isbesim::gl {

namespace {

constexpr std::uint32_t provoking_last = 0x1684;

struct slot_row {
    program_slot slot;
    isbesim::stage stage;
};
constexpr slot_row slots[] = {{program_slot::vertex, stage::vertex},
                              {program_slot::control, stage::tess_init},
                              {program_slot::evaluation, stage::tess},
                              {program_slot::geometry, stage::geometry}};

/// `primitive`: BEGIN's code, after quads and polygons were split.
topology topology_of(std::uint32_t primitive)
{
    static constexpr topology by_code[] = {topology::points,
                                           topology::lines,
                                           topology::line_loop,
                                           topology::line_strip,
                                           topology::triangles,
                                           topology::triangle_strip,
                                           topology::triangle_fan,
                                           topology::triangles,
                                           topology::triangles,
                                           topology::triangles,
                                           topology::lines_adjacency,
                                           topology::line_strip_adjacency,
                                           topology::triangles_adjacency,
                                           topology::triangle_strip_adjacency,
                                           topology::patches};
    if (primitive >= std::size(by_code)) throw draw_refused("primitive code " + std::to_string(primitive));
    return by_code[primitive];
}

/// OpenGL's draws stay in the model's order, since OpenGL does not define the captured order.
bool first_vertex_provokes(const three_d_state& state, const gpu_memory& memory)
{
    const bool vulkan = memory.for_mapping();
    return vulkan && (state.at(provoking_last) & 1) == 0;
}

/// A side is the front as it is seen in the window, whose y points down.
cull_settings cull_of(const three_d_state& state)
{
    enum : std::uint32_t { clockwise = 0x900, front = 0x404, back = 0x405, both = 0x408 };
    cull_settings result;
    const auto face = (state.at(three_d::cull_enable) & 1) != 0 ? state.at(three_d::cull_face) : 0;
    result.front = face == front || face == both;
    result.back = face == back || face == both;
    const auto is_negative = [&](std::uint32_t scale) { return (state.at(scale) >> 31) != 0; };
    const bool mirrored = (is_negative(three_d::viewport_scale) != is_negative(three_d::viewport_scale + 4)) !=
                          ((state.at(three_d::window_origin) & 0x10) != 0);
    result.clockwise_is_front = (state.at(three_d::front_face) == clockwise) == mirrored;
    result.depth_from_zero = (state.at(three_d::depth_from_zero) & 1) != 0;
    return result;
}

} // namespace

void draw_builder::add_programs(const three_d_state& state, draw_call& draw)
{
    used_.clear();
    if (program_source::enabled(state, program_slot::vertex_a)) throw draw_refused("a program in stage VSa");
    if (!program_source::enabled(state, program_slot::vertex)) throw draw_refused("no vertex program");
    for (const auto& row : slots) {
        if (!program_source::enabled(state, row.slot)) continue;
        // A control program without an evaluation program does nothing.
        if (row.slot == program_slot::control && !program_source::enabled(state, program_slot::evaluation)) continue;
        add_program(state, row.slot, row.stage, static_cast<unsigned>(row.slot) - 1, draw);
    }
}

void draw_builder::add_program(const three_d_state& state, program_slot slot, stage which, unsigned constants,
                               draw_call& draw)
{
    const auto& found = programs_.find(state, slot);
    used_[which] = &found;
    auto& program = draw.stages[which];
    program.program = found.program;
    program.header = found.header;
    add_constants(state, constants, program.constants);
}

/// A lone mesh program is in the vertex slot; with a task program, the task is there and the mesh program in the
/// evaluation slot. A geometry header without code names the attributes of primitives.
void draw_builder::add_mesh(const three_d_state& state, const drawn_vertices& drawn, draw_call& draw)
{
    const auto value = [&](const mesh_field& field) { return field.of(state.at(field.method)); };
    const auto group = [&](program_slot slot) {
        return std::min(state.at(three_d::program_group + 0x40 * static_cast<unsigned>(slot)) & 7,
                        three_d_state::stages - 1);
    };
    const auto add = [&](program_slot slot, stage which) { add_program(state, slot, which, group(slot), draw); };
    used_.clear();
    if (!program_source::enabled(state, program_slot::vertex)) throw draw_refused("no mesh program");
    const bool task = program_source::enabled(state, program_slot::evaluation);
    add(program_slot::vertex, task ? stage::task : stage::mesh);
    if (task) add(program_slot::evaluation, stage::mesh);
    if (task)
        draw.task = {value(mesh_fields::task_threads), value(mesh_fields::task_local_lines),
                     value(mesh_fields::task_output_lines)};
    const auto output = mesh_output_of(value(mesh_fields::output));
    if (!output) throw draw_refused("mesh topology " + std::to_string(value(mesh_fields::output)));
    auto& mesh = draw.mesh;
    mesh.output = *output;
    mesh.max_vertices = value(mesh_fields::max_vertices);
    mesh.max_primitives = value(mesh_fields::max_primitives);
    mesh.shared_lines = value(mesh_fields::shared_lines);
    mesh.threads = value(mesh_fields::threads);
    if (program_source::enabled(state, program_slot::geometry)) {
        const auto header = programs_.header_of(state, program_slot::geometry);
        if (!header.geometry_passthrough) throw draw_refused("a geometry program behind a mesh program");
        for (unsigned id = 0; id < mapped_attribute_ids; ++id)
            if (header.omap.contains(id)) mesh.per_primitive.push_back(4 * id);
    }
    draw.topology = topology::mesh;
    draw.vertex_count = drawn.runs.at(0).count;
    draw.instance_count = 1;
    add_memory(state, memory_, draw);
}

void draw_builder::add_constants(const three_d_state& state, unsigned index, isa::constant_banks& banks) const
{
    for (unsigned bank = 0; bank < three_d_state::constant_banks; ++bank)
        read_constants(memory_, state.constants[index][bank], banks[bank]);
    for (unsigned table = 0; state.has_root_tables && table < three_d_state::root_tables; ++table)
        banks[three_d_state::first_root_bank + table].assign(state.root[table].begin(), state.root[table].end());
}

void draw_builder::add_tessellation(const three_d_state& state, draw_call& draw) const
{
    static constexpr tess_domain domains[] = {tess_domain::isolines, tess_domain::triangles, tess_domain::quads,
                                              tess_domain::quads};
    static constexpr tess_spacing spacings[] = {tess_spacing::equal, tess_spacing::fractional_odd,
                                                tess_spacing::fractional_even, tess_spacing::equal};
    // The class calls 2 clockwise, which it is with v down; in GL and the model v points up.
    static constexpr tess_output outputs[] = {tess_output::points, tess_output::lines, tess_output::triangles_ccw,
                                              tess_output::triangles_cw};
    const auto mode = state.at(three_d::tessellation);
    auto& result = draw.tessellation;
    result.domain = domains[mode & 3];
    result.spacing = spacings[(mode >> 4) & 3];
    result.output = outputs[(mode >> 8) & 3];
    const auto* levels = state.registers.data() + three_d::default_levels / 4;
    std::memcpy(result.defaults.outer.data(), levels, sizeof result.defaults.outer);
    std::memcpy(result.defaults.inner.data(), levels + result.defaults.outer.size(), sizeof result.defaults.inner);
}

draw_call draw_builder::build(const three_d_state& state, const drawn_vertices& drawn)
{
    draw_call draw;
    draw.arch = chip_.arch;
    draw.cull = cull_of(state);
    if (drawn.mesh) {
        add_mesh(state, drawn, draw);
        return draw;
    }
    add_programs(state, draw);
    add_memory(state, memory_, draw);
    auto primitive = drawn.primitive;
    auto vertices = read_vertices(state, drawn, chip_, memory_);
    vertices_ = vertices.count;
    split_polygons(primitive, vertices);
    draw.first_provokes = first_vertex_provokes(state, memory_);
    draw.topology = topology_of(primitive);
    draw.instance_count = drawn.instances;
    if (draw.topology == topology::patches) {
        draw.patch_vertices = state.at(three_d::patch_vertices);
        if (draw.stages.count(stage::tess) == 0) throw draw_refused("patches without an evaluation program");
        add_tessellation(state, draw);
    }
    const auto& inputs = draw.stages.at(stage::vertex).header.imap;
    add_vertices({state, chip_, memory_, inputs}, drawn, std::move(vertices), draw);
    draw.capture = captured_columns(stream_out_layout_of(state));
    return draw;
}

} // namespace isbesim::gl

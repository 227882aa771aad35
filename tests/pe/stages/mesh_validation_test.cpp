// SPDX-License-Identifier: Apache-2.0
// The errors of mesh draws, and the lines that their workgroups take.
#include <functional>

#include <gtest/gtest.h>

#include "models/pe/linking/linking.h"
#include "tests/pe/draws.h"
#include "tests/support/error_text.h"

namespace isbesim {
namespace {

using namespace test;

/// The mesh of HARDWARE.md E10: 7 attributes of 64 vertices, 2 of 126 primitives, 22 lines; 2 shared lines after them.
draw_call example(bool shared)
{
    mesh_settings mesh;
    mesh.max_vertices = 64;
    mesh.max_primitives = 126;
    mesh.shared_lines = 2;
    mesh.per_primitive = {0x64, 0x60};
    return mesh_draw(10, mesh, ids({0x60, 0x64, 0x70, 0x74, 0x78, 0x7c, 0x80, 0x84, 0x88}), shared);
}

std::string error_after(const std::function<void(draw_call&)>& spoil, bool with_task = true)
{
    auto draw = example(false);
    if (with_task) add_task(draw, {32, 3, 2}, false);
    spoil(draw);
    return error_text<draw_error>([&] { link_pipeline(draw, {}); });
}

void expect_error(const std::string& part, const std::function<void(draw_call&)>& spoil)
{
    const auto error = error_after(spoil);
    EXPECT_NE(error.find(part), std::string::npos) << error;
}

TEST(mesh_validation, PIPE_05_good_draws_pass)
{
    EXPECT_EQ(error_after([](draw_call&) {}), "");
    EXPECT_EQ(error_after([](draw_call&) {}, false), "");
    EXPECT_EQ(error_after([](draw_call& d) { d.vertex_count = 0; }), "");
    EXPECT_EQ(error_after([](draw_call& d) { d.stages[stage::mesh].header.shader_type = shader_type::tess_init; }), "");
}

TEST(mesh_validation, PIPE_05_stages_and_headers)
{
    expect_error("needs a mesh stage", [](draw_call& d) { d.stages.erase(stage::mesh); });
    expect_error("stage vertex: expected only task and mesh", [](draw_call& d) { d.stages[stage::vertex]; });
    expect_error("stage mesh: expected topology mesh", [](draw_call& d) {
        d.topology = topology::points;
        d.stages[stage::vertex] = program(shader_type::vertex, {}, {});
        d.stages[stage::vertex].program.arch = d.arch;
        d.stages.erase(stage::task);
    });
    expect_error("stage mesh: the header is for another stage: ShaderType 1, expected 3",
                 [](draw_call& d) { d.stages[stage::mesh].header.shader_type = shader_type::vertex; });
    expect_error("stage task: the header is for another stage: ShaderType 3, expected 1",
                 [](draw_call& d) { d.stages[stage::task].header.shader_type = shader_type::tess; });
    expect_error("ShaderType 3, expected 1", [](draw_call& d) { d.stages.erase(stage::task); });
    expect_error("stage mesh: the program is empty", [](draw_call& d) { d.stages[stage::mesh].program.code.clear(); });
    expect_error("from sm75 on", [](draw_call& d) {
        d.arch = isa::architecture::sm50;
        for (auto& [which, program] : d.stages) program.program.arch = d.arch;
    });
}

TEST(mesh_validation, PIPE_05_fields_and_their_ranges)
{
    expect_error("mesh.max_vertices is 0, expected 1 to 256", [](draw_call& d) { d.mesh.max_vertices = 0; });
    expect_error("mesh.max_vertices is 257, expected 1 to 256", [](draw_call& d) { d.mesh.max_vertices = 257; });
    expect_error("mesh.max_primitives is 1024, expected 1 to 1023", [](draw_call& d) { d.mesh.max_primitives = 1024; });
    expect_error("mesh.shared_lines is 512, expected 0 to 511", [](draw_call& d) { d.mesh.shared_lines = 512; });
    expect_error("mesh.threads is 33, expected 1 to 32", [](draw_call& d) { d.mesh.threads = 33; });
    expect_error("mesh.threads is 0", [](draw_call& d) { d.mesh.threads = 0; });
    expect_error("task.threads is 33, expected 1 to 32", [](draw_call& d) { d.task.threads = 33; });
    expect_error("task.local_lines is 0, expected 1 to 511", [](draw_call& d) { d.task.local_lines = 0; });
    expect_error("task.output_lines is 4, expected 1 to 3", [](draw_call& d) { d.task.output_lines = 4; });
    expect_error("task.output_lines is 0", [](draw_call& d) { d.task.output_lines = 0; });
    expect_error("mesh.per_primitive 0x62", [](draw_call& d) { d.mesh.per_primitive.push_back(0x62); });
    expect_error("mesh.per_primitive 0x3c0", [](draw_call& d) { d.mesh.per_primitive.push_back(0x3c0); });
    expect_error("names 0x60 twice", [](draw_call& d) { d.mesh.per_primitive.push_back(0x60); });
    expect_error("no vertex attributes", [](draw_call& d) { d.attributes[0x80]; });
    expect_error("one instance", [](draw_call& d) { d.instance_count = 2; });
    expect_error("2^32", [](draw_call& d) { d.vertex_count = (std::uint64_t{1} << 32) + 1; });
    expect_error("capture 0x3c0", [](draw_call& d) { d.capture[0] = {0x3c0}; });
}

// E10's 22 lines and 2 shared ones; the MAP of 4 + 126 * 3 bytes takes 3. Alone the input takes one line, after a task
// two, in shared spaces none of its own.
TEST(mesh_linking, PIPE_05_PIPE_07_ISBE_11_lines_of_a_workgroup)
{
    const auto alone = link_pipeline(example(false), {});
    EXPECT_EQ(alone.first_stage_lines, 22U + 2 + 3 + 1);
    EXPECT_TRUE(alone.stage_lines.empty());
    EXPECT_EQ(alone.mesh.layout.shared_base(), 0xb00U);
    EXPECT_EQ(link_pipeline(example(true), {}).first_stage_lines, 22U + 2 + 3);

    auto draw = example(false);
    add_task(draw, {32, 5, 2}, false);
    auto linked = link_pipeline(draw, {});
    EXPECT_EQ(linked.first_stage_lines, 5U + 1);
    EXPECT_EQ(linked.stage_lines, (std::vector<unsigned>{22 + 2 + 3 + 2}));
    draw.stages[stage::task].header.shared_spaces = true;
    draw.stages[stage::mesh].header.shared_spaces = true;
    linked = link_pipeline(draw, {});
    EXPECT_EQ(linked.first_stage_lines, 5U);
    EXPECT_EQ(linked.stage_lines, (std::vector<unsigned>{22 + 2 + 3}));
    // A payload larger than everything that the mesh stage outputs.
    draw.task = {32, 100, 90};
    EXPECT_EQ(link_pipeline(draw, {}).stage_lines, (std::vector<unsigned>{90 + 3}));
}

TEST(mesh_linking, PIPE_05_PIPE_07_a_workgroup_that_can_never_fit_is_an_error)
{
    auto draw = example(false);
    machine_config config;
    config.isbe.lines = 28;
    EXPECT_NO_THROW(link_pipeline(draw, config));
    config.isbe.lines = 24;
    try {
        link_pipeline(draw, config);
        FAIL() << "accepted";
    } catch (const batch_too_large& error) {
        EXPECT_EQ(error.needed, 28U);
        EXPECT_EQ(error.available, 24U);
        EXPECT_EQ(std::string(error.what()).rfind("a workgroup of this draw needs 28 ISBE lines", 0), 0U);
    }
    add_task(draw, {32, 5, 2}, false);
    config.isbe.lines = 32;
    try {
        link_pipeline(draw, config);
        FAIL() << "accepted";
    } catch (const batch_too_large& error) {
        EXPECT_EQ(error.needed, 6U + 29);
        EXPECT_EQ(std::string(error.what()).rfind("a task with one mesh workgroup", 0), 0U);
    }
    // 256 vertices with all 240 attributes, 8 times 240 lines, do not fit the default ISBE.
    mesh_settings mesh;
    mesh.max_vertices = 256;
    attribute_set all;
    for (unsigned id = 0; id < mapped_attribute_ids; ++id) all.insert(id);
    EXPECT_THROW(link_pipeline(mesh_draw(1, mesh, all, true), {}), batch_too_large);
}

} // namespace
} // namespace isbesim

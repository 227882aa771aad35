// SPDX-License-Identifier: Apache-2.0
// Task and mesh stages in the timed PE: order, space and time.
#include "tests/pe/draws.h"
#include "tests/pe/pe_machine.h"
#include "tests/pe/shaders.h"

namespace isbesim {
namespace {

using namespace test;

class mesh_pe : public testing::TestWithParam<warp_initiator::style> {};
INSTANTIATE_TEST_SUITE_P(style, mesh_pe, both_styles(), testing::PrintToStringParamName());

constexpr auto task_index = static_cast<unsigned>(stage::task);
constexpr auto mesh_index = static_cast<unsigned>(stage::mesh);
constexpr unsigned payload = 0x20;

/// Mesh workgroups of task g.
word grid_of(word g)
{
    return g % 4 * 3;
}

/// Points of mesh workgroup i.
word points_of(word i)
{
    return i % 3;
}

draw_call draw_of_tasks(unsigned tasks, bool shared)
{
    mesh_settings mesh;
    mesh.output = mesh_output::points;
    mesh.max_vertices = 40;
    mesh.max_primitives = 2;
    mesh.per_primitive = {0x80};
    auto draw = mesh_draw(tasks, mesh, ids({0x70, 0x74}), shared);
    add_task(draw, {8, 2, 1}, shared);
    draw.capture[0] = {0x70, 0x80};
    return draw;
}

warp_completion launch_grid(shader_warp& warp)
{
    const auto g = read_input(warp, 0).data[0][0];
    emit_mesh_tasks(warp, g % 4, 3, 1);
    write_output(warp, region::attr, 4, payload, 1000 * g);
    return {};
}

/// Point p of workgroup i of task g is vertex 39 - p with POSITION_X = 1000 g + 10 i + p and the attribute p of its
/// own.
warp_completion make_points(shader_warp& warp)
{
    const mesh_addresses at{2, 40, 1, 2};
    const auto i = read_input(warp, 0).data[0][0];
    const auto value = read_input(warp, payload).data[0][0] + 10 * i;
    for (word p = 0; p < points_of(i); ++p) {
        write_output(warp, region::attr, 4, at.vertex(0, 39 - p), value + p);
        write_output(warp, region::attr, 4, at.primitive(0, p), p);
        write_output(warp, region::map, 1, 4 + p, 39 - p);
    }
    set_primitive_count(warp, points_of(i));
    return {};
}

const std::map<stage, shader> mesh_programs{{stage::task, launch_grid}, {stage::mesh, make_points}};

std::vector<row> expected_rows(unsigned tasks)
{
    std::vector<row> rows;
    for (word g = 0; g < tasks; ++g)
        for (word i = 0; i < grid_of(g); ++i)
            for (word p = 0; p < points_of(i); ++p) rows.push_back({0, rows.size(), 0, {1000 * g + 10 * i + p, p}});
    return rows;
}

class mesh_pe_order : public testing::TestWithParam<std::tuple<warp_initiator::style, bool>> {};
INSTANTIATE_TEST_SUITE_P(spaces, mesh_pe_order, testing::Combine(both_styles(), testing::Bool()));

TEST_P(mesh_pe_order, PIPE_05_ISBE_09_workgroups_in_order_of_launch)
{
    const auto [style, shared] = GetParam();
    unsigned calls = 0;
    machine_config config;
    config.sm_count = 3;
    machine m(draw_of_tasks(50, shared), config, style, with_delays(mesh_programs, calls));
    m.run();
    EXPECT_EQ(m.sink.rows, expected_rows(50));
    const auto total = m.total();
    EXPECT_EQ(total.batches, 50U);
    EXPECT_EQ(total.warps[task_index], 50U);
    EXPECT_EQ(total.invocations[task_index], 50U * 8);
    // Tasks 0 to 47 launch 3 + 6 + 9 every four, 48 none, 49 three.
    EXPECT_EQ(total.warps[mesh_index], 12U * 18 + 3);
    EXPECT_EQ(total.invocations[mesh_index], (12U * 18 + 3) * 32);
    EXPECT_EQ(total.lines.level(), 0U);
    EXPECT_EQ(m.pe.draw_counters().primitives_in, 50U);
    EXPECT_EQ(m.pe.draw_counters().primitives_out[0], expected_rows(50).size());
}

// Lines for one task beside one mesh workgroup: everything waits for everything else, and the report counts it.
TEST_P(mesh_pe, PIPE_05_PIPE_07_smallest_sufficient_ISBE_never_deadlocks)
{
    const auto draw = draw_of_tasks(20, false);
    machine_config config;
    const auto pipeline = link_pipeline(draw, config);
    // 1 line of index and 2 of shared memory; 4 + 1 of attributes, 1 of MAP, 1 of payload.
    EXPECT_EQ(pipeline.first_stage_lines, 3U);
    EXPECT_EQ(pipeline.stage_lines, (std::vector<unsigned>{7}));
    config.isbe.lines = 10;
    machine m(draw, config, GetParam(), mesh_programs, 100);
    m.run();
    EXPECT_EQ(m.sink.rows, expected_rows(20));
    const auto total = m.total();
    EXPECT_LE(total.lines.peak(), 10U);
    // At most one task and one mesh workgroup are there at once, and each lasts 100 cycles.
    EXPECT_LE(m.sms[0]->resident_peak(), 2U);
    EXPECT_GE(m.pe.done_cycle(), std::max(total.warps[task_index], total.warps[mesh_index]) * 100);
    EXPECT_GT(total.stalls[stall_reason::isbe_full], 0U);
}

TEST_P(mesh_pe, PIPE_05_PIPE_07_one_warp_slot_is_enough)
{
    machine_config config;
    config.sm.warps = 1;
    machine m(draw_of_tasks(9, true), config, GetParam(), mesh_programs, 20);
    m.run();
    EXPECT_EQ(m.sink.rows, expected_rows(9));
    EXPECT_EQ(m.sms[0]->resident_peak(), 1U);
    EXPECT_GT(m.total().stalls[stall_reason::warp_slot], 0U);
}

TEST_P(mesh_pe, PIPE_05_a_draw_without_workgroups_is_done_at_once)
{
    machine m(draw_of_tasks(0, false), {}, GetParam(), mesh_programs);
    m.run();
    EXPECT_EQ(m.pe.done_cycle(), 0U);
    EXPECT_TRUE(m.sink.rows.empty());
}

TEST_P(mesh_pe, PIPE_05_undefined_results_are_counted)
{
    const auto task = [](shader_warp& w) {
        emit_mesh_tasks(w, 1, 1, 1);
        write_output(w, region::attr, 4, 4, 2); // total is not x * y * z
        return warp_completion{};
    };
    const auto mesh = [](shader_warp& w) {
        set_primitive_count(w, 3);                   // max_primitives is 2
        write_output(w, region::map, 2, 5, 40 << 8); // indices 0 and 40 of 40 vertices
        return warp_completion{};
    };
    machine m(draw_of_tasks(1, false), {}, GetParam(), {{stage::task, task}, {stage::mesh, mesh}});
    m.run();
    EXPECT_EQ(m.sink.rows.size(), 2U);
    const draw_losses expected{{0, 0, 0, 2, 2, 0, 1}};
    EXPECT_EQ(m.pe.draw_counters().losses, expected);
}

} // namespace
} // namespace isbesim

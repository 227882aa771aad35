// SPDX-License-Identifier: Apache-2.0
// Task and mesh pipelines on the functional ISBE, against what their programs meant to make.
#include <random>

#include <gtest/gtest.h>

#include "tests/pe/draws.h"
#include "tests/pe/functional_pipeline.h"
#include "tests/pe/shaders.h"

namespace isbesim {
namespace {

using namespace test;

bool any_status(const warp_result& result, std::uint16_t bit)
{
    return std::any_of(result.status.begin(), result.status.end(), [&](auto status) { return (status & bit) != 0; });
}

struct variant {
    bool skew;
    bool byte_swap;
    bool shared;
};
void PrintTo(const variant& machine, std::ostream* out)
{
    *out << (machine.skew ? "skewed" : "unskewed") << (machine.byte_swap ? "_swapped" : "")
         << (machine.shared ? "_shared" : "");
}

class mesh_steps : public testing::TestWithParam<variant> {
protected:
    machine_config config;
    mesh_steps()
    {
        config.isbe.skew = GetParam().skew;
        config.isbe.map_byte_swap = GetParam().byte_swap;
    }
};
INSTANTIATE_TEST_SUITE_P(machines, mesh_steps,
                         testing::Values(variant{true, false, true}, variant{true, false, false},
                                         variant{false, false, true}, variant{true, true, true}));

// Random meshes: the test draws vertices, primitives and indices for every workgroup, the program stores them in any
// order, and exactly they must come out, corner by corner.
TEST_P(mesh_steps, PIPE_05_ISBE_06_ISBE_07_ISBE_11_stores_of_workgroups_come_out)
{
    for (unsigned seed = 1; seed <= 60; ++seed) {
        std::mt19937 generator(seed);
        const auto random = [&] { return static_cast<word>(generator()); };
        const auto up_to = [&](unsigned most) { return random() % (most + 1); };
        mesh_settings mesh;
        mesh.output = static_cast<mesh_output>(up_to(2));
        mesh.max_vertices = 1 + up_to(seed % 3 == 0 ? 255 : 40);
        mesh.max_primitives = 1 + up_to(seed % 3 == 1 ? 511 : 40);
        mesh.shared_lines = up_to(2);
        mesh.threads = 1 + up_to(31);
        const auto corners = static_cast<unsigned>(mesh.output) + 1;
        std::vector<unsigned> columns;
        attribute_set outputs;
        std::vector<unsigned> vertex_columns;
        for (unsigned address = 0x60; address < 0xa0; address += 4) {
            if (up_to(2) != 0) continue;
            columns.push_back(address);
            if (up_to(2) == 0)
                mesh.per_primitive.push_back(address);
            else
                vertex_columns.push_back(address);
            // A per-primitive attribute may be in the header's map or not.
            if (vertex_columns.end() != std::find(vertex_columns.begin(), vertex_columns.end(), address) || up_to(1))
                outputs.insert(address / 4);
        }
        if (seed % 4 == 0) std::shuffle(mesh.per_primitive.begin(), mesh.per_primitive.end(), generator);
        const mesh_addresses at{static_cast<unsigned>(vertex_columns.size()), mesh.max_vertices,
                                static_cast<unsigned>(mesh.per_primitive.size()), mesh.max_primitives};
        constexpr unsigned workgroups = 5;
        auto draw = mesh_draw(workgroups, mesh, outputs, GetParam().shared);
        draw.capture[0] = columns;

        std::vector<row> expected;
        std::uint64_t primitive = 0;
        const auto shader = [&](shader_warp& w) {
            EXPECT_EQ(w.launch.lanes, first_lanes(mesh.threads));
            std::map<unsigned, word> stores; // address -> value
            std::vector<std::vector<word>> vertices(mesh.max_vertices);
            for (unsigned v = 0; v < mesh.max_vertices; ++v)
                for (unsigned r = 0; r < at.vertex_attributes; ++r) {
                    vertices[v].push_back(random());
                    stores[at.vertex(r, v)] = vertices[v].back();
                }
            const auto count = up_to(mesh.max_primitives);
            std::vector<std::vector<word>> attributes(count);
            std::vector<unsigned> indices;
            for (unsigned p = 0; p < count; ++p) {
                for (unsigned r = 0; r < at.primitive_attributes; ++r) {
                    attributes[p].push_back(random());
                    stores[at.primitive(r, p)] = attributes[p].back();
                }
                for (unsigned i = 0; i < corners; ++i) indices.push_back(up_to(mesh.max_vertices - 1));
            }
            for (unsigned i = 0; i < mesh.shared_lines * 32; ++i) stores[at.shared() + 4 * i] = random();

            set_primitive_count(w, count);
            for (unsigned i = 0; i < indices.size(); ++i) write_output(w, region::map, 1, 4 + i, indices[i]);
            for (const auto& [address, value] : stores)
                EXPECT_FALSE(any_status(write_output(w, region::attr, 4, address, value), lane_status::out_of_range));
            const auto beyond = at.shared() + mesh.shared_lines * 128;
            EXPECT_TRUE(any_status(write_output(w, region::attr, 4, beyond, 0), lane_status::out_of_range));

            for (unsigned p = 0; p < count; ++p, ++primitive)
                for (unsigned i = 0; i < corners; ++i) {
                    row r{0, primitive, i, {}};
                    auto next_vertex = vertices[indices[p * corners + i]].begin();
                    auto next_primitive = attributes[p].begin();
                    for (const auto address : columns)
                        r.values.push_back(std::count(vertex_columns.begin(), vertex_columns.end(), address) != 0
                                               ? *next_vertex++
                                               : *next_primitive++);
                    if (!columns.empty()) expected.push_back(r);
                }
            return warp_completion{};
        };
        functional_pipeline run(draw, config, {{stage::mesh, shader}});
        EXPECT_EQ(run.warps[stage::mesh], workgroups);
        EXPECT_EQ(run.sink.rows, expected) << seed;
        EXPECT_EQ(run.allocator().lines_used(), 0U);
        EXPECT_EQ(run.counters().losses, draw_losses{});
    }
}

mesh_settings points(unsigned most)
{
    mesh_settings mesh;
    mesh.output = mesh_output::points;
    mesh.max_vertices = most;
    mesh.max_primitives = most;
    return mesh;
}

/// One point that carries `value` in POSITION_X.
void make_point(shader_warp& warp, word value)
{
    write_output(warp, region::attr, 4, 0, value);
    write_output(warp, region::map, 1, 4, 0);
    set_primitive_count(warp, 1);
}

TEST_P(mesh_steps, PIPE_05_ISBE_09_the_workgroup_index_is_the_VERTEX_ID_until_an_output_overwrites_it)
{
    auto draw = mesh_draw(100, points(1), ids({0x70}), GetParam().shared);
    draw.capture[0] = {0x70};
    word expected_index = 0;
    const auto shader = [&](shader_warp& w) {
        const auto index = read_input(w, 0);
        for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(index.data[0][i], expected_index);
        EXPECT_FALSE(any_status(index, lane_status::overwritten)); // nor from the workgroup before on these lines
        const auto loaded = w.run(w.operation(opcode::ald, 1, 0x2fc));
        EXPECT_EQ(loaded.data[0][0], expected_index);
        EXPECT_TRUE((loaded.status[1] & lane_status::handle_range) != 0); // one workgroup, one vertex
        make_point(w, 1000 + index.data[0][0]);
        const auto late = read_input(w, 0);
        EXPECT_EQ(late.data[0][0], GetParam().shared ? 1000 + expected_index : expected_index);
        EXPECT_EQ(any_status(late, lane_status::overwritten), GetParam().shared);
        ++expected_index;
        return warp_completion{};
    };
    functional_pipeline run(draw, config, {{stage::mesh, shader}});
    ASSERT_EQ(run.sink.rows.size(), 100U);
    for (unsigned g = 0; g < 100; ++g) EXPECT_EQ(run.sink.rows[g], (row{0, g, 0, {1000 + g}}));
}

TEST_P(mesh_steps, PIPE_05_draws_without_workgroups_and_workgroups_without_primitives)
{
    for (const unsigned workgroups : {0U, 1U, 77U}) {
        auto draw = mesh_draw(workgroups, points(4), ids({0x70}), GetParam().shared);
        draw.capture[0] = {0x70};
        // The first of three workgroups makes two points, the second stores no count and must not inherit that one,
        // the third stores 0.
        functional_pipeline run(draw, config, {{stage::mesh, [](shader_warp& w) {
                                                    const auto index = read_input(w, 0).data[0][0];
                                                    for (unsigned i = 0; i < 4; ++i)
                                                        write_output(w, region::map, 1, 4 + i, i);
                                                    if (index % 3 == 0) set_primitive_count(w, 2);
                                                    if (index % 3 == 2) set_primitive_count(w, 0);
                                                    return warp_completion{};
                                                }}});
        EXPECT_EQ(run.warps[stage::mesh], workgroups);
        EXPECT_EQ(run.sink.rows.size(), (workgroups + 2) / 3 * 2);
    }
}

TEST_P(mesh_steps, PIPE_05_a_count_above_the_maximum_is_cut_and_a_bad_index_drops_its_primitive)
{
    auto mesh = points(3);
    mesh.output = mesh_output::lines;
    auto draw = mesh_draw(1, mesh, ids({0x70}), GetParam().shared);
    draw.capture[0] = {0x70};
    for (const word count : {4U, 256U, 0x01000000U, ~word{0}}) {
        functional_pipeline run(draw, config, {{stage::mesh, [&](shader_warp& w) {
                                                    for (unsigned v = 0; v < 3; ++v)
                                                        write_output(w, region::attr, 4, 4 * v, 50 + v);
                                                    const unsigned indices[] = {2, 0, 1, 3, 1, 2};
                                                    for (unsigned i = 0; i < 6; ++i)
                                                        write_output(w, region::map, 1, 4 + i, indices[i]);
                                                    set_primitive_count(w, count);
                                                    return warp_completion{};
                                                }}});
        // Line 1 names vertex 3 of 3.
        EXPECT_EQ(run.sink.column(0), (std::vector<word>{52, 50, 51, 52}));
        EXPECT_EQ(run.sink.rows.back().primitive, 1U);
        EXPECT_EQ(run.counters().losses[draw_loss::mesh_primitives_above_maximum], count - 3);
        EXPECT_EQ(run.counters().losses[draw_loss::mesh_primitives_without_vertex], 1U);
    }
}

TEST_P(mesh_steps, PIPE_05_only_bad_indices_and_defaults_of_absent_outputs)
{
    auto draw = mesh_draw(1, points(1), ids({0x70}), GetParam().shared);
    draw.capture[0] = {0x70, 0x7c, 0x90};
    for (const word index : {0U, 1U}) {
        functional_pipeline run(draw, config, {{stage::mesh, [&](shader_warp& w) {
                                                    make_point(w, 8);
                                                    write_output(w, region::map, 1, 4, index);
                                                    return warp_completion{};
                                                }}});
        if (index == 0)
            EXPECT_EQ(run.sink.rows, (std::vector<row>{{0, 0, 0, {8, 0x3f800000, 0}}}));
        else
            EXPECT_TRUE(run.sink.rows.empty());
    }
}

// Every task draws its grid and its payload; every mesh workgroup checks that it sees them, with its own index.
TEST_P(mesh_steps, PIPE_05_tasks_launch_grids_that_see_their_payload)
{
    for (unsigned seed = 1; seed <= 30; ++seed) {
        std::mt19937 generator(seed);
        const auto random = [&] { return static_cast<word>(generator()); };
        const auto up_to = [&](unsigned most) { return random() % (most + 1); };
        task_settings task;
        task.threads = 1 + up_to(31);
        task.local_lines = 1 + up_to(5);
        task.output_lines = 1 + up_to(task.local_lines - 1);
        const unsigned tasks = up_to(9);
        auto draw = mesh_draw(tasks, points(1), ids({0x70}), GetParam().shared);
        draw.capture[0] = {0x70};
        add_task(draw, task, GetParam().shared);

        struct launched {
            word x, y, z;
            std::vector<word> payload; // of the whole shared memory
        };
        std::vector<launched> grids;
        const auto task_shader = [&](shader_warp& w) {
            EXPECT_EQ(w.launch.lanes, first_lanes(task.threads));
            EXPECT_EQ(read_input(w, 0).data[0][0], grids.size());
            launched grid{up_to(4), up_to(3), up_to(3), {}};
            grid.payload.resize(task.local_lines * 32);
            for (unsigned i = 5; i < grid.payload.size(); ++i) {
                grid.payload[i] = random();
                write_output(w, region::attr, 4, 4 * i, grid.payload[i]);
            }
            EXPECT_TRUE(
                any_status(write_output(w, region::attr, 4, task.local_lines * 128, 0), lane_status::out_of_range));
            // Some tasks leave the grid as it is: empty.
            if (up_to(4) == 0)
                grid.x = grid.y = grid.z = 0;
            else
                emit_mesh_tasks(w, grid.x, grid.y, grid.z);
            grids.push_back(grid);
            return warp_completion{};
        };
        word index = 0;
        word value = 0;
        const auto mesh_shader = [&](shader_warp& w) {
            const auto& grid = grids.back();
            const word header[] = {index++, grid.x * grid.y * grid.z, grid.x, grid.y, grid.z};
            for (unsigned i = 0; i < task.output_lines * 32; ++i) {
                const auto read = read_input(w, 4 * i);
                EXPECT_EQ(read.data[0][0], i < 5 ? header[i] : grid.payload[i]);
                EXPECT_EQ(read.status[0], lane_status::ok);
            }
            // One line of output, however long the payload in the same place is.
            EXPECT_TRUE(any_status(read_input(w, task.output_lines * 128), lane_status::out_of_range));
            EXPECT_TRUE(any_status(write_output(w, region::attr, 4, 128, 0), lane_status::out_of_range));
            make_point(w, value++);
            if (index == header[1]) index = 0;
            return warp_completion{};
        };
        functional_pipeline run(draw, config, {{stage::task, task_shader}, {stage::mesh, mesh_shader}});
        std::vector<row> expected;
        for (const auto& grid : grids)
            for (unsigned i = 0; i < grid.x * grid.y * grid.z; ++i)
                expected.push_back({0, expected.size(), 0, {static_cast<word>(expected.size())}});
        EXPECT_EQ(run.warps[stage::task], tasks);
        EXPECT_EQ(run.warps[stage::mesh], expected.size());
        EXPECT_EQ(run.sink.rows, expected);
        EXPECT_EQ(run.allocator().lines_used(), 0U);
        EXPECT_EQ(run.counters().losses[draw_loss::uneven_grids], 0U);
    }
}

TEST_P(mesh_steps, PIPE_05_the_total_count_decides_how_many_workgroups_start)
{
    auto draw = mesh_draw(1, points(1), ids({0x70}), GetParam().shared);
    draw.capture[0] = {0x70};
    add_task(draw, {}, GetParam().shared);
    functional_pipeline run(draw, config,
                            {{stage::task,
                              [](shader_warp& w) {
                                  emit_mesh_tasks(w, 2, 2, 2);
                                  write_output(w, region::attr, 4, 4, 3);
                                  return warp_completion{};
                              }},
                             {stage::mesh, [](shader_warp& w) {
                                  make_point(w, 5);
                                  return warp_completion{};
                              }}});
    EXPECT_EQ(run.sink.rows.size(), 3U);
    EXPECT_EQ(run.counters().losses[draw_loss::uneven_grids], 1U);
}

/// Answers every read with the same grid.
struct canned_isbe final : isbe_access {
    std::vector<word> line;
    void write(const component_run&, lane_mask, const per_lane<word>&) override {}
    void read(const component_run&, lane_mask, word* destination) override
    {
        std::copy(line.begin(), line.end(), destination);
    }
};

struct counting_host final : task_host {
    std::vector<warp_task> pool{1};
    unsigned spawned = 0;
    warp_task& spawn(warp_task&, stage_step&) override
    {
        ++spawned;
        return pool.front();
    }
    warp_task& respawn(warp_task&) override { return pool.front(); }
    batch_work& make_result(warp_task& task) override { return *task.result; }
};

TEST(task_step, PIPE_05_a_grid_beyond_the_limit_is_cut_down_to_it)
{
    auto draw = mesh_draw(1, points(1), ids({0x70}), false);
    add_task(draw, {}, false);
    const auto pipeline = link_pipeline(draw, {});
    for (const word total : {most_grid_workgroups, most_grid_workgroups + 1, ~word{0}}) {
        pipeline_steps steps(pipeline, draw, {});
        auto& step = steps.first();
        canned_isbe isbe;
        isbe.line = {0, total, total, 1, 1};
        isbe.line.resize(32);
        counting_host host;
        batch_work work;
        warp_task task;
        task.work = task.result = &work;
        EXPECT_TRUE(step.read_back(task, isbe));
        EXPECT_FALSE(step.read_back(task, isbe));
        stream_output output;
        step.finish(task, isbe, output, host);
        EXPECT_EQ(work.grid.workgroups, most_grid_workgroups);
        EXPECT_EQ(host.spawned, 1U); // the others are made one after the other
        pe_draw_counters counters;
        steps.add_to(counters);
        EXPECT_EQ(counters.losses[draw_loss::workgroups_above_maximum], total - most_grid_workgroups);
        EXPECT_EQ(counters.losses[draw_loss::uneven_grids], 0U);
    }
}

} // namespace
} // namespace isbesim

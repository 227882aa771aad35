// SPDX-License-Identifier: Apache-2.0
// Whole draws through the steps of the stages: what the PE writes into the ISBE is what ALD and ISBERD find there, and
// what AST and OUT leave there is what comes out.
#include <random>

#include <gtest/gtest.h>

#include "tests/pe/draws.h"
#include "tests/pe/functional_pipeline.h"
#include "tests/support/print_choices.h"

namespace isbesim {
namespace {

using namespace test;

struct machine_variant {
    bool skew;
    gs_slot_order order;
};
void PrintTo(const machine_variant& machine, std::ostream* out)
{
    *out << (machine.skew ? "skewed_" : "unskewed_");
    PrintTo(machine.order, out);
}

class stage_steps : public testing::TestWithParam<machine_variant> {
protected:
    machine_config config;
    stage_steps()
    {
        config.isbe.skew = GetParam().skew;
        config.isbe.gs_slot_order = GetParam().order;
    }
};

INSTANTIATE_TEST_SUITE_P(layouts, stage_steps,
                         testing::Values(machine_variant{true, gs_slot_order::interleaved},
                                         machine_variant{true, gs_slot_order::blocked},
                                         machine_variant{false, gs_slot_order::interleaved},
                                         machine_variant{false, gs_slot_order::blocked}));

TEST_P(stage_steps, PIPE_01_vertex_stage_streams_out_assembled_primitives)
{
    for (const auto kind : {topology::points, topology::line_loop, topology::triangle_strip, topology::triangles}) {
        const auto draw = vertex_draw(kind, 100);
        functional_pipeline run(draw, config, {{stage::vertex, copy_vertex}});
        EXPECT_EQ(run.sink.rows, rows_of(assemble(draw)));
        EXPECT_EQ(run.allocator().lines_used(), 0U);
    }
}

TEST_P(stage_steps, PIPE_01_geometry_stage_sees_every_corner_of_every_topology)
{
    struct form {
        topology kind;
        output_topology output;
    };
    for (const auto& f :
         {form{topology::points, output_topology::points}, form{topology::lines, output_topology::line_strip},
          form{topology::line_loop, output_topology::line_strip},
          form{topology::triangle_fan, output_topology::triangle_strip}}) {
        auto draw = vertex_draw(f.kind, 90);
        const auto k = vertices_per_primitive(f.kind, 0);
        add_geometry(draw, f.output, k);
        functional_pipeline run(draw, config, copying(k));
        EXPECT_EQ(run.sink.rows, rows_of(assemble(draw)));
        EXPECT_EQ(run.allocator().lines_used(), 0U);
    }
}

// Six corners come out as a strip of points: the six vertices in GS input order.
TEST_P(stage_steps, ISBE_08_adjacency_handles)
{
    auto draw = vertex_draw(topology::triangle_strip_adjacency, 60);
    add_geometry(draw, output_topology::points, 6);
    functional_pipeline run(draw, config, copying(6));
    primitive_list points;
    for (const auto& p : assemble(draw))
        for (const auto v : p) points.push_back({v});
    EXPECT_EQ(run.sink.rows, rows_of(points));
}

// The MAP bytes themselves: byte p * k + i is the lane of vertex i of primitive p.
TEST_P(stage_steps, ISBE_06_input_map_bytes)
{
    auto draw = vertex_draw(topology::triangle_strip, 7);
    add_geometry(draw, output_topology::points, 1);
    std::vector<word> bytes;
    functional_pipeline run(
        draw, config,
        {{stage::vertex, copy_vertex}, {stage::geometry, [&](shader_warp& w) {
                                            auto op = w.operation(opcode::isberd, 1);
                                            op.region = region::map;
                                            op.lanes = all_lanes;
                                            for (word i = 0; i < warp_lanes; ++i) op.address[i] = i;
                                            const auto result = w.run(op);
                                            for (unsigned i = 0; i < warp_lanes; ++i)
                                                bytes.push_back(result.status[i] == 0 ? result.data[0][i] : 999);
                                            return warp_completion{};
                                        }}});
    std::vector<word> expected{0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5, 4, 5, 6};
    expected.resize(warp_lanes, 999); // beyond 5 primitives of 3 vertices
    EXPECT_EQ(bytes, expected);
}

/// Emits one vertex: PRIMITIVE_ID (loaded with an absurd handle), INVOCATION_ID, 0, 0.
warp_completion name_yourself(shader_warp& warp)
{
    auto load = warp.operation(opcode::ald, 1, 0x60);
    load.handle.fill(0x80000000U);
    auto store = warp.operation(opcode::ast, 4, 0x70);
    store.data[0] = warp.run(load).data[0];
    store.data[1] = warp.launch.special.invocation_id;
    warp.run(store);
    return emitted(warp.out(out_type::emit, 0, {}));
}

TEST_P(stage_steps, ALD_12_primitive_id_is_the_thread_s_own_and_OUT_12_orders_by_primitive_then_instance)
{
    constexpr unsigned instances = 5;
    auto draw = vertex_draw(topology::triangle_strip, 70);
    add_geometry(draw, output_topology::points, 1, instances);
    draw.stages[stage::geometry].header.imap.insert(0x60 / 4);
    draw.capture[0] = {0x70, 0x74};
    draw.instance_count = 2;
    functional_pipeline run(draw, config, {{stage::vertex, copy_vertex}, {stage::geometry, name_yourself}});
    ASSERT_EQ(run.sink.rows.size(), 2U * 68 * instances);
    for (std::size_t i = 0; i < run.sink.rows.size(); ++i) {
        EXPECT_EQ(run.sink.rows[i].primitive, i);
        EXPECT_EQ(run.sink.rows[i].values,
                  (std::vector<word>{static_cast<word>(i / instances % 68), static_cast<word>(i % instances)}));
    }
}

TEST_P(stage_steps, ALD_07_vertex_and_instance_id)
{
    auto draw = vertex_draw(topology::points, 40);
    draw.first_vertex = 10;
    draw.attributes.clear();
    draw.instance_count = 3;
    draw.stages[stage::vertex].header.imap = ids({0x2f8, 0x2fc});
    draw.capture[0] = {0x70, 0x74};
    functional_pipeline run(draw, config, {{stage::vertex, [](shader_warp& w) { return copy_words(w, 0x2f8, 2); }}});
    ASSERT_EQ(run.sink.rows.size(), 120U);
    for (word i = 0; i < 120; ++i) EXPECT_EQ(run.sink.rows[i].values, (std::vector<word>{i / 40, 10 + i % 40}));
}

// 18 threads at most: 32 are 16 and 16, not 18 and 14; six of the last batch are one warp.
TEST_P(stage_steps, PIPE_11_geometry_warps_of_a_batch_are_as_equal_as_can_be)
{
    config.pe.gs_output_vertices = 180;
    auto draw = vertex_draw(topology::points, 70);
    add_geometry(draw, output_topology::points, 10);
    std::vector<unsigned> threads;
    functional_pipeline run(draw, config,
                            {{stage::vertex, copy_vertex}, {stage::geometry, [&](shader_warp& w) {
                                                                threads.push_back(lane_count(w.launch.lanes));
                                                                return copy_primitive(w, 1);
                                                            }}});
    EXPECT_EQ(threads, (std::vector<unsigned>{16, 16, 16, 16, 6}));
    EXPECT_EQ(run.sink.rows.size(), 70U);
    EXPECT_EQ(linked_geometry::even_share(33, 16), 11U);
    EXPECT_EQ(linked_geometry::even_share(16, 16), 16U);
    EXPECT_EQ(linked_geometry::even_share(0, 16), 0U);
}

// Random geometry threads against a list made on the side: streams, cuts, counts, overflow, several warps per batch.
TEST_P(stage_steps, OUT_08_random_emission_matches_a_list)
{
    std::mt19937 generator(11);
    const auto random = [&] { return static_cast<unsigned>(generator()); };
    constexpr unsigned maximum = 9;
    config.pe.gs_output_vertices = 50; // five threads per warp
    auto draw = vertex_draw(topology::points, 200);
    add_geometry(draw, output_topology::line_strip, maximum);
    draw.stages[stage::geometry].header.stream_out_mask = 0xb; // stream 2 is off
    draw.capture = {};
    for (auto& columns : draw.capture) columns = {0x70};

    std::array<std::vector<std::vector<word>>, 4> expected; // per stream: pairs
    word next_value = 1;
    const auto shader = [&](shader_warp& w) {
        struct thread {
            std::vector<std::pair<unsigned, word>> strip;
            unsigned emitted = 0;
        };
        std::array<thread, warp_lanes> threads;
        per_lane<std::array<std::vector<std::vector<word>>, 4>> pairs;
        per_lane<word> state{};
        for (unsigned step = 0; step < 15; ++step) {
            auto store = w.operation(opcode::ast, 1, 0x70);
            auto out = w.operation(opcode::out, 1);
            out.type = static_cast<out_type>(1 + random() % 3);
            store.lanes = out.lanes = w.launch.lanes & random();
            store.handle = out.handle = state;
            for (unsigned i = 0; i < warp_lanes; ++i) {
                if ((out.lanes >> i & 1U) == 0) continue;
                const auto stream = random() % 4;
                store.data[0][i] = next_value;
                out.address[i] = stream | (random() << 2);
                auto& t = threads[i];
                if (t.emitted == maximum) continue;
                if (out.type != out_type::cut) {
                    if (!t.strip.empty() && t.strip.back().first != stream) t.strip.clear();
                    t.strip.push_back({stream, next_value});
                    const auto n = t.strip.size();
                    if (n >= 2 && stream != 2)
                        pairs[i][stream].push_back({t.strip[n - 2].second, t.strip[n - 1].second});
                    ++t.emitted;
                }
                if (out.type != out_type::emit) t.strip.clear();
                ++next_value;
            }
            w.run(store);
            const auto result = w.run(out);
            for (unsigned i = 0; i < warp_lanes; ++i)
                if ((out.lanes >> i & 1U) != 0) state[i] = result.data[0][i];
        }
        const auto done = emitted(state);
        for (unsigned i = 0; i < warp_lanes; ++i) {
            if ((w.launch.lanes >> i & 1U) == 0) continue;
            EXPECT_EQ(done.vertex_count[i], threads[i].emitted);
            for (unsigned s = 0; s < 4; ++s)
                expected[s].insert(expected[s].end(), pairs[i][s].begin(), pairs[i][s].end());
        }
        return done;
    };
    functional_pipeline run(draw, config, {{stage::vertex, copy_vertex}, {stage::geometry, shader}});
    EXPECT_EQ(run.warps[stage::geometry], 6U * 7 + 2); // 6 batches of 32 points are 7 warps of 5, one of 8 is 2
    std::array<std::vector<std::vector<word>>, 4> got;
    for (std::size_t i = 0; i < run.sink.rows.size(); i += 2) {
        const auto& a = run.sink.rows[i];
        const auto& b = run.sink.rows[i + 1];
        EXPECT_EQ(a.primitive, got[a.stream].size());
        EXPECT_EQ(b.vertex, 1U);
        got[a.stream].push_back({a.values[0], b.values[0]});
    }
    EXPECT_EQ(got, expected);
    EXPECT_TRUE(got[2].empty());
    EXPECT_GT(got[0].size(), 20U);
}

/// The vertices of a primitive without those that are there for adjacency only (OpenGL 4.6 core, figures 10.2 to 10.4).
std::vector<std::uint32_t> without_adjacency(const std::vector<std::uint32_t>& p)
{
    if (p.size() == 4) return {p[1], p[2]};
    if (p.size() == 6) return {p[0], p[2], p[4]};
    return p;
}

constexpr topology all_kinds[] = {topology::points,
                                  topology::line_loop,
                                  topology::triangle_strip,
                                  topology::triangle_fan,
                                  topology::line_strip_adjacency,
                                  topology::triangle_strip_adjacency};

TEST_P(stage_steps, PIPE_06_passthrough_without_a_program_passes_the_primitives_on)
{
    for (const auto kind : all_kinds) {
        auto draw = vertex_draw(kind, 100);
        auto& geometry = draw.stages[stage::geometry];
        geometry.header.shader_type = shader_type::geometry;
        geometry.header.geometry_passthrough = true;
        functional_pipeline run(draw, config, {{stage::vertex, copy_vertex}});
        primitive_list expected;
        for (const auto& p : assemble(draw)) expected.push_back(without_adjacency(p));
        EXPECT_EQ(run.sink.rows, rows_of(expected));
        EXPECT_EQ(run.warps.count(stage::geometry), 0U);
        EXPECT_EQ(run.pipeline().last().stage, stage::vertex);
    }
}

// The program stores y of the primitive's provoking vertex + 1000 * instance into x: the same for all its vertices. y
// to w come from the vertices.
TEST_P(stage_steps, PIPE_06_passthrough_with_a_program_adds_outputs_of_its_map)
{
    constexpr unsigned instances = 3;
    for (const auto kind : all_kinds) {
        auto draw = vertex_draw(kind, 70);
        const auto k = vertices_per_primitive(kind, 0);
        add_geometry(draw, output_topology::points, 1, instances);
        auto& header = draw.stages[stage::geometry].header;
        header.geometry_passthrough = true;
        header.omap = ids({0x70});
        functional_pipeline run(draw, config,
                                {{stage::vertex, copy_vertex}, {stage::geometry, [&](shader_warp& w) {
                                                                    EXPECT_TRUE(w.launch.fast_geometry);
                                                                    auto load = w.operation(opcode::ald, 1, 0x74);
                                                                    load.handle = w.handles(k - 1);
                                                                    auto store = w.operation(opcode::ast, 1, 0x70);
                                                                    store.data = w.run(load).data;
                                                                    for (unsigned i = 0; i < warp_lanes; ++i)
                                                                        store.data[0][i] +=
                                                                            1000 * w.launch.special.invocation_id[i];
                                                                    store.handle.fill(0xbad); // Rc is not looked at
                                                                    w.run(store);
                                                                    return warp_completion{};
                                                                }}});
        std::vector<row> expected;
        for (const auto& p : assemble(draw))
            for (unsigned instance = 0; instance < instances; ++instance) {
                const auto number = expected.empty() ? 0 : expected.back().primitive + 1;
                unsigned corner = 0;
                for (const auto v : without_adjacency(p))
                    expected.push_back(
                        {0, number, corner++, {4 * p.back() + 1 + 1000 * instance, 4 * v + 1, 4 * v + 2, 4 * v + 3}});
            }
        EXPECT_EQ(run.sink.rows, expected);
        EXPECT_EQ(run.allocator().lines_used(), 0U);
    }
}

// One vertex per thread in thread order; OUT of every kind in between changes neither state nor output.
TEST_P(stage_steps, PIPE_06_OUT_09_a_fast_geometry_thread_leaves_one_vertex)
{
    for (const auto mask : {1U, 0xeU}) {
        auto draw = vertex_draw(topology::triangles, 3 * 50);
        add_geometry(draw, output_topology::points, 7, 2);
        draw.stages[stage::geometry].header.stream_out_mask = mask;
        draw.gs_mode = geometry_mode::fast;
        functional_pipeline run(
            draw, config,
            {{stage::vertex, copy_vertex},
             {stage::geometry, [&](shader_warp& w) {
                  per_lane<word> state;
                  state.fill(0x12345678);
                  for (const auto type : {out_type::emit, out_type::cut, out_type::emit_then_cut, out_type::final})
                      EXPECT_EQ(w.out(type, 2, state)[0], 0x12345678U);
                  auto load = w.operation(opcode::ald, 4, 0x70);
                  load.handle = w.handles(w.launch.special.invocation_id[0] + 1);
                  auto store = w.operation(opcode::ast, 4, 0x70);
                  store.data = w.run(load).data;
                  store.handle = state;
                  w.run(store);
                  return warp_completion{};
              }}});
        primitive_list points;
        for (const auto& p : assemble(draw)) {
            points.push_back({p[1]});
            points.push_back({p[1]});
        }
        EXPECT_EQ(run.sink.rows, mask == 1 ? rows_of(points) : std::vector<row>{}) << "OUT-05: stream 0 only";
        EXPECT_EQ(run.core().counters().discarded_gs_overflow, 0U);
        EXPECT_EQ(run.allocator().lines_used(), 0U);
    }
}

TEST_P(stage_steps, OUT_07_lost_thread_leaves_the_others_alone)
{
    auto draw = vertex_draw(topology::points, 20);
    add_geometry(draw, output_topology::points, 1);
    functional_pipeline run(draw, config, {{stage::vertex, copy_vertex}, {stage::geometry, [](shader_warp& w) {
                                                                              auto done = copy_primitive(w, 1);
                                                                              done.lost = 1U << 3 | 1U << 19;
                                                                              return done;
                                                                          }}});
    primitive_list points;
    for (std::uint32_t v = 0; v < 20; ++v)
        if (v != 3 && v != 19) points.push_back({v});
    EXPECT_EQ(run.sink.rows, rows_of(points));
    EXPECT_EQ(run.counters().lost_threads, 2U);
}

TEST_P(stage_steps, PIPE_01_absent_output_is_captured_as_its_default)
{
    auto draw = vertex_draw(topology::points, 1);
    draw.capture[0] = {0x74, 0x90, 0x9c};
    functional_pipeline run(draw, config, {{stage::vertex, copy_vertex}});
    ASSERT_EQ(run.sink.rows.size(), 1U);
    EXPECT_EQ(run.sink.rows[0].values,
              (std::vector<word>{1, 0, 0x3f800000})); // GENERIC .w, SET_ATTRIBUTE_DEFAULT bit 2
}

} // namespace
} // namespace isbesim

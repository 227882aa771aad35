// SPDX-License-Identifier: Apache-2.0
// Draws with tessellation stages on the functional ISBE: what TI leaves reaches the generator and TS, and what TS
// leaves comes out in API order or reaches a geometry stage.

#include <gtest/gtest.h>

#include "tests/pe/draws.h"
#include "tests/pe/functional_pipeline.h"
#include "tlm/float_bits.h"

namespace isbesim {
namespace {

using namespace test;

per_lane<word> lane_numbers()
{
    per_lane<word> lanes;
    for (unsigned i = 0; i < warp_lanes; ++i) lanes[i] = i;
    return lanes;
}

per_lane<word> load(shader_warp& warp, int address, const per_lane<word>& handle, space where = space::input)
{
    auto op = warp.operation(opcode::ald, 1, address);
    op.handle = handle;
    op.space = where;
    return warp.run(op).data[0];
}

per_lane<word> load_patch(shader_warp& warp, int address)
{
    auto op = warp.operation(opcode::ald, 1, address);
    op.form = address_form::patch;
    return warp.run(op).data[0];
}

void store(shader_warp& warp, int address, const per_lane<word>& value, address_form form = address_form::logical)
{
    auto op = warp.operation(opcode::ast, 1, address);
    op.form = form;
    op.data[0] = value;
    warp.run(op);
}

/// Handle of vertex index[lane] of the lane's primitive.
per_lane<word> handles(shader_warp& warp, const per_lane<word>& index)
{
    auto op = warp.operation(opcode::isberd, 1);
    op.region = region::map;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const auto info = warp.launch.special.invocation_info[i];
        op.address[i] = (info & 0xffU) * (info >> 16 & 0xffU) + index[i];
    }
    return warp.run(op).data[0];
}

/// Output vertex i = input vertex i, beside it the x of output vertex i + 1. Every odd patch is culled; the patch's
/// first generic word is its id + 100.
warp_completion pass_control_points(shader_warp& warp, unsigned threads)
{
    const auto& special = warp.launch.special;
    const auto id = load(warp, 0x60, {});
    store(warp, 0x70, load(warp, 0x70, handles(warp, special.invocation_id)));
    per_lane<word> neighbour;
    for (unsigned i = 0; i < warp_lanes; ++i)
        neighbour[i] = i - special.invocation_id[i] + (special.invocation_id[i] + 1) % threads;
    store(warp, 0x74, load(warp, 0x70, neighbour, space::output));
    per_lane<word> level;
    per_lane<word> tag;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        level[i] = to_bits(id[i] % 2 == 0 ? 1.0F : -1.0F);
        tag[i] = id[i] + 100;
    }
    for (const auto slot : {0x00, 0x04, 0x08, 0x0c, 0x10, 0x14}) store(warp, slot, level, address_form::patch);
    store(warp, 0x20, tag, address_form::patch);
    return {};
}

/// u, v, x of control point 1, a patch word.
warp_completion evaluate(shader_warp& warp, int patch_word, int control_point_word)
{
    per_lane<word> one;
    one.fill(1);
    const auto u = load(warp, 0x2f0, lane_numbers(), space::output);
    const auto v = load(warp, 0x2f4, lane_numbers(), space::output);
    const auto point = load(warp, control_point_word, handles(warp, one));
    store(warp, 0x70, u);
    store(warp, 0x74, v);
    store(warp, 0x78, point);
    store(warp, 0x7c, load_patch(warp, patch_word));
    return {};
}

stage_program tess_program()
{
    auto tess = program(shader_type::tess, ids({0x70, 0x74}), ids({0x70, 0x74, 0x78, 0x7c, 0x2f0, 0x2f4}));
    tess.header.store_req_start = 0x2f0 / 4;
    tess.header.store_req_end = 0x2f4 / 4;
    return tess;
}

draw_call patch_draw(unsigned patches, unsigned k, unsigned threads)
{
    auto draw = vertex_draw(topology::patches, std::uint64_t{patches} * k);
    draw.patch_vertices = k;
    if (threads != 0) {
        auto& tess_init = draw.stages[stage::tess_init];
        tess_init = program(shader_type::tess_init, ids({0x60, 0x70}), ids({0x70, 0x74}));
        tess_init.header.threads_per_input_primitive = threads;
        tess_init.header.per_patch_attribute_count = 9;
        tess_init.header.store_req_start = 0x70 / 4;
        tess_init.header.store_req_end = 0x74 / 4;
    }
    draw.stages[stage::tess] = tess_program();
    return draw;
}

class tess_steps : public testing::TestWithParam<bool> {
protected:
    machine_config config;
    tess_steps() { config.isbe.skew = GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(layouts, tess_steps, testing::Bool());

/// The undivided triangle of the even patches, edge 0 first.
std::vector<row> rows_of_even_patches(unsigned patches, const std::function<word(unsigned)>& point,
                                      const std::function<word(unsigned)>& tag)
{
    std::vector<row> rows;
    const word one = to_bits(1.0F);
    for (unsigned p = 0; p < patches; p += 2) {
        const std::uint64_t number = p / 2;
        rows.push_back({0, number, 0, {0, one, point(p), tag(p)}});
        rows.push_back({0, number, 1, {0, 0, point(p), tag(p)}});
        rows.push_back({0, number, 2, {one, 0, point(p), tag(p)}});
    }
    return rows;
}

TEST_P(tess_steps, PIPE_01_PIPE_04_control_points_patches_and_other_lanes_outputs)
{
    for (const auto threads : {1U, 2U, 3U, 5U, 32U}) {
        const unsigned k = threads;
        const auto draw = patch_draw(23, k, threads);
        functional_pipeline run(draw, config,
                                {{stage::vertex, copy_vertex},
                                 {stage::tess_init, [&](shader_warp& w) { return pass_control_points(w, threads); }},
                                 {stage::tess, [](shader_warp& w) { return evaluate(w, 0x20, 0x74); }}});
        // Word 0x74 of control point 1 is x of control point 2, which vertex_draw() numbers 4 per vertex. A patch of
        // one vertex has no control point 1: 0.
        const auto point = [&](unsigned p) { return threads == 1 ? 0 : 4 * (p * k + 2 % threads); };
        EXPECT_EQ(run.sink.rows, rows_of_even_patches(23, point, [](unsigned p) { return p + 100; })) << threads;
        EXPECT_EQ(run.allocator().lines_used(), 0U);
        const auto per_warp = std::min({32 / threads, 32 / k, 96 / k, 12U}) /* pe.patches_per_batch */;
        EXPECT_EQ(run.warps[stage::tess_init], (23 + per_warp - 1) / per_warp) << threads;
    }
}

TEST_P(tess_steps, PIPE_04_threads_without_a_vertex_of_their_own_read_0)
{
    const auto draw = patch_draw(6, 3, 4);
    const auto tess = [](shader_warp& warp) {
        per_lane<word> three;
        three.fill(3);
        const auto past = load(warp, 0x70, handles(warp, three));
        for (const auto address : {0x70, 0x74, 0x78, 0x7c}) store(warp, address, past);
        return warp_completion{};
    };
    functional_pipeline run(draw, config,
                            {{stage::vertex, copy_vertex},
                             {stage::tess_init, [](shader_warp& w) { return pass_control_points(w, 4); }},
                             {stage::tess, tess}});
    ASSERT_EQ(run.sink.rows.size(), 9U);
    for (const auto& r : run.sink.rows) EXPECT_EQ(r.values, (std::vector<word>(4, 0)));
}

TEST_P(tess_steps, ALD_15_PIPE_01_levels_of_the_draw_without_a_TI_stage)
{
    auto draw = patch_draw(40, 2, 0);
    draw.tessellation.domain = tess_domain::isolines;
    draw.tessellation.output = tess_output::lines;
    draw.tessellation.defaults = {{1, 2, 7, 8}, {9, 10}};
    functional_pipeline run(draw, config, {{stage::vertex, copy_vertex}, {stage::tess, [](shader_warp& w) {
                                                                              return evaluate(w, 0x14, 0x70);
                                                                          }}});
    std::vector<row> expected;
    for (unsigned p = 0; p < 40; ++p)
        for (unsigned segment = 0; segment < 2; ++segment)
            for (unsigned end = 0; end < 2; ++end)
                expected.push_back(
                    {0,
                     2 * p + segment,
                     end,
                     {to_bits(static_cast<float>(segment + end) / 2), 0, 4 * (2 * p + 1), to_bits(10.0F)}});
    EXPECT_EQ(run.sink.rows, expected);
}

TEST_P(tess_steps, PIPE_01_many_warps_of_one_patch_stay_in_order)
{
    auto draw = patch_draw(3, 1, 0);
    draw.tessellation.domain = tess_domain::quads;
    draw.tessellation.defaults = {{20, 30, 40, 64}, {17, 64}};
    tessellated_patch patch;
    tessellator(draw.tessellation).tessellate(draw.tessellation.defaults, patch);
    functional_pipeline run(draw, config, {{stage::vertex, copy_vertex}, {stage::tess, [](shader_warp& w) {
                                                                              return evaluate(w, 0x00, 0x70);
                                                                          }}});
    ASSERT_EQ(run.sink.rows.size(), 3 * patch.vertices.size());
    for (std::size_t i = 0; i < run.sink.rows.size(); ++i) {
        const auto& point = patch.points[patch.vertices[i % patch.vertices.size()]];
        ASSERT_EQ(run.sink.rows[i].values[0], to_bits(static_cast<float>(point.u) / 65536)) << i;
        ASSERT_EQ(run.sink.rows[i].values[1], to_bits(static_cast<float>(point.v) / 65536)) << i;
    }
}

TEST_P(tess_steps, PIPE_01_a_geometry_stage_reads_tessellated_primitives)
{
    auto draw = patch_draw(9, 3, 3);
    add_geometry(draw, output_topology::triangle_strip, 3);
    functional_pipeline run(draw, config,
                            {{stage::vertex, copy_vertex},
                             {stage::tess_init, [](shader_warp& w) { return pass_control_points(w, 3); }},
                             {stage::tess, [](shader_warp& w) { return evaluate(w, 0x20, 0x74); }},
                             {stage::geometry, [](shader_warp& w) { return copy_primitive(w, 3); }}});
    EXPECT_EQ(run.sink.rows, rows_of_even_patches(
                                 9, [](unsigned p) { return 4 * (p * 3 + 2); }, [](unsigned p) { return p + 100; }));
    EXPECT_EQ(run.allocator().lines_used(), 0U);
}

} // namespace
} // namespace isbesim

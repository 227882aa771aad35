// SPDX-License-Identifier: Apache-2.0
// Header bit 25 in every stage: programs that read all inputs before they write leave the same with and without it, the
// others read words that they overwrote, with a warning; where an output can't lie over its input it does not, and is
// counted.
#include <gtest/gtest.h>

#include "tests/pe/draws.h"
#include "tests/pe/functional_pipeline.h"
#include "tests/pe/sharing_draws.h"

namespace isbesim {
namespace {

using namespace test;

class sharing : public testing::TestWithParam<bool> {
protected:
    machine_config config;
    sharing() { config.isbe.skew = GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(layouts, sharing, testing::Bool());

std::vector<stage> stages_of(const draw_call& draw)
{
    std::vector<stage> stages;
    for (const auto& [which, program] : draw.stages) stages.push_back(which);
    return stages;
}

/// The draw with bit 25 in the stages of `mask`, first stage lowest.
draw_call with_bits(draw_call draw, unsigned mask)
{
    unsigned bit = 0;
    for (auto& [which, program] : draw.stages) program.header.shared_spaces = (mask >> bit++ & 1U) != 0;
    return draw;
}

TEST_P(sharing, ISBE_09_every_combination_of_stages_gives_the_same)
{
    for (const auto& draw :
         {vertex_stages_draw(), geometry_draw(1), geometry_draw(3), fast_draw(false), fast_draw(true),
          tessellation_draw(false, false), tessellation_draw(true, false), tessellation_draw(true, true)}) {
        hazard_watch watch;
        const auto shaders = copying_shaders(watch);
        functional_pipeline reference(draw, config, shaders);
        ASSERT_FALSE(reference.sink.rows.empty());
        for (unsigned mask = 1; mask < 1U << draw.stages.size(); ++mask) {
            const auto shared = with_bits(draw, mask);
            functional_pipeline run(shared, config, shaders);
            EXPECT_EQ(run.sink.rows, reference.sink.rows) << "stages " << mask << " of " << draw.stages.size();
            EXPECT_EQ(run.allocator().lines_used(), 0U) << mask;
        }
        EXPECT_EQ(watch.overwritten, 0U) << "reads before writes are no hazard";
    }
}

// What a stage reads when it has stored 7 to all its outputs. Single words: whatever the layouts, the input's first
// word of vertex 0 lies where the output's does.
TEST_P(sharing, ISBE_09_read_after_write_is_flagged_in_every_stage)
{
    for (const auto& draw : {vertex_stages_draw(), geometry_draw(1), fast_draw(false), tessellation_draw(true, true)})
        for (const auto which : stages_of(draw))
            for (const bool bit : {false, true}) {
                auto one = draw;
                one.stages[which].header.shared_spaces = bit;
                // Each patch has one TS warp.
                hazard_watch watch;
                auto shaders = copying_shaders(watch);
                const auto address = which == draw.stages.begin()->first ? 0x80 : 0x70;
                shaders[which] = with_late_read(watch, shaders[which], address);
                functional_pipeline run(one, config, shaders);
                EXPECT_GT(watch.late_reads, 0U);
                EXPECT_EQ(watch.late_overwritten, bit ? watch.late_reads : 0U) << static_cast<int>(which);
                EXPECT_EQ(watch.overwritten, 0U) << static_cast<int>(which);
            }
}

// The marks of a stage that shares are not hazards of the next one, which shares as well; its own are.
TEST_P(sharing, ISBE_09_marks_of_the_stage_before_are_not_taken_for_one_s_own)
{
    for (const auto& draw : {vertex_stages_draw(), geometry_draw(1), tessellation_draw(true, true)}) {
        const auto all = with_bits(draw, ~0U);
        hazard_watch watch;
        auto shaders = copying_shaders(watch);
        for (auto& [which, shader] : shaders)
            shader = with_late_read(watch, shader, which == all.stages.begin()->first ? 0x80 : 0x70);
        functional_pipeline run(all, config, shaders);
        EXPECT_GT(watch.late_reads, 0U);
        EXPECT_EQ(watch.late_overwritten, watch.late_reads);
        EXPECT_EQ(watch.overwritten, 0U);
    }
}

TEST_P(sharing, ISBE_09_PIPE_07_stages_that_share_reserve_nothing)
{
    const auto reserves = [&](const draw_call& draw) { return link_pipeline(draw, config).stage_lines; };
    for (const auto& draw : {vertex_stages_draw(), geometry_draw(1), fast_draw(false)}) {
        const auto separate = link_pipeline(draw, config);
        const auto shared = link_pipeline(with_bits(draw, ~0U), config);
        EXPECT_EQ(shared.stage_lines, std::vector<unsigned>(draw.stages.size() - 1, 0U));
        unsigned apart = separate.first_stage_lines;
        for (const auto lines : separate.stage_lines) apart += lines;
        EXPECT_LT(shared.first_stage_lines, apart);
    }
    // TS may find that it can't.
    const auto tess = reserves(with_bits(tessellation_draw(true, true), ~0U));
    ASSERT_EQ(tess.size(), 4U);
    EXPECT_GT(tess[2], 0U);
    for (const auto i : {0U, 1U, 3U}) EXPECT_EQ(tess[i], 0U) << i;
}

// A geometry warp of 8 threads covers batches of 8 points, or of 2 with four instances each; nothing covers 16
// instances.
TEST_P(sharing, ISBE_09_batch_fits_one_geometry_warp)
{
    config.pe.gs_output_vertices = 64;
    auto draw = geometry_draw(8);
    auto& header = draw.stages[stage::geometry].header;
    header.shared_spaces = true;
    for (const unsigned instances : {1U, 4U, 8U, 16U}) {
        header.threads_per_input_primitive = instances;
        const auto pipeline = link_pipeline(draw, config);
        EXPECT_EQ(pipeline.geometry.threads, 8U);
        const auto fits = instances <= 8;
        EXPECT_EQ(pipeline.last().sharing, fits ? space_sharing::on : space_sharing::several_warps);
        EXPECT_EQ(pipeline.assembly.limits.primitives, fits ? 8 / instances : 96);
        hazard_watch watch;
        functional_pipeline run(draw, config, copying_shaders(watch));
        EXPECT_EQ(run.own_lines(stage::geometry), fits ? 0U : run.warps[stage::geometry]);
        EXPECT_EQ(watch.overwritten, 0U);
    }
    EXPECT_NE(describe(stage::geometry, space_sharing::several_warps).find("several warps read the same input"),
              std::string::npos);
    EXPECT_NE(describe(stage::geometry, space_sharing::passthrough).find("the PE passes the input's vertices on"),
              std::string::npos);
    EXPECT_NE(describe(stage::tess, space_sharing::generated).find("what the PE generates into the output"),
              std::string::npos);
}

// A batch that is larger than isbe.lines in shared lines becomes smaller first, and then stops sharing.
TEST_P(sharing, ISBE_09_PIPE_07_batches_shrink_to_fit)
{
    auto draw = geometry_draw(8);
    draw.stages[stage::geometry].header.shared_spaces = true;
    unsigned smallest = 1;
    for (;; ++smallest) {
        config.isbe.lines = smallest;
        try {
            link_pipeline(draw, config);
            break;
        } catch (const batch_too_large&) {
        }
    }
    unsigned primitives = 0;
    for (auto lines = smallest; lines < smallest + 100; ++lines) {
        config.isbe.lines = lines;
        const auto pipeline = link_pipeline(draw, config);
        EXPECT_EQ(pipeline.last().sharing, space_sharing::on);
        EXPECT_GE(pipeline.assembly.limits.primitives, primitives);
        primitives = pipeline.assembly.limits.primitives;
        hazard_watch watch;
        functional_pipeline run(draw, config, copying_shaders(watch));
        EXPECT_LE(run.allocator().lines_peak(), lines);
        EXPECT_EQ(run.own_lines(stage::geometry), 0U);
    }
    EXPECT_EQ(primitives, 32U);
}

// A patch of a single warp shares; the warps of the others have lines of their own.
TEST_P(sharing, ISBE_09_TS_shares_if_a_patch_fits_one_warp)
{
    for (const bool small : {true, false}) {
        auto draw = tessellation_draw(false, false);
        draw.stages[stage::tess].header.shared_spaces = true;
        draw.tessellation.domain = tess_domain::quads;
        draw.tessellation.defaults =
            small ? tessellation_levels{{2, 2, 2, 2}, {2, 2}} : tessellation_levels{{9, 9, 9, 9}, {9, 9}};
        const auto pipeline = link_pipeline(draw, config);
        EXPECT_EQ(pipeline.stages.back().sharing, space_sharing::on);
        EXPECT_EQ(pipeline.assembly.limits.primitives, 1U);
        hazard_watch watch;
        functional_pipeline run(draw, config, copying_shaders(watch));
        const auto warps = run.warps[stage::tess];
        const auto patches = run.warps[stage::vertex];
        EXPECT_EQ(warps == patches, small);
        EXPECT_EQ(run.own_lines(stage::tess), small ? 0U : warps);
        EXPECT_EQ(run.allocator().lines_used(), 0U);
    }
}

// TS needs shared lines and, for patches of several warps, a reserve: where there is no room for both it gets the
// latter.
TEST_P(sharing, ISBE_09_PIPE_07_TS_without_room_for_both)
{
    auto draw = tessellation_draw(false, false);
    auto& tess = draw.stages[stage::tess].header;
    tess.shared_spaces = true;
    for (unsigned address = 0x80; address < 0x100; address += 4) {
        tess.omap.insert(address / 4);
        draw.capture[0].push_back(address);
    }
    // 36 attributes of 32 vertices and their MAP: 37 lines, once or twice, and the vertex stage's.
    config.isbe.lines = 70;
    EXPECT_EQ(link_pipeline(draw, config).stages.back().sharing, space_sharing::no_room);
    hazard_watch watch;
    functional_pipeline run(draw, config, copying_shaders(watch));
    EXPECT_EQ(run.own_lines(stage::tess), run.warps[stage::tess]);
    EXPECT_LE(run.allocator().lines_peak(), 70U);
    EXPECT_NE(describe(stage::tess, space_sharing::no_room).find("isbe.lines has no room"), std::string::npos);
    config.isbe.lines = 90;
    EXPECT_EQ(link_pipeline(draw, config).stages.back().sharing, space_sharing::on);
}

// Coordinates that the PE writes in front of the program would lie on input: rank 4 and 5 of the output, an input of
// four attributes ends in front of them, one of six does not. Without skew vertices lie one after the other.
TEST_P(sharing, ISBE_09_coordinates_must_not_lie_on_input)
{
    for (const unsigned inputs : {4U, 6U}) {
        auto draw = tessellation_draw(false, false);
        auto& tess = draw.stages[stage::tess].header;
        tess.shared_spaces = true;
        tess.omap = ids({0x70, 0x74, 0x78, 0x7c, 0x2f0, 0x2f4});
        tess.store_req_start = 0x2f0 / 4;
        tess.store_req_end = 0x2f4 / 4;
        if (inputs == 6) {
            draw.stages[stage::vertex].header.omap = ids({0x70, 0x74, 0x78, 0x7c, 0x80, 0x84});
            tess.imap = draw.stages[stage::vertex].header.omap;
        }
        const auto expected = GetParam() && inputs == 4 ? space_sharing::on : space_sharing::generated;
        EXPECT_EQ(link_pipeline(draw, config).stages.back().sharing, expected);
        hazard_watch watch;
        auto shaders = copying_shaders(watch);
        // Coordinates beside what it reads.
        shaders[stage::tess] = [&](shader_warp& w) {
            auto load = w.operation(opcode::ald, 2, 0x2f0);
            load.space = space::output;
            for (unsigned i = 0; i < warp_lanes; ++i) load.handle[i] = i;
            auto data = w.run(load).data;
            data[2] = watch.load(w, 0x70, w.handles(1))[0];
            data[3] = watch.load(w, 0x70, w.handles(0))[3];
            auto store = w.operation(opcode::ast, 4, 0x70);
            store.data = data;
            w.run(store);
            return warp_completion{};
        };
        functional_pipeline run(draw, config, shaders);
        auto plain = draw;
        plain.stages[stage::tess].header.shared_spaces = false;
        functional_pipeline reference(plain, config, shaders);
        EXPECT_EQ(run.sink.rows, reference.sink.rows);
        EXPECT_EQ(run.own_lines(stage::tess), expected == space_sharing::on ? 0U : run.warps[stage::tess]);
    }
}

TEST_P(sharing, ISBE_09_passthrough_keeps_its_input)
{
    auto draw = fast_draw(true);
    draw.stages[stage::geometry].header.shared_spaces = true;
    EXPECT_EQ(link_pipeline(draw, config).last().sharing, space_sharing::passthrough);
    hazard_watch watch;
    functional_pipeline run(draw, config, copying_shaders(watch));
    EXPECT_EQ(run.own_lines(stage::geometry), run.warps[stage::geometry]);
    draw.stages[stage::geometry].program.code.clear();
    ASSERT_EQ(warnings_of_draw(draw).size(), 1U);
    EXPECT_NE(warnings_of_draw(draw)[0].find("there is no program"), std::string::npos);
}

// The ids that the PE leaves in VSa's output for VSb.
TEST_P(sharing, ISBE_09_generated_ids_must_not_lie_on_input)
{
    for (const auto& [outputs, named] : {std::pair{1U, true}, {8U, true}, {1U, false}, {8U, false}}) {
        auto draw = vertex_stages_draw();
        draw.topology = topology::points;
        auto& first = draw.stages[stage::vertex_a].header;
        auto& second = draw.stages[stage::vertex].header;
        first.shared_spaces = true;
        first.omap = ids({0x70});
        if (outputs == 8) first.omap = ids({0x70, 0x74, 0x78, 0x7c, 0x80, 0x84, 0x88, 0x8c});
        second.imap = first.omap;
        second.imap.insert(0x2fc / 4);
        if (named) first.omap.insert(0x2fc / 4); // else it lies in PRIM
        const auto expected = !named || (GetParam() && outputs == 8) ? space_sharing::on : space_sharing::generated;
        EXPECT_EQ(link_pipeline(draw, config).stages.front().sharing, expected);
        hazard_watch watch;
        auto shaders = copying_shaders(watch);
        shaders[stage::vertex] = [&](shader_warp& w) {
            auto store = w.operation(opcode::ast, 2, 0x70);
            store.data[0] = watch.load(w, 0x2fc, {}, 1)[0];
            store.data[1] = watch.load(w, 0x70, {}, 1)[0];
            w.run(store);
            return warp_completion{};
        };
        functional_pipeline run(draw, config, shaders);
        for (word i = 0; i < run.sink.rows.size(); ++i) {
            EXPECT_EQ(run.sink.rows[i].values[0], i);
            EXPECT_EQ(run.sink.rows[i].values[1], 4 * i + added(stage::vertex_a));
        }
        EXPECT_EQ(run.own_lines(stage::vertex_a), expected == space_sharing::on ? 0U : run.warps[stage::vertex_a]);
        EXPECT_EQ(watch.overwritten, 0U);
    }
}

// Header bit 25 of a vertex program: the batch's input and output lie on the same lines.

class shared_spaces : public testing::TestWithParam<bool> {
protected:
    machine_config config;
    shared_spaces() { config.isbe.skew = GetParam(); }

    /// 40 vertices with eight input words, of which four go on; with a geometry stage MAP and PRIM lie after them.
    static draw_call draw(bool geometry)
    {
        auto draw = vertex_draw(topology::points, 40);
        auto& header = draw.stages[stage::vertex].header;
        header.shared_spaces = true;
        header.imap = ids({0x80, 0x84, 0x88, 0x8c, 0x90, 0x94, 0x98, 0x9c});
        draw.attributes[0x90] = draw.attributes[0x80];
        for (auto& word : draw.attributes[0x90].words) word += 1000;
        if (geometry) add_geometry(draw, output_topology::points, 1);
        return draw;
    }
};
INSTANTIATE_TEST_SUITE_P(layouts, shared_spaces, testing::Bool());

TEST_P(shared_spaces, ISBE_09_read_before_overwriting_is_good)
{
    for (const bool geometry : {false, true}) {
        const auto sums = draw(geometry);
        functional_pipeline run(sums, config,
                                {{stage::vertex,
                                  [](shader_warp& w) {
                                      const auto first = w.run(w.operation(opcode::ald, 4, 0x80));
                                      const auto second = w.run(w.operation(opcode::ald, 4, 0x90));
                                      for (const auto status : first.status) EXPECT_EQ(status, lane_status::ok);
                                      auto store = w.operation(opcode::ast, 4, 0x70);
                                      for (unsigned c = 0; c < 4; ++c)
                                          for (unsigned i = 0; i < warp_lanes; ++i)
                                              store.data[c][i] = first.data[c][i] + second.data[c][i];
                                      w.run(store);
                                      return warp_completion{};
                                  }},
                                 {stage::geometry, [](shader_warp& w) { return copy_primitive(w, 1); }}});
        ASSERT_EQ(run.sink.rows.size(), 40U);
        for (word v = 0; v < 40; ++v)
            EXPECT_EQ(run.sink.rows[v].values,
                      (std::vector<word>{8 * v + 1000, 8 * v + 1002, 8 * v + 1004, 8 * v + 1006}));
        EXPECT_EQ(run.allocator().lines_used(), 0U);
    }
}

TEST_P(shared_spaces, ISBE_09_read_after_overwriting_is_flagged)
{
    const auto late_loads = draw(false);
    functional_pipeline run(late_loads, config, {{stage::vertex, [](shader_warp& w) {
                                                      auto store = w.operation(opcode::ast, 4, 0x70);
                                                      for (auto& column : store.data) column.fill(7);
                                                      w.run(store);
                                                      // The first four words of each vertex in both layouts.
                                                      const auto late = w.run(w.operation(opcode::ald, 1, 0x80));
                                                      EXPECT_EQ(late.data[0][0], 7U);
                                                      EXPECT_NE(late.status[0] & lane_status::overwritten, 0);
                                                      return warp_completion{};
                                                  }}});
    for (const auto& r : run.sink.rows) EXPECT_EQ(r.values, (std::vector<word>(4, 7)));
}

// 8 lines of input hold the 4 of output; in spaces of their own they are 12. The MAP takes one more.
TEST_P(shared_spaces, ISBE_09_PIPE_07_the_larger_space_counts)
{
    auto points = draw(false);
    EXPECT_EQ(link_pipeline(points, config).first_stage_lines, 9U);
    points.stages[stage::vertex].header.shared_spaces = false;
    EXPECT_EQ(link_pipeline(points, config).first_stage_lines, 13U);
}

} // namespace
} // namespace isbesim

// SPDX-License-Identifier: Apache-2.0
// Header bit 25 of a vertex program: the batch's input and output lie on the same lines.
#include <gtest/gtest.h>

#include "tests/pe/draws.h"
#include "tests/pe/functional_pipeline.h"

namespace isbesim {
namespace {

using namespace test;

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

// SPDX-License-Identifier: Apache-2.0
// Header bit 25 and the primitive counts over transactions.
#include <gtest/gtest.h>

#include "tests/pe/draws.h"
#include "tests/pe/functional_pipeline.h"
#include "tests/pe/pe_machine.h"
#include "tests/pe/sharing_draws.h"

namespace isbesim {
namespace {

using namespace test;

class sharing_pe : public testing::TestWithParam<warp_initiator::style> {
protected:
    hazard_watch watch;
    const std::map<stage, shader> shaders = copying_shaders(watch);

    static draw_call sharing(draw_call draw)
    {
        for (auto& [which, program] : draw.stages) program.header.shared_spaces = true;
        return draw;
    }
    /// On the smallest ISBE that takes the draw, and on one with `more` lines.
    void expect_no_deadlock(const draw_call& draw, unsigned more, unsigned warps, bool skew)
    {
        const auto shared = sharing(draw);
        machine_config config;
        config.isbe.skew = skew;
        const auto pipeline = link_pipeline(shared, config);
        config.isbe.lines = pipeline.first_stage_lines + more;
        for (const auto lines : pipeline.stage_lines) config.isbe.lines += lines;
        config.sm.warps = warps;
        config.pe.poison = true;
        machine m(shared, config, GetParam(), shaders, 40);
        m.run();
        EXPECT_EQ(m.sink.rows, rows_without_time(draw, shaders));
        EXPECT_EQ(m.total().lines.level(), 0U);
        EXPECT_LE(m.total().lines.peak(), config.isbe.lines);
        EXPECT_EQ(watch.overwritten, 0U);
    }
};
INSTANTIATE_TEST_SUITE_P(style, sharing_pe, both_styles(), testing::PrintToStringParamName());

draw_call many_patches()
{
    auto draw = tessellation_draw(true, true);
    draw.instance_count = 8; // 160 batches of a patch
    return draw;
}

TEST_P(sharing_pe, ISBE_09_PIPE_07_all_stages_share_the_fewest_lines_one_slot)
{
    expect_no_deadlock(many_patches(), 0, 1, true);
}

TEST_P(sharing_pe, ISBE_09_PIPE_07_all_stages_share_unskewed)
{
    expect_no_deadlock(many_patches(), 3, 3, false);
}

TEST_P(sharing_pe, ISBE_09_PIPE_07_many_warps_at_once)
{
    expect_no_deadlock(many_patches(), 200, 64, true);
}

// Quads of level 9 are several TS warps each, which have lines of their own, and the geometry stage shares those.
draw_call patches_of_several_warps()
{
    auto draw = tessellation_draw(false, true);
    draw.tessellation.domain = tess_domain::quads;
    draw.tessellation.defaults = {{9, 9, 9, 9}, {9, 9}};
    return draw;
}

TEST_P(sharing_pe, ISBE_09_PIPE_07_patches_of_several_warps_one_at_a_time)
{
    expect_no_deadlock(patches_of_several_warps(), 0, 4, true);
}

TEST_P(sharing_pe, ISBE_09_PIPE_07_patches_of_several_warps_at_once)
{
    expect_no_deadlock(patches_of_several_warps(), 40, 4, true);
}

TEST_P(sharing_pe, ISBE_09_PIPE_07_big_geometry_draw)
{
    auto draw = geometry_draw(3);
    draw.instance_count = 20;
    expect_no_deadlock(draw, 1, 2, true);
}

TEST_P(sharing_pe, ISBE_09_warps_with_lines_of_their_own_are_counted)
{
    auto draw = sharing(geometry_draw(1));
    draw.stages[stage::geometry].header.threads_per_input_primitive = 16;
    machine_config config;
    config.pe.gs_output_vertices = 8;
    machine m(draw, config, GetParam(), shaders);
    m.run();
    const auto warnings = m.pe.sharing_warnings();
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_EQ(warnings[0].second, 73U * 2);
    EXPECT_EQ(warnings[0].first,
              "geometry: header bit 25 (shared spaces): the output of a warp has ISBE lines of its own, "
              "because several warps read the same input");
    EXPECT_EQ(m.sink.rows.size(), 73U * 16);
}

// TS is the last stage here: it has nothing to write back, whatever the warps of the stages before it did.
TEST_P(sharing_pe, ISBE_09_pe_moves_only_the_warps_own_outputs)
{
    const auto draw = sharing(tessellation_draw(true, false));
    functional_pipeline reference(draw, {}, shaders);
    machine m(draw, {}, GetParam(), shaders);
    m.run();
    EXPECT_EQ(m.isbes[0]->timing(1).operations, reference.pe_accesses);
}

// 10 points: both outputs are 4 lines of attributes and a line with the MAP after them.
TEST_P(sharing_pe, ISBE_06_the_count_of_a_geometry_warp_is_in_the_storage)
{
    auto draw = vertex_draw(topology::points, 10);
    add_geometry(draw, output_topology::points, 1);
    machine m(draw, {}, GetParam(), shaders);
    m.run();
    const auto peek = [&](word line) {
        word value = 0xbad;
        tlm::tlm_generic_payload payload;
        payload.set_command(tlm::TLM_READ_COMMAND);
        payload.set_address(line * 128);
        payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
        payload.set_data_length(4);
        payload.set_streaming_width(4);
        EXPECT_EQ(m.pe.isbe_socket(0)->transport_dbg(payload), 4U);
        return value;
    };
    for (const auto& share : m.pe.pipeline().buffers.stages) EXPECT_EQ(peek(share.first + 4), 10U);
}

} // namespace
} // namespace isbesim

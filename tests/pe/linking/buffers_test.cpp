// SPDX-License-Identifier: Apache-2.0
#include "models/pe/linking/buffers.h"

#include <random>

#include <gtest/gtest.h>

#include "models/pe/linking/allocator.h"
#include "models/pe/linking/linking.h"

namespace isbesim {
namespace {

/// 8 + 12 and 67 lines: the main job's.
const std::vector<stage_need> amplifying{{stage::vertex, 8, 20, 1}, {stage::geometry, 0, 67, 1}};

machine_config machine(unsigned lines, buffer_rule rule = buffer_rule::unified)
{
    machine_config config;
    config.isbe.lines = lines;
    config.pe.buffers = rule;
    return config;
}

std::vector<unsigned> lines_of(const machine_config& config, const std::vector<stage_need>& stages)
{
    EXPECT_FALSE(find_shortage(config, stages));
    std::vector<unsigned> lines;
    for (const auto& share : plan_buffers(config, stages).stages) lines.push_back(share.lines);
    return lines;
}

TEST(buffers, PIPE_10_shares_in_proportion_to_outputs)
{
    using shares = std::vector<unsigned>;
    EXPECT_EQ(lines_of(machine(88), amplifying), (shares{20 + 1, 67})); // a second output as far as it goes
    EXPECT_EQ(lines_of(machine(99), amplifying), (shares{20 + 12, 67}));
    EXPECT_EQ(lines_of(machine(99 + 2 * 79), amplifying), (shares{32 + 24, 67 + 134}));
    EXPECT_EQ(lines_of(machine(500), {{stage::vertex, 8, 20, 1}}), (shares{500}));
    // A stage whose warps need no lines has none; one of which there are ten for one of the stage before has ten times
    // as many.
    EXPECT_EQ(lines_of(machine(64), {{stage::vertex, 8, 20, 1}, {stage::geometry, 0, 0, 1}}), (shares{64, 0}));
    EXPECT_EQ(lines_of(machine(20 + 10 + 10 + 2 * 110), {{stage::vertex, 10, 20, 1}, {stage::geometry, 0, 10, 10}}),
              (shares{30 + 20, 10 + 200}));
}

TEST(buffers, PIPE_10_alpha_and_beta_hold_the_stages_that_they_are_for)
{
    const std::vector<stage_need> tessellating{
        {stage::vertex, 4, 12, 1}, {stage::tess_init, 0, 10, 1}, {stage::tess, 0, 9, 1}, {stage::geometry, 0, 30, 1}};
    auto config = machine(200, buffer_rule::alpha_beta);
    config.pe.alpha_lines = 60;
    config.pe.beta_lines = 100;
    const auto plan = plan_buffers(config, tessellating);
    const auto& s = plan.stages;
    EXPECT_EQ(s[0].first, 0U);
    EXPECT_EQ(s[1].first, s[0].lines);
    EXPECT_LE(s[1].first + s[1].lines, 60U);
    EXPECT_GE(s[0].lines + s[1].lines, 58U); // all but what rounding leaves
    EXPECT_EQ(s[2].first, 60U);
    EXPECT_EQ(s[3].first, 60 + s[2].lines);
    EXPECT_LE(s[3].first + s[3].lines, 160U);
    EXPECT_GE(s[2].lines + s[3].lines, 98U);
    // The last stage's output goes on to the rasterizer, whichever stage it is.
    EXPECT_EQ(plan_buffers(config, {{stage::vertex, 4, 12, 1}}).stages[0].first, 60U);
    EXPECT_EQ(plan_buffers(config, {{stage::vertex, 4, 12, 1}}).stages[0].lines, 100U);
    // One size alone: the other buffer has the rest.
    config.pe.alpha_lines = 0;
    EXPECT_EQ(plan_buffers(config, tessellating).stages[2].first, 100U);
}

/// HARDWARE.md F.2: inputs are data before the last stage, and only its outputs are in beta.
TEST(buffers, PIPE_10_inputs_of_a_lone_stage_are_in_alpha)
{
    const std::vector<stage_need> lone{{stage::vertex, 40, 84, 1}};
    auto config = machine(400, buffer_rule::alpha_beta);
    config.pe.alpha_lines = 256;
    config.pe.beta_lines = 144;
    const auto share = plan_buffers(config, lone).stages[0];
    EXPECT_EQ(share.inputs, 256U);
    EXPECT_EQ(share.first, 256U);
    EXPECT_EQ(share.lines, 144U);
    EXPECT_STREQ(share.key, "pe.beta_lines"); // 3 outputs of 44 lines, 6 inputs of 40
    line_allocator allocator(plan_buffers(config, lone));
    std::vector<warp_lines> warps;
    while (const auto lines = allocator.allocate({40, 44}, 0)) warps.push_back(*lines);
    ASSERT_EQ(warps.size(), 3U);
    for (const auto& warp : warps) {
        EXPECT_LE(warp.input.first + warp.input.count, 256U);
        EXPECT_GE(warp.output.first, 256U);
    }
    allocator.release(warps[0].input);
    EXPECT_FALSE(allocator.allocate({40, 44}, 0)); // an attempt that leaves nothing allocated
    EXPECT_EQ(allocator.lines_used(), 3U * 84 - 40);
    allocator.release(warps[0].output);
    const auto next = allocator.allocate({40, 44}, 0);
    ASSERT_TRUE(next);
    allocator.take_back(*next);
    EXPECT_TRUE(allocator.allocate({40, 44}, 0));

    config.pe.alpha_lines = 80; // two inputs
    EXPECT_STREQ(plan_buffers(config, lone).stages[0].key, "pe.alpha_lines");
    config.pe.alpha_lines = 39;
    EXPECT_STREQ(find_shortage(config, lone)->key, "pe.alpha_lines");
    EXPECT_EQ(find_shortage(config, lone)->needed, 40U);
    config.pe.alpha_lines = 256;
    config.pe.beta_lines = 43;
    EXPECT_STREQ(find_shortage(config, lone)->key, "pe.beta_lines");
    // If another stage follows, the first one has both in alpha.
    config.pe.beta_lines = 144;
    const auto first = plan_buffers(config, {{stage::vertex, 40, 84, 1}, {stage::geometry, 0, 30, 1}}).stages[0];
    EXPECT_EQ(first.inputs, 0U);
    EXPECT_EQ(first.warp, 84U);
}

TEST(buffers, PIPE_10_a_buffer_without_room_for_a_warp_of_each_stage_is_named)
{
    EXPECT_STREQ(find_shortage(machine(80), amplifying)->key, "isbe.lines");
    EXPECT_EQ(find_shortage(machine(80), amplifying)->needed, 87U);
    auto config = machine(512, buffer_rule::alpha_beta);
    config.pe.alpha_lines = 19;
    config.pe.beta_lines = 67;
    EXPECT_STREQ(find_shortage(config, amplifying)->key, "pe.alpha_lines");
    config.pe.alpha_lines = 20;
    EXPECT_FALSE(find_shortage(config, amplifying));
    config.pe.beta_lines = 66;
    EXPECT_STREQ(find_shortage(config, amplifying)->key, "pe.beta_lines");
    config.pe.beta_lines = 500;
    EXPECT_STREQ(find_shortage(config, amplifying)->key, "isbe.lines");
    EXPECT_EQ(find_shortage(config, amplifying)->needed, 520U);
    EXPECT_STREQ(batch_too_large("a batch", *find_shortage(config, amplifying)).what(),
                 "pe.alpha_lines and pe.beta_lines are 520 lines together but isbe.lines is 512, expected 520 or more, "
                 "or 0 for both: what the draw needs");
}

TEST(buffers, PIPE_10_reservations_leave_the_rest_to_everybody)
{
    auto config = machine(512);
    config.pe.reserve.vertex = 40;
    config.pe.reserve.geometry = 1; // the largest warp in any case
    EXPECT_EQ(lines_of(config, amplifying), (std::vector<unsigned>{40, 67}));
    config.pe.reserve.geometry = 0;
    EXPECT_EQ(lines_of(config, amplifying), (std::vector<unsigned>{40, 472}));
    config.pe.reserve.vertex = 460;
    EXPECT_EQ(find_shortage(config, amplifying)->needed, 460U + 67);
}

/// What the proof in README.md rests on: no share is smaller than the stage's largest warp, no two overlap, and none
/// shrinks when lines are added.
TEST(buffers, PIPE_10_every_division_has_room_for_every_stage_and_grows_with_the_lines)
{
    std::mt19937 generator(7);
    const auto random = [&](unsigned below) { return static_cast<unsigned>(generator() % below); };
    const std::vector<stage> names{stage::vertex_a, stage::vertex, stage::tess_init, stage::tess, stage::geometry};
    for (unsigned i = 0; i < 300; ++i) {
        std::vector<stage_need> stages;
        unsigned needed = 0;
        for (const auto name : names) {
            if (name != stage::vertex && random(3) == 0) continue;
            stage_need need{name, 0, random(40), random(4) == 0 ? random(32) + 1 : 1};
            if (stages.empty()) need.input = random(need.warp + 1);
            needed += need.warp;
            stages.push_back(need);
        }
        auto config = machine(needed, random(2) == 0 ? buffer_rule::unified : buffer_rule::alpha_beta);
        std::vector<unsigned> before(stages.size());
        for (; config.isbe.lines < needed + 300; ++config.isbe.lines) {
            ASSERT_FALSE(find_shortage(config, stages));
            const auto plan = plan_buffers(config, stages);
            unsigned end = 0;
            for (std::size_t level = 0; level < stages.size(); ++level) {
                const auto& share = plan.stages[level];
                ASSERT_GE(share.lines, stages[level].warp);
                ASSERT_GE(share.lines, before[level]);
                ASSERT_GE(share.first, end);
                end = share.first + share.lines;
                before[level] = share.lines;
            }
            ASSERT_LE(end, config.isbe.lines);
        }
    }
}

} // namespace
} // namespace isbesim

// SPDX-License-Identifier: Apache-2.0
#include "models/pe/linking/allocator.h"

#include <deque>
#include <random>
#include <stdexcept>

#include <gtest/gtest.h>

#include "models/pe/linking/buffers.h"
#include "models/pe/linking/linking.h"
#include "tests/support/print_choices.h"

namespace isbesim {
namespace {

/// First stage: lines 0 to 19, last stage: 20 to 29; two are unused.
buffer_plan two_stages(buffer_rule rule)
{
    buffer_plan plan;
    plan.rule = rule;
    plan.lines = 32;
    plan.stages = {{8, 0, 20, 0}, {10, 20, 10, 0}};
    return plan;
}

class either_buffers : public testing::TestWithParam<buffer_rule> {};
INSTANTIATE_TEST_SUITE_P(allocator, either_buffers, testing::Values(buffer_rule::alpha_beta, buffer_rule::unified));

TEST_P(either_buffers, PIPE_10_a_full_first_stage_leaves_the_last_its_room)
{
    line_allocator allocator(two_stages(GetParam()));
    unsigned placed = 0;
    while (allocator.allocate({1, 3}, 0)) ++placed;
    EXPECT_GE(placed, 5U);
    const auto late = allocator.allocate({0, 10}, 1);
    ASSERT_TRUE(late);
    EXPECT_EQ(late->output.first, 20U);
    EXPECT_FALSE(allocator.allocate({0, 10}, 1));
    allocator.release(late->output);
    EXPECT_TRUE(allocator.allocate({0, 10}, 1));
}

TEST_P(either_buffers, PIPE_10_a_warp_gets_both_its_spaces_or_nothing)
{
    line_allocator allocator(two_stages(GetParam()));
    const auto all = allocator.allocate({8, 12}, 0);
    ASSERT_TRUE(all);
    allocator.take_back(*all);
    EXPECT_EQ(allocator.lines_used(), 0U);
    EXPECT_FALSE(allocator.allocate({8, 15}, 0)); // the input would fit
    EXPECT_EQ(allocator.lines_used(), 0U);
    const auto again = allocator.allocate({8, 12}, 0);
    ASSERT_TRUE(again);
    allocator.release(again->input);
    EXPECT_EQ(allocator.lines_used(), 12U);
    EXPECT_EQ(allocator.lines_peak(), 20U);
}

TEST_P(either_buffers, PIPE_10_limits_on_outputs_in_flight)
{
    auto plan = two_stages(GetParam());
    plan.stages[0].outputs = 2;
    line_allocator allocator(plan);
    const auto first = allocator.allocate({1, 2}, 0);
    EXPECT_TRUE(allocator.allocate({1, 2}, 0));
    EXPECT_FALSE(allocator.allocate({1, 2}, 0));
    EXPECT_TRUE(allocator.allocate({}, 0)); // shares another's lines
    allocator.release(first->input);
    EXPECT_FALSE(allocator.allocate({1, 2}, 0));
    allocator.release(first->output);
    EXPECT_TRUE(allocator.allocate({1, 2}, 0));
}

TEST_P(either_buffers, PIPE_07_no_lines_need_no_space)
{
    line_allocator allocator(two_stages(GetParam()));
    while (allocator.allocate({0, 1}, 0)) {}
    const auto none = allocator.allocate({}, 0);
    ASSERT_TRUE(none);
    allocator.release(none->output);
    allocator.take_back(*none);
    EXPECT_GE(allocator.lines_used(), 20U);
}

TEST(allocator, PIPE_10_unreserved_lines_are_for_every_stage)
{
    line_allocator allocator(two_stages(buffer_rule::unified));
    EXPECT_TRUE(allocator.allocate({0, 20}, 0));
    const auto spare = allocator.allocate({0, 2}, 0);
    ASSERT_TRUE(spare);
    EXPECT_EQ(spare->output.first, 30U);
    EXPECT_FALSE(allocator.allocate({0, 1}, 0));
    allocator.release(spare->output);
    EXPECT_TRUE(allocator.allocate({0, 9}, 1));
    EXPECT_EQ(allocator.allocate({0, 2}, 1)->output.first, 30U);
}

TEST(allocator, PIPE_10_a_ring_takes_lines_back_in_order_and_a_store_at_once)
{
    for (const auto rule : {buffer_rule::alpha_beta, buffer_rule::unified}) {
        line_allocator allocator(two_stages(rule));
        ASSERT_TRUE(allocator.allocate({0, 8}, 0));
        const auto second = allocator.allocate({0, 8}, 0);
        allocator.release(second->output);
        EXPECT_EQ(allocator.lines_used(), 8U);
        EXPECT_EQ(allocator.allocate({0, 8}, 0).has_value(), rule == buffer_rule::unified);
    }
}

class either_rule : public testing::TestWithParam<allocation_rule> {};
INSTANTIATE_TEST_SUITE_P(line_area, either_rule,
                         testing::Values(allocation_rule::first_fit, allocation_rule::best_fit));

TEST_P(either_rule, PIPE_07_random_traffic_never_overlaps_and_never_leaks)
{
    constexpr unsigned first = 32;
    constexpr unsigned lines = 128;
    line_area area(first, lines, GetParam());
    std::mt19937 generator(3);
    const auto random = [&] { return static_cast<unsigned>(generator()); };
    std::vector<extent> live;
    std::vector<bool> taken(first + lines);
    for (unsigned i = 0; i < 20000; ++i) {
        if (live.empty() || random() % 2 == 0) {
            const auto count = random() % 20 + 1;
            const auto got = area.allocate(count, random() % 2 == 0 ? line_area::side::start : line_area::side::end);
            if (!got) continue;
            ASSERT_EQ(got->count, count);
            ASSERT_GE(got->first, first);
            ASSERT_LE(got->first + count, first + lines);
            for (auto line = got->first; line < got->first + count; ++line) {
                ASSERT_FALSE(taken[line]);
                taken[line] = true;
            }
            live.push_back(*got);
        } else {
            const auto which = random() % live.size();
            for (auto line = live[which].first; line < live[which].first + live[which].count; ++line)
                taken[line] = false;
            area.release(live[which]);
            live.erase(live.begin() + static_cast<std::ptrdiff_t>(which));
        }
    }
    for (const auto& space : live) area.release(space);
    // No leak and no fragments: a single gap again.
    EXPECT_TRUE(area.allocate(lines));
    EXPECT_FALSE(area.allocate(1));
}

TEST(line_area, PIPE_07_rules_choose_different_gaps)
{
    for (const auto rule : {allocation_rule::first_fit, allocation_rule::best_fit}) {
        line_area area(0, 100, rule);
        const auto a = *area.allocate(20);
        static_cast<void>(*area.allocate(5));
        const auto b = *area.allocate(10);
        static_cast<void>(*area.allocate(65));
        area.release(a);
        area.release(b);
        EXPECT_EQ(area.allocate(10)->first, rule == allocation_rule::first_fit ? a.first : b.first);
    }
}

TEST(line_area, PIPE_07_both_sides)
{
    line_area area(10, 20, allocation_rule::first_fit);
    EXPECT_EQ(area.allocate(3)->first, 10U);
    EXPECT_EQ(area.allocate(4, line_area::side::end)->first, 26U);
    EXPECT_EQ(area.allocate(3)->first, 13U);
    EXPECT_EQ(area.allocate(2, line_area::side::end)->first, 24U);
    EXPECT_FALSE(area.allocate(9));
    EXPECT_TRUE(area.allocate(8, line_area::side::end));
    EXPECT_TRUE(area.holds({29, 1}));
    EXPECT_FALSE(area.holds({30, 1}));
    EXPECT_FALSE(area.holds({9, 1}));
    EXPECT_THROW(area.release({30, 1}), std::logic_error);
}

TEST(line_ring, PIPE_10_lines_come_in_order_and_wrap_around)
{
    line_ring ring(100, 10);
    const auto a = *ring.allocate(4);
    const auto b = *ring.allocate(3);
    EXPECT_EQ(a.first, 100U);
    EXPECT_EQ(b.first, 104U);
    EXPECT_FALSE(ring.allocate(4)); // three are left before the end, none before the oldest
    ring.release(a);
    const auto c = *ring.allocate(4); // the three before the end are skipped
    EXPECT_EQ(c.first, 100U);
    EXPECT_FALSE(ring.allocate(1));
    ring.release(b);
    EXPECT_EQ(ring.allocate(3)->first, 104U);
    EXPECT_EQ(ring.allocate(3)->first, 107U);
    EXPECT_FALSE(ring.allocate(1));
}

TEST(line_ring, PIPE_10_lines_return_in_order_of_allocation)
{
    line_ring ring(0, 10);
    const auto a = *ring.allocate(4);
    const auto b = *ring.allocate(4);
    ring.release(b);
    EXPECT_FALSE(ring.allocate(4)); // after a, which is still there
    EXPECT_EQ(ring.allocate(2)->first, 8U);
    ring.release(a);
    EXPECT_EQ(ring.allocate(8)->first, 0U);
}

TEST(line_ring, PIPE_10_an_empty_ring_takes_anything_up_to_its_size)
{
    line_ring ring(5, 10);
    ring.release(*ring.allocate(7));
    EXPECT_FALSE(ring.allocate(11));
    const auto all = ring.allocate(10);
    ASSERT_TRUE(all);
    EXPECT_EQ(all->first, 5U);
    ring.take_back();
    EXPECT_EQ(ring.allocate(10)->first, 5U);
    EXPECT_THROW(ring.release({6, 2}), std::logic_error);
}

/// A model of the ring, line by line: a space's lines are free once it and all older spaces have been released.
TEST(line_ring, PIPE_10_random_traffic_agrees_with_a_list_of_lines)
{
    constexpr unsigned lines = 64;
    line_ring ring(0, lines);
    struct living {
        extent space;
        bool released = false;
    };
    std::deque<living> live;
    std::mt19937 generator(5);
    const auto random = [&](unsigned below) { return static_cast<unsigned>(generator() % below); };
    unsigned found = 0;
    for (unsigned i = 0; i < 20000; ++i) {
        if (random(2) == 0) {
            const auto count = random(20) + 1;
            std::vector<bool> taken(lines);
            for (const auto& one : live)
                for (unsigned n = 0; n < one.space.count; ++n) taken[one.space.first + n] = true;
            const auto free_from = [&](unsigned first) {
                if (first + count > lines) return false;
                for (unsigned n = 0; n < count; ++n)
                    if (taken[first + n]) return false;
                return true;
            };
            // After the newest space, otherwise at the start if the ring has not wrapped around.
            const auto next = live.empty() ? 0 : live.back().space.first + live.back().space.count;
            const auto wrapped = !live.empty() && live.back().space.first < live.front().space.first;
            std::optional<unsigned> expected;
            if (free_from(next))
                expected = next;
            else if (!wrapped && free_from(0))
                expected = 0;
            const auto got = ring.allocate(count);
            ASSERT_EQ(got.has_value(), expected.has_value());
            if (!got) continue;
            ++found;
            ASSERT_EQ(got->first, *expected);
            live.push_back({*got, false});
        } else if (!live.empty()) {
            auto& one = live[random(static_cast<unsigned>(live.size()))];
            if (one.released) continue;
            ring.release(one.space);
            one.released = true;
            while (!live.empty() && live.front().released) live.pop_front();
        }
    }
    EXPECT_GT(found, 2000U);
}

/// The stages of the main job: 8 + 12 and 67 lines.
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
    // A stage whose warps need no lines has none. A stage with ten warps for each warp of the previous stage has ten
    // times as many lines.
    EXPECT_EQ(lines_of(machine(64), {{stage::vertex, 8, 20, 1}, {stage::geometry, 0, 0, 1}}), (shares{64, 0}));
    EXPECT_EQ(lines_of(machine(20 + 10 + 10 + 2 * 110), {{stage::vertex, 10, 20, 1}, {stage::geometry, 0, 10, 10}}),
              (shares{30 + 20, 10 + 200}));
}

TEST(buffers, PIPE_10_alpha_and_beta_hold_their_stages)
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
    // The output of the last stage, whichever it is, goes to the rasterizer.
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

TEST(buffers, PIPE_10_reservations_fix_the_shares)
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

/// The premises of the proof in README.md: no share is smaller than the stage's largest warp, no two overlap, and none
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

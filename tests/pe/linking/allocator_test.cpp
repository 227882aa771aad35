// SPDX-License-Identifier: Apache-2.0
#include "models/pe/linking/allocator.h"

#include <gtest/gtest.h>

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

} // namespace
} // namespace isbesim

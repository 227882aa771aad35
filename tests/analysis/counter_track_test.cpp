// SPDX-License-Identifier: Apache-2.0
// Late changes appear in order, though not all of them are kept.
#include "testbench/analysis/counter_track.h"

#include <vector>

#include <gtest/gtest.h>

namespace isbesim::testbench {
namespace {

using levels = std::vector<std::pair<std::uint64_t, std::int64_t>>;

class counter : public testing::Test {
protected:
    counter_track track(const cycle_window& window = {})
    {
        return {window, [this](std::uint64_t cycle, std::int64_t level) { shown_.emplace_back(cycle, level); }};
    }
    levels shown_;
};

TEST_F(counter, changes_come_in_order_and_once_a_cycle)
{
    auto of = track();
    of.add(30, -2);
    of.add(10, 2);
    of.add(20, 1);
    of.add(20, 1);
    of.add(25, 1);
    of.add(25, -1);
    of.finish();
    EXPECT_EQ(shown_, (levels{{10, 2}, {20, 4}, {30, 2}}));
}

TEST_F(counter, a_window_begins_with_the_level_that_there_is)
{
    auto of = track({100, 200});
    of.add(50, 3);
    of.add(150, 1);
    of.add(250, -4);
    of.finish();
    EXPECT_EQ(shown_, (levels{{100, 3}, {150, 4}}));
}

TEST_F(counter, a_window_without_changes_has_its_level)
{
    auto of = track({100, 200});
    of.add(50, 3);
    of.add(250, -3);
    of.finish();
    EXPECT_EQ(shown_, (levels{{100, 3}}));
}

TEST_F(counter, old_changes_are_written_early_and_late_ones_count)
{
    auto of = track();
    of.add(10, 1);
    of.add(10 + 3 * counter_track::horizon, 1);
    EXPECT_EQ(shown_, (levels{{10, 1}}));
    of.add(11, 5); // too late: counts from the horizon on
    of.finish();
    EXPECT_EQ(shown_, (levels{{10, 1}, {10 + 2 * counter_track::horizon, 6}, {10 + 3 * counter_track::horizon, 7}}));
}

} // namespace
} // namespace isbesim::testbench

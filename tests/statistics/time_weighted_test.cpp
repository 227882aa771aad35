// SPDX-License-Identifier: Apache-2.0
#include "models/statistics/time_weighted.h"

#include <gtest/gtest.h>

namespace isbesim {
namespace {

TEST(time_weighted, mean_is_the_area_over_the_cycles)
{
    time_weighted level;
    level.add(10, 2);      // cycles 10..19: 2
    level.add(20, 3);      // cycles 20..29: 5
    level.subtract(30, 5); // 0
    EXPECT_EQ(level.integral(40), 10U * 2 + 10U * 5);
    EXPECT_DOUBLE_EQ(level.mean(40), 70.0 / 40.0);
    EXPECT_EQ(level.peak(), 5U);
    EXPECT_EQ(level.level(), 0U);
    EXPECT_DOUBLE_EQ(time_weighted().mean(0), 0.0);
}

TEST(time_weighted, merged_instances_add_up)
{
    time_weighted first;
    time_weighted second;
    first.set(0, 4);
    second.set(5, 1);
    second.set(15, 7);
    EXPECT_DOUBLE_EQ(first.mean(50), 4.0);
    EXPECT_DOUBLE_EQ(second.mean(50), (10 * 1 + 35 * 7) / 50.0); // cycles 5..14: 1, 15..49: 7
    time_weighted merged;
    merged.merge(first);
    merged.merge(second);
    EXPECT_DOUBLE_EQ(merged.mean(50), 4.0 + 5.1);
    EXPECT_EQ(merged.level(), 11U);
    EXPECT_EQ(merged.peak(), 7U);
}

TEST(time_weighted, knows_how_long_each_level_was)
{
    time_weighted level;
    level.set(10, 3);
    level.set(25, 40);
    auto earlier = level;
    earlier.settle(30);
    level.settle(100);
    EXPECT_EQ(level.cycles_at()[0], 10U);
    EXPECT_EQ(level.cycles_at()[3], 15U);
    EXPECT_EQ(level.cycles_at()[log_bins::of(40)], 75U);
    level.subtract(earlier);
    EXPECT_EQ(level.cycles_at()[3], 0U);
    EXPECT_EQ(level.cycles_at()[log_bins::of(40)], 70U);
    EXPECT_DOUBLE_EQ(level.mean(70), 40.0);
}

TEST(log_bins, have_every_value_once_and_are_narrow)
{
    for (std::uint64_t value = 0; value < 200'000; ++value) {
        const auto bin = log_bins::of(value);
        ASSERT_LE(log_bins::first_of(bin), value);
        ASSERT_LT(value, log_bins::first_of(bin + 1));
        ASSERT_LE(log_bins::first_of(bin + 1) - log_bins::first_of(bin), 1 + log_bins::first_of(bin) / 8);
    }
    EXPECT_EQ(log_bins::of(UINT64_MAX), log_bins::count - 1);
}

} // namespace
} // namespace isbesim

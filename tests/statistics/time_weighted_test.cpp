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

} // namespace
} // namespace isbesim

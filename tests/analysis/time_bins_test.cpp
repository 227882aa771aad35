// SPDX-License-Identifier: Apache-2.0
#include "testbench/analysis/time_bins.h"

#include <gtest/gtest.h>

namespace isbesim::testbench {
namespace {

std::uint64_t total(const time_bins& bins, std::size_t row)
{
    std::uint64_t sum = 0;
    for (std::size_t bin = 0; bin < bins.used(); ++bin) sum += bins.sum(row, bin);
    return sum;
}

TEST(time_bins, a_short_run_is_exact)
{
    time_bins bins(2);
    bins.add(0, 0, 5);
    bins.add(0, 99, 7);
    bins.add(1, 3, 1);
    EXPECT_EQ(bins.width(), 1U);
    EXPECT_EQ(bins.used(), 100U);
    EXPECT_EQ(bins.sum(0, 0), 5U);
    EXPECT_EQ(bins.sum(0, 99), 7U);
    EXPECT_EQ(bins.sum(1, 3), 1U);
}

TEST(time_bins, a_long_run_keeps_every_sum)
{
    time_bins bins(1);
    std::uint64_t added = 0;
    for (std::uint64_t cycle = 0; cycle < 1'000'000; cycle += 37) {
        bins.add(0, cycle, cycle % 11);
        added += cycle % 11;
    }
    EXPECT_EQ(bins.width(), 8192U); // the smallest power of two with which 128 bins reach a million
    EXPECT_EQ(bins.used(), (999'999 / 37 * 37) / 8192 + 1);
    EXPECT_EQ(total(bins, 0), added);
}

TEST(time_bins, intervals_are_spread_over_their_bins)
{
    time_bins bins(1);
    bins.add(0, 1000, 0); // bins of 8 cycles
    ASSERT_EQ(bins.width(), 8U);
    bins.add_interval(0, 6, 25, 3);
    EXPECT_EQ(bins.sum(0, 0), 6U);
    EXPECT_EQ(bins.sum(0, 1), 24U);
    EXPECT_EQ(bins.sum(0, 2), 24U);
    EXPECT_EQ(bins.sum(0, 3), 3U);
    bins.add_interval(0, 0, 100'000, 1); // the bins become wider on the way
    EXPECT_EQ(total(bins, 0), 57U + 100'000U);
    bins.add_interval(0, 5, 5, 9);
    EXPECT_EQ(total(bins, 0), 57U + 100'000U);
}

} // namespace
} // namespace isbesim::testbench

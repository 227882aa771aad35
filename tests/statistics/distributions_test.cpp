// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "models/statistics/latency_histogram.h"
#include "models/statistics/time_weighted.h"

namespace isbesim {
namespace {

/// Nearest rank by its definition, on the sorted samples.
std::uint64_t nearest_rank(std::vector<std::uint64_t> samples, unsigned percent)
{
    std::sort(samples.begin(), samples.end());
    const std::size_t rank = (samples.size() * percent + 99) / 100;
    return samples[std::max<std::size_t>(rank, 1) - 1];
}

TEST(latency_histogram, empty_is_all_zero)
{
    const latency_histogram histogram;
    EXPECT_EQ(histogram.count(), 0U);
    EXPECT_EQ(histogram.min(), 0U);
    EXPECT_EQ(histogram.max(), 0U);
    EXPECT_EQ(histogram.mean(), 0.0);
    EXPECT_EQ(histogram.percentile(99), 0U);
}

TEST(latency_histogram, percentiles_equal_the_definition_on_random_samples)
{
    std::mt19937 random(7);
    for (const unsigned size : {1U, 2U, 9U, 10U, 99U, 100U, 101U, 1000U}) {
        latency_histogram histogram;
        std::vector<std::uint64_t> samples;
        for (unsigned i = 0; i < size; ++i) {
            samples.push_back(random() % 3000);
            histogram.add(samples.back());
        }
        for (const unsigned percent : {1U, 50U, 90U, 99U, 100U})
            EXPECT_EQ(histogram.percentile(percent), nearest_rank(samples, percent)) << size << " p" << percent;
        const auto sum = std::accumulate(samples.begin(), samples.end(), std::uint64_t{0});
        EXPECT_EQ(histogram.count(), size);
        EXPECT_EQ(histogram.sum(), sum);
        EXPECT_DOUBLE_EQ(histogram.mean(), static_cast<double>(sum) / size);
        EXPECT_EQ(histogram.min(), *std::min_element(samples.begin(), samples.end()));
        EXPECT_EQ(histogram.max(), *std::max_element(samples.begin(), samples.end()));
    }
}

TEST(latency_histogram, merged_instances_equal_one_that_saw_everything)
{
    std::mt19937 random(11);
    latency_histogram all;
    latency_histogram parts[3];
    for (unsigned i = 0; i < 3000; ++i) {
        const std::uint64_t value = random() % 100000; // a third overflows
        all.add(value);
        parts[i % 3].add(value);
    }
    latency_histogram merged;
    for (const latency_histogram& part : parts) merged.merge(part);
    EXPECT_EQ(merged.count(), all.count());
    EXPECT_EQ(merged.sum(), all.sum());
    EXPECT_EQ(merged.min(), all.min());
    EXPECT_EQ(merged.max(), all.max());
    EXPECT_EQ(merged.overflowed(), all.overflowed());
    EXPECT_GT(merged.overflowed(), 0U);
    EXPECT_EQ(merged.percentile(50), all.percentile(50));
    EXPECT_EQ(merged.percentile(99), all.percentile(99));
}

TEST(latency_histogram, values_beyond_the_limit_keep_mean_and_maximum_exact)
{
    latency_histogram histogram;
    histogram.add(latency_histogram::limit);
    histogram.add(latency_histogram::limit + 1);
    histogram.add(1000000000);
    EXPECT_EQ(histogram.samples(latency_histogram::limit), 1U);
    EXPECT_EQ(histogram.overflowed(), 2U);
    EXPECT_EQ(histogram.max(), 1000000000U);
    EXPECT_DOUBLE_EQ(histogram.mean(), (65535.0 + 65536.0 + 1e9) / 3);
    EXPECT_EQ(histogram.percentile(33), latency_histogram::limit);
    EXPECT_EQ(histogram.percentile(90), 1000000000U);
}

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
    EXPECT_EQ(level.cycles_at()[log_bins::bin_of(40)], 75U);
    level.subtract(earlier);
    EXPECT_EQ(level.cycles_at()[3], 0U);
    EXPECT_EQ(level.cycles_at()[log_bins::bin_of(40)], 70U);
    EXPECT_DOUBLE_EQ(level.mean(70), 40.0);
}

TEST(log_bins, have_every_value_once_and_are_narrow)
{
    for (std::uint64_t value = 0; value < 200'000; ++value) {
        const auto bin = log_bins::bin_of(value);
        ASSERT_LE(log_bins::first_of(bin), value);
        ASSERT_LT(value, log_bins::first_of(bin + 1));
        ASSERT_LE(log_bins::first_of(bin + 1) - log_bins::first_of(bin), 1 + log_bins::first_of(bin) / 8);
    }
    EXPECT_EQ(log_bins::bin_of(UINT64_MAX), log_bins::count - 1);
}

} // namespace
} // namespace isbesim

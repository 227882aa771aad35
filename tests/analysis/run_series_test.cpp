// SPDX-License-Identifier: Apache-2.0
// The report's figures over time add up to the run's, for any length, and a mean is over the cycles of its bin.
#include "testbench/analysis/run_series.h"

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "tests/analysis/number.h"

namespace isbesim::testbench {
namespace {
namespace json = boost::json;

/// The cycles that bin `i` of `bins` covers.
double covered(const json::object& series, std::size_t i, std::size_t bins)
{
    return number(series.at(i + 1 == bins ? "last_bin_cycles" : "bin_cycles"));
}

class run_series_of : public testing::TestWithParam<std::uint64_t> {
protected:
    /// A run in which 3 warps are resident and 40 lines allocated from the first cycle to the last, the scheduler waits
    /// in every cycle, and an operation of `passes_` passes begins in every eighth.
    json::object series() const
    {
        const auto cycles = GetParam();
        run_series result{machine_config{}};
        for (std::uint64_t w = 0; w < 3; ++w) {
            warp_event warp;
            warp.number = w;
            warp.completed = w == 2 ? no_value : cycles; // one warp never ends
            result.warp(warp);
        }
        space_event space;
        space.lines.count = 40;
        space.released = cycles;
        result.space(space);
        result.stall({0, 0, stall_reason::scoreboard, 0, cycles});
        for (std::uint64_t cycle = 0; cycle < cycles; cycle += 8) {
            access_footprint footprint;
            footprint.passes = cycle % 16 == 0 ? 2 : 0; // every second operation does not access the storage
            footprint.bytes_read = 128;
            footprint.bank_words[5] = 7;
            result.granted(cycle, 2, footprint);
        }
        return result.json(cycles);
    }
    static double sum(const json::value& values)
    {
        double total = 0;
        for (const auto& each : values.as_array()) total += number(each);
        return total;
    }
};

TEST_P(run_series_of, bins_cover_the_run_and_no_more)
{
    const auto result = series();
    const auto bins = result.at("warps").as_array().size();
    ASSERT_LE(bins, 128U);
    EXPECT_EQ(number(result.at("bin_cycles")) * static_cast<double>(bins - 1) + number(result.at("last_bin_cycles")),
              static_cast<double>(GetParam()));
    EXPECT_GE(number(result.at("last_bin_cycles")), 1);
    EXPECT_LE(number(result.at("last_bin_cycles")), number(result.at("bin_cycles")));
    for (const auto* key : {"read_bytes", "write_bytes", "passes", "busy_cycles", "isbe_lines"})
        EXPECT_EQ(result.at(key).as_array().size(), bins) << key;
}

TEST_P(run_series_of, a_level_that_never_changes_is_the_mean_of_every_bin)
{
    const auto result = series();
    for (const auto& mean : result.at("warps").as_array()) ASSERT_DOUBLE_EQ(number(mean), 3);
    for (const auto& mean : result.at("isbe_lines").as_array()) ASSERT_DOUBLE_EQ(number(mean), 40);
    const auto& stalls = result.at("stalls").at("scoreboard").as_array();
    for (std::size_t i = 0; i < stalls.size(); ++i)
        ASSERT_EQ(number(stalls[i]), covered(result, i, stalls.size())) << "a stall in every cycle";
}

TEST_P(run_series_of, bins_add_up_to_the_run)
{
    const auto result = series();
    const auto eighths = (GetParam() + 7) / 8, sixteenths = (GetParam() + 15) / 16;
    const auto operations = static_cast<double>(eighths), accesses = static_cast<double>(sixteenths);
    EXPECT_EQ(sum(result.at("busy_cycles")), 2 * operations);
    EXPECT_EQ(sum(result.at("passes")), 2 * accesses);
    EXPECT_EQ(sum(result.at("read_bytes")), 128 * operations);
    EXPECT_EQ(sum(result.at("bank_words").as_array()[5]), 7 * accesses);
    const auto& lines = result.at("isbe_lines").as_array();
    double integral = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) integral += number(lines[i]) * covered(result, i, lines.size());
    EXPECT_NEAR(integral, 40.0 * static_cast<double>(GetParam()), 1e-9 * integral);
}

INSTANTIATE_TEST_SUITE_P(cycles, run_series_of,
                         testing::Values(1, 2, 7, 8, 127, 128, 129, 130, 255, 256, 257, 1000, 1023, 1024, 1025, 84'594,
                                         131'072, 131'073, 9'999'991));

TEST(run_series, a_quiet_end_has_bins_too)
{
    run_series result{machine_config{}};
    warp_event warp;
    warp.completed = 10;
    result.warp(warp);
    const auto series = result.json(1000);
    const auto& warps = series.at("warps").as_array();
    ASSERT_EQ(warps.size(), 125U); // bins of 8 cycles
    EXPECT_EQ(series.at("last_bin_cycles").to_number<int>(), 8);
    EXPECT_DOUBLE_EQ(number(warps[0]), 1);
    EXPECT_DOUBLE_EQ(number(warps[1]), 0.25);
    EXPECT_DOUBLE_EQ(number(warps[124]), 0);
}

/// 32 words of a bank in 32 consecutive passes: every bin has as many words as cycles.
TEST(run_series, no_bank_serves_more_words_than_a_bin_has_cycles)
{
    for (const std::uint64_t operations : {1U, 5U, 40U}) {
        run_series result{machine_config{}};
        for (std::uint64_t i = 0; i < operations; ++i) {
            access_footprint footprint;
            footprint.passes = 32;
            footprint.bytes_read = 1000;
            footprint.bank_words[3] = 32;
            footprint.bank_excess[3] = 31;
            result.granted(3 + 32 * i, 32, footprint);
        }
        const auto cycles = 3 + 32 * operations;
        const auto series = result.json(cycles);
        const auto sum = [](const json::value& values) {
            double total = 0;
            for (const auto& each : values.as_array()) total += number(each);
            return total;
        };
        const auto& words = series.at("bank_words").at(3).as_array();
        for (std::size_t i = 0; i < words.size(); ++i) {
            EXPECT_LE(number(words[i]), covered(series, i, words.size())) << operations << " " << i;
            EXPECT_EQ(series.at("busy_cycles").at(i), words[i]);
            EXPECT_NEAR(number(series.at("read_bytes").at(i)), 1000.0 / 32 * number(words[i]), 1);
        }
        EXPECT_EQ(sum(words), 32.0 * static_cast<double>(operations));
        EXPECT_EQ(sum(series.at("read_bytes")), 1000.0 * static_cast<double>(operations));
        EXPECT_EQ(sum(series.at("bank_excess").at(3)), 31.0 * static_cast<double>(operations));
    }
}

TEST(run_series, work_ahead_of_time_is_in_the_last_bin)
{
    run_series result{machine_config{}};
    for (const std::uint64_t cycle : {0U, 9U, 10U, 55U}) {
        access_footprint footprint;
        footprint.bytes_written = 4;
        result.granted(cycle, 1, footprint);
    }
    const auto series = result.json(10);
    const auto& bytes = series.at("write_bytes").as_array();
    ASSERT_EQ(bytes.size(), 10U);
    EXPECT_EQ(number(bytes[0]), 4);
    EXPECT_EQ(number(bytes[9]), 12);
}

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

// SPDX-License-Identifier: Apache-2.0
// At the sockets cycles are whole for any frequency, and printed times are exact.
#include "tlm/clock.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/support/error_text.h"

namespace isbesim {
namespace {

/// clock_ghz: its extremes, values that divide a nanosecond and values that do not.
constexpr double frequencies[] = {0.01, 0.0123, 0.7, 1.0, 1.38, 1.5, 1.7, 3.0, 7.77, 9.999, 10.0};

class cycle_clock_of : public testing::TestWithParam<double> {
protected:
    const cycle_clock clock_ = cycle_clock::from_ghz(GetParam());
};

TEST_P(cycle_clock_of, cycles_go_through_sc_time_unchanged)
{
    for (std::uint64_t cycle = 0; cycle < 10'000; ++cycle) ASSERT_EQ(clock_.cycles(clock_.time(cycle)), cycle);
    for (std::uint64_t cycle = 1; cycle <= clock_.last_cycle() / 3; cycle *= 3)
        for (const auto near : {cycle - 1, cycle, cycle + 1}) {
            ASSERT_EQ(clock_.cycles(clock_.time(near)), near);
            ASSERT_EQ(clock_.cycles(clock_.time(near) + clock_.time(1)), near + 1);
            // The last tick before the next cycle still belongs to this cycle.
            ASSERT_EQ(clock_.cycles(clock_.time(near + 1) - sc_core::sc_time::from_value(1)), near);
        }
    const auto last = clock_.last_cycle();
    EXPECT_EQ(clock_.cycles(clock_.time(last)), last);
    EXPECT_GT(clock_.time(last), clock_.time(last - 1));
    EXPECT_LT(clock_.time(last + 1), clock_.time(last)) << "one more does not fit";
}

TEST_P(cycle_clock_of, cycles_beyond_a_doubles_precision_are_whole)
{
    constexpr std::uint64_t doubles = std::uint64_t{1} << 53;
    if (clock_.last_cycle() <= doubles) {
        // 213 days of simulated time are less than 2^53 cycles of a slow clock.
        EXPECT_LT(GetParam(), 0.49);
        EXPECT_GT(clock_.last_cycle(), 184'000'000'000'000U);
        return;
    }
    for (const auto cycle : {doubles - 1, doubles, doubles + 1, doubles + 3})
        EXPECT_EQ(clock_.cycles(clock_.time(cycle)), cycle);
}

TEST_P(cycle_clock_of, nanoseconds_are_cycles_over_frequency)
{
    for (const std::uint64_t cycles : {0ULL, 1ULL, 976ULL, 84'594ULL, 123'456'789'012ULL})
        EXPECT_EQ(clock_.nanoseconds(cycles), static_cast<double>(cycles) / GetParam());
}

TEST_P(cycle_clock_of, picoseconds_are_the_nearest_and_grow)
{
    std::uint64_t before = 0;
    for (std::uint64_t half = 1; half < 20'000; ++half) {
        const auto time = clock_.picoseconds(half);
        ASSERT_GT(time, before);
        ASSERT_NEAR(static_cast<double>(time), static_cast<double>(half) * 500 / GetParam(), 0.5001);
        before = time;
    }
}

INSTANTIATE_TEST_SUITE_P(frequency, cycle_clock_of, testing::ValuesIn(frequencies));

TEST(cycle_clock, nothing_adds_up_over_a_long_run)
{
    const auto clock = cycle_clock::from_ghz(3.0);
    EXPECT_NEAR(clock.nanoseconds(976), 325.333333333, 1e-8); // not 976 * 0.333
    EXPECT_EQ(clock.picoseconds(2 * 3'000'000'000ULL), 1'000'000'000'000U);
    EXPECT_EQ(cycle_clock::from_ghz(0.7).picoseconds(2 * 7'000'000'001ULL), 10'000'000'001'429U);
}

TEST(cycle_clock, a_period_is_a_frequency)
{
    EXPECT_DOUBLE_EQ(cycle_clock(sc_core::sc_time(1, sc_core::SC_NS)).ghz(), 1.0);
    EXPECT_DOUBLE_EQ(cycle_clock(sc_core::sc_time(250, sc_core::SC_PS)).ghz(), 4.0);
    EXPECT_DOUBLE_EQ(cycle_clock(sc_core::sc_time(100, sc_core::SC_NS)).ghz(), 0.01);
    EXPECT_DOUBLE_EQ(cycle_clock(sc_core::sc_time(1, sc_core::SC_NS)).nanoseconds(12'345), 12'345.0);
}

std::string error_of(double ghz)
{
    return error_text<std::invalid_argument>([&] { cycle_clock::from_ghz(ghz); });
}

/// A platform with its own resolution: a cycle is a whole number of its ticks, within 1 %.
TEST(cycle_clock, a_coarse_resolution_is_an_error_where_it_changes_the_cycle)
{
    sc_core::sc_set_time_resolution(1, sc_core::SC_NS);
    for (const double ghz : {1.0, 0.5, 0.25, 0.2, 0.1, 1.0 / 100.9, 1.0 / 100.1}) EXPECT_EQ(error_of(ghz), "") << ghz;
    // 0.57 and 0.77 ns become 1 ns, 1.43 becomes 1, 49.5 becomes 50 (1.01 %), 0.4 and 0.1 become 0.
    for (const double ghz : {1.75, 1.3, 0.7, 1.0 / 49.5, 2.5, 10.0}) {
        const auto error = error_of(ghz);
        EXPECT_NE(error.find(" ticks of the time resolution, 1 ns, expected"), std::string::npos) << ghz << error;
    }
    EXPECT_EQ(error_of(2.5).find("a cycle of 0.4 ns (2.5 GHz) is 0 ticks"), 0U) << error_of(2.5);
    EXPECT_EQ(error_of(1.75).find("a cycle of 0.571429 ns (1.75 GHz) is 1 ticks"), 0U) << error_of(1.75);
    EXPECT_THROW(cycle_clock{sc_core::SC_ZERO_TIME}, std::invalid_argument);
    EXPECT_EQ(cycle_clock(sc_core::sc_time(3, sc_core::SC_NS)).cycles(sc_core::sc_time(9, sc_core::SC_NS)), 3U);
}

TEST(cycle_clock, a_resolution_of_a_tenth_of_a_nanosecond)
{
    sc_core::sc_set_time_resolution(100, sc_core::SC_PS);
    EXPECT_EQ(error_of(1.25), "");
    EXPECT_NE(error_of(1.75), ""); // 0.6 ns, 5 % more
}

} // namespace
} // namespace isbesim

// SPDX-License-Identifier: Apache-2.0
// What single responses and requests say of latencies and depths, worked out by hand from section 5 of the
// micro-architecture page.
#include "testbench/calibration/timing_fit.h"

#include <gtest/gtest.h>

#include "tests/calibration/observations.h"

namespace isbesim::testbench {
namespace {

struct row {
    unsigned port;
    opcode op;
    std::uint64_t request, accept, response, transfer;
};

kept_observation observation_of(unsigned ports, const std::vector<row>& rows)
{
    kept_observation seen(ports);
    for (const auto& each : rows) {
        observed_operation one;
        one.port = static_cast<std::uint8_t>(each.port);
        one.op = each.op;
        one.request = each.request;
        one.accept = each.accept;
        one.response = each.response;
        one.transfer = each.transfer;
        seen.add(one);
    }
    return seen;
}

void expect_range(const value_range& range, unsigned low, unsigned high)
{
    EXPECT_EQ(range.low, low);
    EXPECT_EQ(range.high, high);
}

constexpr auto load = static_cast<std::size_t>(latency_class::load);
constexpr auto store = static_cast<std::size_t>(latency_class::store);
constexpr auto never = observed_operation::never;

TEST(timing_fit, lone_response_determines_the_latency_of_its_class_only)
{
    // 1 + P + L: accepted in 10, granted in 11, passes 12..14, L = 7.
    const auto seen = observation_of(2, {{1, opcode::ald, 10, 10, 21, 21}});
    const timing_fit fit(seen);
    const auto exact = fit.fit_exactly({3}, {});
    ASSERT_TRUE(exact.fits);
    expect_range(exact.latency[load], 7, 7);
    expect_range(exact.latency[store], 2, 1000);
    expect_range(exact.request_depth, 1, 64);
    EXPECT_EQ(fit.enough_response_depth({3}, false), 1U);
    EXPECT_FALSE(fit.fit_exactly({9}, {}).fits); // L would be 1
    EXPECT_TRUE(fit.fit_exactly({8}, {}).fits);
}

TEST(timing_fit, a_latency_beyond_its_range_is_none)
{
    for (const std::uint64_t latency : {1U, 2U, 1000U, 1001U}) {
        const auto seen = observation_of(1, {{0, opcode::bind, 0, 0, 2 + latency, 2 + latency}});
        EXPECT_EQ(timing_fit(seen).fit_exactly({1}, {}).fits, latency >= 2 && latency <= 1000) << latency;
    }
}

TEST(timing_fit, queued_response_bounds_its_latency)
{
    // Granted in 1 and 2; the first is held until 20, so the second comes in 21 whatever its latency is up to 18.
    const auto seen = observation_of(1, {{0, opcode::ald, 0, 0, 7, 20}, {0, opcode::ast, 1, 1, 21, 21}});
    const auto exact = timing_fit(seen).fit_exactly({1, 1}, {});
    ASSERT_TRUE(exact.fits);
    expect_range(exact.latency[load], 5, 5);
    expect_range(exact.latency[store], 2, 18);
}

TEST(timing_fit, waiting_request_determines_the_depth_of_its_queue)
{
    // P = 5, L = 4: grants in 1, 6, 11, 16. In cycle 3 two are queued, and the place is free in 7.
    std::vector<row> rows{{0, opcode::ald, 0, 0, 10, 10},
                          {0, opcode::ald, 1, 1, 15, 15},
                          {0, opcode::ald, 2, 2, 20, 20},
                          {0, opcode::ald, 3, 7, 25, 25}};
    auto exact = timing_fit(observation_of(1, rows)).fit_exactly({5, 5, 5, 5}, {});
    ASSERT_TRUE(exact.fits);
    expect_range(exact.request_depth, 2, 2);
    expect_range(exact.latency[load], 4, 4);
    // Without it: two at least.
    rows.pop_back();
    exact = timing_fit(observation_of(1, rows)).fit_exactly({5, 5, 5}, {});
    expect_range(exact.request_depth, 2, 64);
    // A request that waits where a place is free is not explained.
    rows.push_back({0, opcode::ald, 3, 8, 25, 25});
    EXPECT_FALSE(timing_fit(observation_of(1, rows)).fit_exactly({5, 5, 5, 5}, {}).fits);
}

TEST(timing_fit, the_response_queue_holds_grants_back)
{
    // P = 1, L = 10, one in flight: granted in 1 and, after the transfer in 12, in 13.
    const auto seen = observation_of(1, {{0, opcode::ald, 0, 0, 12, 12}, {0, opcode::ald, 1, 1, 24, 24}});
    const timing_fit fit(seen);
    EXPECT_EQ(fit.enough_response_depth({1, 1}, false), 2U);
    const auto one = fit.fit_exactly({1, 1}, {false, 1});
    ASSERT_TRUE(one.fits);
    expect_range(one.latency[load], 10, 10);
    EXPECT_FALSE(fit.fit_exactly({1, 1}, {false, 2}).fits);
}

TEST(timing_fit, two_waiting_ports_determine_the_arbitration)
{
    // Port 0 has a second request when port 1's first waits: P = 3, L = 5, grants in 1, 4, 7.
    const std::vector<row> round{
        {0, opcode::ald, 0, 0, 9, 9}, {1, opcode::ald, 1, 1, 12, 12}, {0, opcode::ald, 1, 1, 15, 15}};
    const std::vector<row> fixed{
        {0, opcode::ald, 0, 0, 9, 9}, {0, opcode::ald, 1, 1, 12, 12}, {1, opcode::ald, 1, 1, 15, 15}};
    for (const bool priority : {false, true}) {
        EXPECT_EQ(timing_fit(observation_of(2, round)).fit_exactly({3, 3, 3}, {priority, 8}).fits, !priority);
        EXPECT_EQ(timing_fit(observation_of(2, fixed)).fit_exactly({3, 3, 3}, {priority, 8}).fits, priority);
    }
}

TEST(timing_fit, the_nearest_latency_is_the_median)
{
    std::vector<row> rows;
    for (const std::uint64_t late : {0U, 0U, 0U, 1U, 5U}) {
        const auto at = 100 * rows.size();
        rows.push_back({0, opcode::ald, at, at, at + 8 + late, at + 8 + late}); // L = 6
    }
    const timing_fit fit(observation_of(1, rows));
    const std::vector<std::uint16_t> passes(5, 1);
    EXPECT_FALSE(fit.fit_exactly(passes, {}).fits);
    const auto near = fit.fit_nearest(passes, {}, never);
    EXPECT_EQ(near.latency[load], 6U);
    EXPECT_EQ(near.error, 6U);
}

TEST(timing_fit, operation_without_response_is_ignored)
{
    const auto seen = observation_of(1, {{0, opcode::ald, 0, 0, 9, 9}, {0, opcode::ast, 1, 1, never, never}});
    const auto exact = timing_fit(seen).fit_exactly({1, 1}, {});
    ASSERT_TRUE(exact.fits);
    expect_range(exact.latency[load], 7, 7);
    expect_range(exact.latency[store], 2, 1000);
}

} // namespace
} // namespace isbesim::testbench

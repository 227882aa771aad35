// SPDX-License-Identifier: Apache-2.0
// run_traffic distinguishes a complete run from one that stopped half-way, on every back end.
#include "testbench/crosscheck/traffic_run.h"

#include <string>

#include <gtest/gtest.h>

#include "testbench/crosscheck/traffic/random_traffic.h"

namespace isbesim::testbench {
namespace {

traffic_outcome run(const std::string& backend, traffic_source& source)
{
    traffic_request request;
    request.backend = backend;
    return run_traffic(request, source);
}

/// Hands out some items and then makes its caller wait for an event that never happens.
class drying_up : public traffic_source {
public:
    explicit drying_up(unsigned items) : left_(items) {}
    const traffic_item* draw(unsigned) override
    {
        if (left_ == 0) sc_core::wait(never_);
        --left_;
        return &item_;
    }

private:
    traffic_item item_;
    unsigned left_;
    sc_core::sc_event never_;
};

TEST(traffic_run, a_loosely_timed_player_that_never_ends_is_stuck)
{
    drying_up source(5);
    const auto outcome = run("lt", source);
    EXPECT_TRUE(outcome.stuck);
    EXPECT_EQ(outcome.transactions, 5U);
}

class every_model : public testing::TestWithParam<const char*> {};
TEST_P(every_model, answers_everything_and_is_not_stuck)
{
    random_traffic traffic(isbe_config{}, 1, 1000);
    const auto outcome = run(GetParam(), traffic);
    EXPECT_FALSE(outcome.stuck);
    EXPECT_EQ(outcome.transactions, 1000U);
    EXPECT_FALSE(outcome.compared);
}
INSTANTIATE_TEST_SUITE_P(traffic_run, every_model, testing::Values("lt", "at"));

TEST(traffic_run, an_unknown_back_end_is_refused)
{
    random_traffic traffic(isbe_config{}, 1, 1);
    EXPECT_THROW(run("nothing", traffic), std::invalid_argument);
}

} // namespace
} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
// Traffic without SM and PE obeys the rules of the base protocol on every timed model.
#include <gtest/gtest.h>

#include "testbench/crosscheck/traffic/random_traffic.h"
#include "testbench/crosscheck/traffic_run.h"

namespace isbesim::testbench {
namespace {

class traffic_rules : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(on, traffic_rules, testing::Values("lt", "at"),
                         [](const auto& chosen) { return std::string(chosen.param); });

TEST_P(traffic_rules, players_obey_the_base_protocol)
{
    traffic_request request;
    request.backend = GetParam();
    request.check_protocol = true;
    random_traffic traffic(request.config, 1, 2000);
    const auto outcome = run_traffic(request, traffic);
    EXPECT_EQ(outcome.transactions, 2000U);
    EXPECT_EQ(outcome.mismatch_report, "") << "the first violation";
}

} // namespace
} // namespace isbesim::testbench

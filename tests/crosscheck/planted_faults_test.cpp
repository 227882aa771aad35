// XC-03: the cross-check finds every fault planted in the model (models/isbe/faults.h), and nothing where there is
// none. A fault that slips through fails its test.
#include <gtest/gtest.h>

#include <iterator>

#include "models/isbe/faults.h"
#include "testbench/crosscheck/random_traffic.h"
#include "testbench/crosscheck/traffic_run.h"
#include "testbench/rtl/rtl_parameters.h"

namespace isbesim::testbench {
namespace {

constexpr std::uint64_t transactions = 100'000; // at most: a run ends with the first difference
constexpr int model_fault_count = static_cast<int>(std::size(fault_list));

traffic_outcome crosscheck()
{
    traffic_request request;
    for (const auto& row : rtl_configurations())
        if (std::string(row.name) == "small") request.config = config_of_rtl_parameters(row.parameters);
    random_traffic traffic(request.config, 1, transactions);
    with_memory_image source(traffic, request.config);
    return run_traffic(request, source);
}

void expect_found(const traffic_outcome& outcome)
{
    EXPECT_EQ(outcome.totals.data_mismatches + outcome.totals.cycle_mismatches, 1U);
    EXPECT_FALSE(outcome.story.empty());
}

TEST(planted_faults, XC_03_nothing_is_found_where_there_is_none)
{
    const auto outcome = crosscheck();
    EXPECT_EQ(outcome.story, "");
    EXPECT_FALSE(outcome.stuck);
    EXPECT_EQ(outcome.totals.data_mismatches + outcome.totals.cycle_mismatches, 0U);
    EXPECT_GE(outcome.totals.transactions, transactions);
}

TEST(planted_faults, XC_03_there_are_enough_of_them)
{
    EXPECT_GE(model_fault_count, 20);
}

class model_faults : public testing::TestWithParam<int> {};
TEST_P(model_faults, XC_03_is_found)
{
    SCOPED_TRACE(fault_list[GetParam() - 1].description);
    active_fault = GetParam();
    try {
        expect_found(crosscheck());
    } catch (const sc_core::sc_report& report) {
        // A response of the wrong transaction: the initiator refuses it before anything is compared.
        EXPECT_EQ(std::string(report.get_msg_type()), "/isbesim/warp_initiator") << report.what();
    }
}
INSTANTIATE_TEST_SUITE_P(planted, model_faults, testing::Range(1, 1 + model_fault_count));

} // namespace
} // namespace isbesim::testbench

// XC-03: the cross-check finds every fault planted in the model (models/isbe/faults.h), and nothing where there is
// none. A fault that slips through fails its test.
#include <gtest/gtest.h>

#include <iterator>
#include <string>

#include "models/isbe/faults.h"
#include "testbench/crosscheck/random_traffic.h"
#include "testbench/crosscheck/traffic_run.h"
#include "testbench/rtl/rtl_parameters.h"
#include "testbench/rtl/waveform.h"
#include "tests/crosscheck/wave_reader.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

constexpr std::uint64_t transactions = 100'000; // at most: a run ends with the first difference
constexpr int model_fault_count = static_cast<int>(std::size(fault_list));

traffic_outcome crosscheck(waveform* wave = nullptr)
{
    traffic_request request;
    request.wave = wave;
    request.config = rtl_configuration_of("small");
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

/// What one side shows and the other doesn't, in a cycle of a waveform.
bool differ(const wave_reader& reader, std::uint64_t time)
{
    const std::string rtl = "rtl.isbe_top.";
    for (unsigned port = 0; port < 2; ++port) {
        const auto model = "model.interface_scope.ports[" + std::to_string(port) + "].port.";
        const bool accepts = reader.bit(rtl + "req_valid", port, time) && reader.bit(rtl + "req_ready", port, time);
        const bool responds = reader.bit(rtl + "resp_valid", port, time);
        if (reader.bit(model + "req_transfer", 0, time) != accepts) return true;
        if (reader.bit(model + "resp_valid", 0, time) != responds) return true;
        if (!responds) continue;
        if (reader.value(model + "resp_data", time) != reader.slice(rtl + "resp_data", port, 4096, time)) return true;
        if (reader.value(model + "resp_status", time) != reader.slice(rtl + "resp_status", port, 512, time))
            return true;
        if (reader.value(model + "resp_error", time) != reader.slice(rtl + "resp_error", port, 8, time)) return true;
        if (reader.value(model + "resp_passes", time) != reader.slice(rtl + "resp_passes", port, 16, time)) return true;
    }
    return false;
}

/// Of the faults, those that a comparison of pins finds (see model_faults).
class fault_waves : public testing::TestWithParam<int> {};
TEST_P(fault_waves, the_waveform_shows_the_first_difference_where_the_story_says)
{
    SCOPED_TRACE(fault_list[GetParam() - 1].description);
    const temporary_folder folder;
    const auto path = folder.path("wave");
    active_fault = GetParam();
    constexpr std::uint64_t period = 1000;
    try {
        waveform file(path, cycle_clock::from_ghz(1.0), {});
        const auto outcome = crosscheck(&file);
        expect_found(outcome);
        const wave_reader reader(path);
        const auto cycle = outcome.difference_cycle;
        EXPECT_TRUE(differ(reader, cycle * period)) << outcome.story;
        for (std::uint64_t c = reader.first_time() / period; c < cycle; ++c)
            ASSERT_FALSE(differ(reader, c * period)) << "in cycle " << c << " already\n" << outcome.story;
        EXPECT_GT(reader.last_time(), cycle * period);
    } catch (const sc_core::sc_report& report) {
        EXPECT_EQ(std::string(report.get_msg_type()), "/isbesim/warp_initiator") << report.what();
    }
}
INSTANTIATE_TEST_SUITE_P(planted, fault_waves, testing::Values(1, 8, 24, 30, 34, 37));

} // namespace
} // namespace isbesim::testbench

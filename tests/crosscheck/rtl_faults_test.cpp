// XC-03: the cross-check finds every fault planted in the RTL (rtl_ref/faults.md), and nothing where there is none. A
// fault that slips through fails its test. All of them are in one compiled block; the model beside it is sound.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "test_paths.h"
#include "testbench/crosscheck/random_traffic.h"
#include "testbench/crosscheck/traffic_run.h"
#include "testbench/rtl/plugin_block.h"
#include "testbench/rtl/rtl_library.h"
#include "testbench/rtl/rtl_parameters.h"

namespace isbesim::testbench {
namespace {

constexpr std::uint64_t transactions = 100'000; // at most: a run ends with the first difference
constexpr int hanging_fault = 35;
constexpr int late_fault = 7;

/// For blocks that start from now on (rtl_fault_number.cpp).
void plant(int fault)
{
    setenv("ISBESIM_RTL_FAULT", std::to_string(fault).c_str(), 1);
}

const std::filesystem::path rtl_folder = std::filesystem::path(ISBESIM_SOURCE_DIR) / "rtl_ref";

std::string text_of(const std::filesystem::path& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

struct fault_row {
    int number;
    std::string module;
    std::string description;
};

/// The table of faults.md.
std::vector<fault_row> fault_table()
{
    static const std::regex row(R"(\n\| (\d+) \| (\w+) \| ([^|]*) \|)");
    const auto text = text_of(rtl_folder / "faults.md");
    std::vector<fault_row> table;
    for (std::sregex_iterator found(text.begin(), text.end(), row), end; found != end; ++found)
        table.push_back({std::atoi((*found)[1].str().c_str()), (*found)[2], (*found)[3]});
    return table;
}

void PrintTo(const fault_row& fault, std::ostream* out)
{
    *out << "fault " << fault.number << " in " << fault.module << ": " << fault.description;
}

traffic_outcome crosscheck(const std::string& backend = "lockstep")
{
    traffic_request request;
    request.config = rtl_configuration_of("small");
    request.backend = backend;
    request.make_block = [](const isbe_config&, waveform*) {
        return std::make_unique<plugin_block>(open_rtl_library(ISBESIM_RTL_WITH_FAULTS));
    };
    random_traffic traffic(request.config, 1, transactions);
    with_memory_image source(traffic, request.config);
    return run_traffic(request, source);
}

TEST(rtl_faults, XC_03_nothing_is_found_where_there_is_none)
{
    const auto outcome = crosscheck();
    EXPECT_EQ(outcome.story, "");
    EXPECT_FALSE(outcome.stuck);
    EXPECT_EQ(outcome.totals.data_mismatches + outcome.totals.cycle_mismatches, 0U);
    EXPECT_EQ(outcome.totals.max_cycle_error, 0U);
    EXPECT_GE(outcome.totals.transactions, transactions);
}

TEST(rtl_faults, XC_03_the_table_names_those_in_the_sources)
{
    std::set<std::pair<std::string, int>> in_table;
    int number = 0;
    for (const auto& fault : fault_table()) {
        EXPECT_EQ(fault.number, ++number);
        in_table.emplace(fault.module, fault.number);
    }
    EXPECT_GE(number, 20);

    static const std::regex place(R"(isbe_pkg::FAULT [!=]= (\d+))");
    std::set<std::pair<std::string, int>> in_sources;
    for (const auto& entry : std::filesystem::directory_iterator(rtl_folder)) {
        if (entry.path().extension() != ".sv") continue;
        const auto text = text_of(entry.path());
        for (std::sregex_iterator found(text.begin(), text.end(), place), end; found != end; ++found)
            in_sources.emplace(entry.path().stem(), std::atoi((*found)[1].str().c_str()));
    }
    EXPECT_EQ(in_table, in_sources);
}

TEST(rtl_faults, XC_03_the_cycles_of_a_late_response_are_told)
{
    plant(late_fault);
    EXPECT_EQ(crosscheck().totals.max_cycle_error, 1U);
}

TEST(rtl_faults, XC_03_a_block_that_hangs_is_told_from_a_late_one)
{
    plant(hanging_fault);
    const auto outcome = crosscheck();
    EXPECT_EQ(outcome.totals.max_cycle_error, lockstep::patience);
    EXPECT_NE(outcome.story.find("does not follow"), std::string::npos) << outcome.story;
}

TEST(rtl_faults, XC_03_a_block_that_hangs_alone_is_a_deadlock)
{
    plant(hanging_fault);
    const auto outcome = crosscheck("rtl");
    EXPECT_TRUE(outcome.stuck);
    EXPECT_LT(outcome.transactions, transactions);
}

TEST(rtl_faults, XC_03_the_block_alone_ends_without_a_fault)
{
    const auto outcome = crosscheck("rtl");
    EXPECT_FALSE(outcome.stuck);
    EXPECT_GE(outcome.transactions, transactions);
}

class each_rtl_fault : public testing::TestWithParam<fault_row> {};
TEST_P(each_rtl_fault, XC_03_is_found)
{
    plant(GetParam().number);
    const auto outcome = crosscheck();
    EXPECT_EQ(outcome.totals.data_mismatches + outcome.totals.cycle_mismatches, 1U);
    EXPECT_EQ(outcome.totals.cycle_mismatches != 0, outcome.totals.max_cycle_error != 0);
    EXPECT_FALSE(outcome.story.empty());
}
INSTANTIATE_TEST_SUITE_P(planted, each_rtl_fault, testing::ValuesIn(fault_table()), [](const auto& row) {
    return "fault_" + std::to_string(row.param.number) + "_" + row.param.module;
});

} // namespace
} // namespace isbesim::testbench

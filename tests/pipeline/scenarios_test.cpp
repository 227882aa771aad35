// SPDX-License-Identifier: Apache-2.0
// Every scenario of testbench/scenarios, on every back end: the vertices must be those of its expectation.
#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/pipeline/derived_scenario.h"
#include "tests/testbench/process.h"
#include "tests/testbench/samples.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

/// The words of all vertices, in an order that is independent of the primitives' numbers and rotations.
std::vector<std::string> sorted_vertices(const std::string& file)
{
    std::istringstream rows(temporary_folder::read(file));
    std::vector<std::string> result;
    for (std::string line; std::getline(rows, line) && line.rfind("rest,", 0) != 0;)
        result.push_back(line.substr(line.find("0x")));
    std::sort(result.begin(), result.end());
    return result;
}

using parameters = std::tuple<std::string, std::string>;

class pipeline : public testing::TestWithParam<parameters> {};

TEST_P(pipeline, PIPE_01_PIPE_02_PIPE_08_XC_05_streams_out_the_expected_vertices)
{
    const auto& [name, backend] = GetParam();
    const temporary_folder folder;
    const auto scenario = samples + name + "/scenario.json";
    const auto result = run_isbesim({"run", scenario, "--isbe", backend, "--out", folder.path("out"), "--strict=traps",
                                     "--check-protocol", "--quiet"});
    ASSERT_EQ(result.status, 0) << result.err;
    // Checked here in addition to the tool's own comparison.
    const auto text = temporary_folder::read(scenario);
    if (text.find("\"expect_order\"") != std::string::npos) {
        const auto got = sorted_vertices(folder.path("out/vertices.csv"));
        const auto want = sorted_vertices(samples + name + "/expected.csv");
        EXPECT_TRUE(std::includes(got.begin(), got.end(), want.begin(), want.end()));
    } else if (text.find("expect_ulp") == std::string::npos) {
        EXPECT_EQ(as_expected(name, temporary_folder::read(folder.path("out/vertices.csv"))),
                  temporary_folder::read(samples + name + "/expected.csv"));
    }
}

INSTANTIATE_TEST_SUITE_P(shipped, pipeline,
                         testing::Combine(testing::ValuesIn(scenarios_with("expected.csv")),
                                          testing::Values("lt", "at", "rtl", "lockstep")),
                         [](const testing::TestParamInfo<parameters>& instance) {
                             return std::get<0>(instance.param) + "_" + std::get<1>(instance.param);
                         });

TEST(pipelines, there_are_scenarios_to_run)
{
    EXPECT_GE(scenarios_with("expected.csv").size(), 12U);
}

} // namespace
} // namespace isbesim::testbench

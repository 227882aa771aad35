// SPDX-License-Identifier: Apache-2.0
// Every scenario of testbench/scenarios, on every back end: the vertices must be those of its expectation.
#include <algorithm>
#include <sstream>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "tests/pipeline/derived_scenario.h"
#include "tests/testbench/process.h"
#include "tests/testbench/report_of.h"
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

// A run on the RTL has the same report as a run on the AT model: stacks, stalls and the sentence follow from the pins.

namespace json = boost::json;

TEST(rtl_report, is_that_of_the_model)
{
    const temporary_folder folder;
    const std::vector<std::pair<std::string, words>> runs = {
        {"gs_amplify", {}},
        {"tess_points", {"--set", "sm_count=2"}},
        {"task_mesh_payload", {"--set", "sm.attribute_queue_depth=2"}},
        {"tess_gs_isolines", {"--set", "pe.high_watermark=8"}},
    };
    for (const auto& [scenario, machine] : runs) {
        SCOPED_TRACE(scenario);
        const auto run = words{"run", samples + scenario + "/scenario.json"} + machine;
        auto model = report_of(run + words{"--isbe", "at"}, folder.path("at"));
        auto rtl = report_of(run + words{"--isbe", "rtl"}, folder.path("rtl"));
        EXPECT_GE(model.at("stacks").as_object().size(), 3U);
        EXPECT_NE(model.at("bottleneck").as_string().find("isbe0.pass_engine"), json::string::npos);
        for (auto* report : {&model, &rtl}) {
            for (const auto* own : {"backend", "host", "of", "critical_path", "measured", "rests_on"})
                report->erase(own);
            report->at("covers").as_object().erase("measured");
        }
        EXPECT_EQ(rtl, model);
    }
}

} // namespace
} // namespace isbesim::testbench

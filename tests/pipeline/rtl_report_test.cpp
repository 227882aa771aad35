// SPDX-License-Identifier: Apache-2.0
// A run on the RTL has the same report as a run on the AT model: stacks, stalls and the sentence follow from the pins.
#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "tests/testbench/process.h"
#include "tests/testbench/samples.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

json::object report_of(const std::string& scenario, const char* backend, std::vector<std::string> machine)
{
    const temporary_folder folder;
    std::vector<std::string> line = {
        "run", samples + scenario + "/scenario.json", "--isbe", backend, "--out", folder.path("out")};
    line.insert(line.end(), machine.begin(), machine.end());
    const auto done = run_isbesim(line);
    EXPECT_EQ(done.status, 0) << done.err;
    return json::parse(temporary_folder::read(folder.path("out/report.json"))).as_object();
}

TEST(rtl_report, is_that_of_the_model)
{
    const std::vector<std::pair<std::string, std::vector<std::string>>> runs = {
        {"gs_amplify", {}},
        {"tess_points", {"--set", "sm_count=2"}},
        {"task_mesh_payload", {"--set", "sm.attribute_queue_depth=2"}},
        {"tess_gs_isolines", {"--set", "pe.high_watermark=8"}},
    };
    for (const auto& [scenario, machine] : runs) {
        SCOPED_TRACE(scenario);
        auto model = report_of(scenario, "at", machine), rtl = report_of(scenario, "rtl", machine);
        EXPECT_GE(model.at("stacks").as_object().size(), 3U);
        EXPECT_NE(model.at("bottleneck").as_string().find("isbe0.pass_engine"), json::string::npos);
        for (auto* report : {&model, &rtl}) {
            for (const auto* own : {"backend", "host", "critical_path", "rests_on"}) report->erase(own);
        }
        EXPECT_EQ(rtl, model);
    }
}

} // namespace
} // namespace isbesim::testbench

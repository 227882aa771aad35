// SPDX-License-Identifier: Apache-2.0
// A run on the RTL has the same report as a run on the AT model: stacks, stalls and the sentence follow from the pins.
#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "tests/testbench/report_of.h"
#include "tests/testbench/samples.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

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

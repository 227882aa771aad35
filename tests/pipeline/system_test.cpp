// SPDX-License-Identifier: Apache-2.0
// The whole system: configurations that must not change the vertices, and figures that must add up.
#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "tests/testbench/process.h"
#include "tests/testbench/report_of.h"
#include "tests/testbench/samples.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

class system_run : public testing::Test {
protected:
    /// Runs with --check-protocol and returns the report.
    json::object run(const std::string& scenario, std::vector<std::string> options = {})
    {
        options.insert(options.begin(), {"run", samples + scenario + "/scenario.json", "--quiet", "--check-protocol",
                                         "--out", folder_.path("out")});
        const auto result = run_isbesim(options);
        EXPECT_EQ(result.status, 0) << result.err;
        memory_mb_ = result.peak_memory_mb;
        return report_in(folder_.path("out"));
    }
    std::string vertices() const { return temporary_folder::read(folder_.path("out/vertices.csv")); }

    temporary_folder folder_;
    double memory_mb_ = 0;
};

std::uint64_t number(const json::value& value)
{
    return value.to_number<std::uint64_t>();
}

/// Sum of one figure over the instances, by its path.
std::uint64_t sum(const json::object& report, const std::vector<std::string>& path)
{
    std::uint64_t total = 0;
    for (const auto& instance : report.at("per_instance").as_array()) {
        const json::value* value = &instance;
        for (const auto& key : path) value = &value->at(key);
        total += number(*value);
    }
    return total;
}

std::uint64_t total(const json::object& report, const std::vector<std::string>& path)
{
    const json::value* value = &report.at(path[0]);
    for (std::size_t i = 1; i < path.size(); ++i) value = &value->at(path[i]);
    return number(*value);
}

TEST_F(system_run, several_sms_give_the_same_vertices_and_figures_that_add_up)
{
    for (const auto* scenario : {"gs_amplify_once", "gs_streams", "vs_sixteen_vectors"}) {
        const auto one = run(scenario);
        const auto expected = vertices();
        for (const auto* backend : {"lt", "at"}) {
            const auto many = run(scenario, {"--set", "sm_count=3", "--isbe", backend});
            EXPECT_EQ(vertices(), expected) << scenario;
            EXPECT_EQ(many.at("per_instance").as_array().size(), 3U);
            for (const auto& path : std::vector<std::vector<std::string>>{{"invocations", "vertex"},
                                                                          {"instructions", "ald"},
                                                                          {"instructions", "ast"},
                                                                          {"instructions", "other"},
                                                                          {"latency", "ast", "count"},
                                                                          {"bandwidth", "read", "bytes"},
                                                                          {"bandwidth", "write", "bytes"},
                                                                          {"bank_conflicts", "accesses"},
                                                                          {"bank_conflicts", "passes"},
                                                                          {"stalls", "scoreboard"}}) {
                EXPECT_EQ(sum(many, path), total(many, path)) << scenario << " " << path.back();
            }
            EXPECT_EQ(total(many, {"invocations", "vertex"}), total(one, {"invocations", "vertex"}));
            EXPECT_EQ(total(many, {"instructions", "ast"}), total(one, {"instructions", "ast"}));
        }
    }
}

TEST_F(system_run, the_machine_changes_time_never_vertices)
{
    run("gs_conditional");
    const auto expected = vertices();
    for (const auto* setting : {"isbe.ports=1",
                                "isbe.skew=false",
                                "isbe.banks=8",
                                "isbe.bank_map=rotate",
                                "isbe.bank_map=xor",
                                "isbe.access=line",
                                "isbe.request_queue_depth=1",
                                "isbe.response_queue_depth=1",
                                "isbe.arbitration=fixed_priority",
                                "isbe.gs_slot_order=blocked",
                                "isbe.lines=128",
                                "isbe.contexts=2",
                                "warps_per_sm=1",
                                "schedulers_per_sm=1",
                                "scheduler_policy=greedy_then_oldest",
                                "sm.attribute_queue_depth=1",
                                "poison=true",
                                "pe.batch_vertices=7",
                                "pe.allocation_policy=best_fit",
                                "pe.fetch_bytes_per_cycle=1",
                                "clock_ghz=1.7"}) {
        for (const auto* backend : {"lt", "at"}) {
            run("gs_conditional", {"--set", setting, "--isbe", backend, "--max-cycles", "10000000"});
            EXPECT_EQ(vertices(), expected) << setting << " " << backend;
        }
    }
}

TEST_F(system_run, the_machines_that_ship_run_every_kind_of_pipeline)
{
    for (const auto* scenario : {"gs_conditional", "tess_quads_odd", "vs_sixteen_vectors"}) {
        run(scenario);
        const auto expected = vertices();
        for (const auto* machine : {"gm107", "gm200", "gp102", "gv100", "tu102", "ga102", "ad102", "gb202"}) {
            run(scenario, {"--config", machine});
            EXPECT_EQ(vertices(), expected) << scenario << " " << machine;
        }
    }
}

TEST_F(system_run, a_shared_port_makes_requests_wait)
{
    const auto two = run("gs_amplify");
    const auto one = run("gs_amplify", {"--set", "isbe.ports=1"});
    EXPECT_GT(total(one, {"stalls", "port_contention"}), 0U);
    EXPECT_EQ(total(one, {"bank_conflicts", "accesses"}), total(two, {"bank_conflicts", "accesses"}));
}

TEST_F(system_run, report_counts_the_draws_work)
{
    const auto report = run("gs_pass");
    EXPECT_EQ(report.at("backend").as_string(), "at");
    // 35 strip vertices make 33 triangles; batches of at most 32 unique vertices overlap by two.
    EXPECT_EQ(total(report, {"output", "primitives_in"}), 33U);
    EXPECT_EQ(total(report, {"output", "vertices_captured"}), 99U);
    EXPECT_EQ(total(report, {"invocations", "geometry"}), 33U);
    EXPECT_EQ(total(report, {"invocations", "vertex"}), 37U);
}

TEST_F(system_run, PIPE_07_report_has_the_waits_of_a_small_isbe)
{
    const auto roomy = run("gs_amplify_once");
    const auto expected = vertices();
    EXPECT_EQ(total(roomy, {"stalls", "isbe_full"}), 0U);
    const auto tight = run("gs_amplify_once", {"--set", "isbe.lines=128"});
    EXPECT_GT(total(tight, {"stalls", "isbe_full"}), 0U);
    EXPECT_LE(total(tight, {"occupancy", "isbe_lines_peak"}), 128U);
    EXPECT_EQ(vertices(), expected);
}

TEST_F(system_run, the_main_job_repeats_the_vertices_of_its_75_points)
{
    run("gs_amplify_once"); // fails unless the vertices are as expected
    std::istringstream once(vertices());
    run("gs_amplify");
    std::istringstream amplified(vertices());
    std::string line;
    std::getline(once, line);
    const auto header = line;
    std::vector<std::string> pattern; // words of a row, without primitive and vertex number
    while (std::getline(once, line)) pattern.push_back(line.substr(line.find("0x")));
    ASSERT_EQ(pattern.size(), 900U);
    ASSERT_TRUE(std::getline(amplified, line));
    EXPECT_EQ(line, header);
    std::size_t row = 0;
    for (; std::getline(amplified, line); ++row) {
        const auto prefix = "0," + std::to_string(row / 3) + "," + std::to_string(row % 3) + ",";
        ASSERT_EQ(line, prefix + pattern[row % pattern.size()]) << row;
    }
    EXPECT_EQ(row, 30000U * 12);
}

TEST_F(system_run, memory_does_not_grow_with_the_draw)
{
    run("gs_amplify_once");
    const auto once = memory_mb_;
    run("gs_amplify"); // 400 times the vertices
    EXPECT_LT(memory_mb_, once + 8);
}

} // namespace
} // namespace isbesim::testbench

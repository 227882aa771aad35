// SPDX-License-Identifier: Apache-2.0
// --timing lt: the vertices, traps and warnings of --timing at, and an estimate of its cycles.
#include <cmath>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "tests/pipeline/derived_scenario.h"
#include "tests/testbench/process.h"
#include "tests/testbench/report_of.h"
#include "tests/testbench/samples.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

class loosely_timed : public testing::TestWithParam<std::string> {
protected:
    struct outcome {
        json::object report;
        std::string vertices;
    };
    outcome run(const words& more)
    {
        auto report = report_of(words{"run", samples + GetParam() + "/scenario.json", "--check-protocol"} + more,
                                folder_.path("out"));
        return {std::move(report), temporary_folder::read(folder_.path("out/vertices.csv"))};
    }

private:
    temporary_folder folder_;
};

INSTANTIATE_TEST_SUITE_P(shipped, loosely_timed, testing::ValuesIn(scenarios_with("scenario.json")),
                         [](const auto& chosen) { return chosen.param; });

json::array warnings_of(const json::object& report)
{
    json::array warnings;
    for (const auto& each : report.at("warnings").as_array())
        warnings.push_back(json::object{{"kind", each.at("kind")}, {"count", each.at("count")}});
    return warnings;
}

const json::value& error_of(const json::object& report)
{
    return report.at("estimate").at("error");
}

TEST_P(loosely_timed, vertices_are_exact_and_cycles_within_the_stated_error)
{
    const auto exact = run({}), loose = run({"--timing", "lt"}), isbe = run({"--isbe", "lt"});
    EXPECT_EQ(loose.vertices, exact.vertices);
    EXPECT_EQ(isbe.vertices, exact.vertices);
    EXPECT_FALSE(exact.report.contains("estimate"));
    for (const auto* key : {"instructions", "invocations", "output", "trap_count", "discarded"})
        EXPECT_EQ(loose.report.at(key), exact.report.at(key)) << key;
    EXPECT_EQ(warnings_of(loose.report), warnings_of(exact.report));
    const auto exact_cycles = exact.report.at("cycles").to_number<double>(),
               lt = loose.report.at("cycles").to_number<double>();
    EXPECT_LE(std::abs(lt - exact_cycles), error_of(loose.report).to_number<double>() * exact_cycles)
        << lt << " instead of " << exact_cycles;
    const auto by_operation = isbe.report.at("cycles").to_number<double>();
    EXPECT_LE(std::abs(by_operation - exact_cycles), error_of(isbe.report).to_number<double>() * exact_cycles)
        << by_operation;
}

/// Places in the queues, an engine that all share, and more SMs: effects that a single operation does not show.
TEST_P(loosely_timed, follows_the_isbe_on_other_machines)
{
    for (const std::vector<std::string>& machine :
         {std::vector<std::string>{"--set", "isbe.response_queue_depth=3", "--set", "isbe.pipeline_latency=60"},
          {"--set", "isbe.response_queue_depth=1", "--set", "sm_count=3"},
          {"--set", "isbe.response_queue_depth=1", "--set", "isbe.request_queue_depth=1"},
          {"--set", "isbe.write_latency=300", "--set", "warps_per_sm=4"}}) {
        const auto exact_cycles = run(machine).report.at("cycles").to_number<double>();
        for (const auto* mode : {"--isbe", "--timing"}) {
            auto line = machine;
            line.insert(line.end(), {mode, "lt"});
            const auto loose = run(line).report;
            const auto lt = loose.at("cycles").to_number<double>();
            EXPECT_LE(std::abs(lt - exact_cycles), error_of(loose).to_number<double>() * exact_cycles)
                << mode << ": " << lt << " instead of " << exact_cycles << " with " << machine[1] << ' ' << machine[3];
        }
    }
}

TEST_P(loosely_timed, a_short_quantum_changes_no_vertex)
{
    const auto all = run({"--timing", "lt"}), few = run({"--timing", "lt", "--set", "sm.quantum=7"});
    EXPECT_EQ(few.vertices, all.vertices);
    EXPECT_EQ(few.report.at("instructions"), all.report.at("instructions"));
}

TEST(loosely_timed_run, cycles_are_labelled_as_estimate_and_unmeasured_figures_absent)
{
    const temporary_folder folder;
    const auto scenario = samples + "gs_pass/scenario.json";
    const auto done = run_isbesim({"run", scenario, "--timing", "lt", "--out", folder.path("out")});
    ASSERT_EQ(done.status, 0) << done.err;
    EXPECT_NE(done.out.find(" (estimate)\n"), std::string::npos) << done.out;
    EXPECT_NE(done.out.find(" cycles (estimate); the vertices are"), std::string::npos) << done.out;
    const auto report = report_in(folder.path("out"));
    EXPECT_EQ(report.at("timing"), "lt");
    EXPECT_EQ(report.at("backend"), "lt");
    EXPECT_EQ(report.at("estimate").at("of"), "cycles");
    for (const auto* absent : {"stacks", "series", "bottleneck", "critical_path"})
        EXPECT_FALSE(report.contains(absent));
    for (const auto* absent : {"scoreboard", "queue_full", "port_contention", "response"})
        EXPECT_FALSE(report.at("stalls").as_object().contains(absent)) << absent;
    EXPECT_FALSE(report.at("occupancy").as_object().contains("warps_peak"));
    for (const auto* file : {"out/report.html", "out/report.md"})
        EXPECT_NE(temporary_folder::read(folder.path(file)).find("An estimate (--timing lt), within "),
                  std::string::npos);
    EXPECT_FALSE(page_in(folder.path("out/report.html")).contains("data")) << "no charts";
    EXPECT_FALSE(report.at("config").as_object().empty());
}

// Operations that are requested in the same cycle hold the pass engine one after the other.
TEST(loosely_timed_run, lt_isbe_has_no_more_passes_than_cycles)
{
    const temporary_folder folder;
    for (const auto* draw : {"gs_amplify_once", "task_mesh_payload"}) {
        const auto series =
            report_of({"run", samples + draw + "/scenario.json", "--isbe", "lt", "--set", "isbe.request_queue_depth=1"},
                      folder.path("out"))
                .at("series");
        const auto width = series.at("bin_cycles").to_number<std::uint64_t>();
        for (const auto& passes : series.at("passes").as_array()) EXPECT_LE(passes.to_number<std::uint64_t>(), width);
    }
}

TEST(loosely_timed_run, lt_isbe_alone_has_no_bottleneck)
{
    const temporary_folder folder;
    const auto done = run_isbesim({"run", samples + "gs_pass/scenario.json", "--isbe", "lt", "--database",
                                   folder.path("a.sqlite"), "--out", folder.path("out")});
    ASSERT_EQ(done.status, 0) << done.err;
    EXPECT_EQ(done.out.find("resource"), std::string::npos) << done.out;
    EXPECT_NE(done.out.find("An estimate (--isbe lt), within "), std::string::npos) << done.out;
    const auto report = report_in(folder.path("out"));
    EXPECT_FALSE(report.contains("stacks"));
    EXPECT_TRUE(report.at("stalls").as_object().contains("scoreboard"));
    EXPECT_FALSE(report.at("stalls").as_object().contains("port_contention"));
    const auto& port = report.at("per_instance").at(0).at("ports").at(0).as_object();
    EXPECT_TRUE(port.contains("busy_cycles"));
    EXPECT_FALSE(port.contains("contention_cycles"));
}

TEST(loosely_timed_run, lt_isbe_cycles_are_labelled_as_estimate_in_files)
{
    const temporary_folder folder;
    const std::vector<std::string> chip = {"--config", "gm107_chip", "--set", "chip.tpcs=2"};
    for (const std::string backend : {"at", "lt"})
        for (const auto& machine : {std::vector<std::string>{"--timeline", folder.path("a.json")}, chip}) {
            const auto done = run_isbesim(words{"run", samples + "gs_pass/scenario.json", "--isbe", backend, "--every",
                                                "100", "--out", folder.path("out")} +
                                          machine);
            ASSERT_EQ(done.status, 0) << done.err;
            const auto rows = temporary_folder::read(folder.path("out/windows.csv"));
            EXPECT_EQ(rows.find("first,cycles,estimate.of,") != std::string::npos, backend == "lt") << rows;
            EXPECT_EQ(rows.find("0,100,cycles,") != std::string::npos, backend == "lt") << rows;
            const auto timeline = temporary_folder::read(folder.path("a.json"));
            EXPECT_EQ(timeline.find("1 us = 1 clock cycle (estimate)") != std::string::npos, backend == "lt");
            EXPECT_EQ(timeline.find("1 us = 1 clock cycle\"") != std::string::npos, backend == "at");
        }
}

TEST(loosely_timed_run, ignored_keys_are_warned_of)
{
    const temporary_folder folder;
    const auto warnings = [&](const char* option, const std::string& assignment) {
        const auto done = run_isbesim(
            {"run", samples + "gs_pass/scenario.json", option, "lt", "--set", assignment, "--out", folder.path("out")});
        EXPECT_EQ(done.status, 0) << done.err;
        return done.err;
    };
    const std::string text = " has no effect with ";
    EXPECT_NE(warnings("--isbe", "isbe.arbitration=fixed_priority").find("isbe.arbitration" + text + "--isbe lt"),
              std::string::npos);
    EXPECT_NE(
        warnings("--timing", "sm.attribute_queue_depth=1").find("sm.attribute_queue_depth" + text + "--timing lt"),
        std::string::npos);
    const auto machine =
        folder.write("machine.json", R"({"isbe.arbitration": "fixed_priority", "sm.attribute_queue_depth": 1})");
    const auto done = run_isbesim(
        {"run", samples + "gs_pass/scenario.json", "--isbe", "lt", "--config", machine, "--out", folder.path("out")});
    EXPECT_NE(done.err.find("command-line:1:5: isbe.arbitration" + text), std::string::npos) << done.err;
    EXPECT_EQ(done.err.find("attribute_queue_depth"), std::string::npos) << done.err;
    using pair = std::pair<std::string, const char*>;
    for (const auto& [assignment, reason] :
         {pair{"memory.dram_latency=1", "memory.model=ideal"}, pair{"pe.alpha_lines=8", "pe.buffers=unified"},
          pair{"chip.deal_order=tpcs_first", "one TPC"}, pair{"sm.quantum=5", "--timing at"}})
        EXPECT_NE(warnings("--isbe", assignment).find(assignment.substr(0, assignment.find('=')) + text + reason),
                  std::string::npos)
            << assignment;
    EXPECT_EQ(warnings("--timing", "sm.quantum=5"), "");
    EXPECT_EQ(warnings("--isbe", "sm.attribute_queue_depth=1"), "");
    EXPECT_EQ(warnings("--isbe", "isbe.request_queue_depth=1"), "");
    EXPECT_EQ(warnings("--timing", "isbe.response_queue_depth=1"), "");
}

TEST(loosely_timed_run, options_that_need_the_order_of_operations_are_refused)
{
    const auto scenario = samples + "gs_pass/scenario.json";
    for (const auto& more : std::vector<std::vector<std::string>>{{"--timeline", "a.json"},
                                                                  {"--database", "a.sqlite"},
                                                                  {"--record", "a.trace"},
                                                                  {"--isbe", "at"},
                                                                  {"--isbe", "lockstep"}}) {
        const auto refused = run_isbesim(words{"run", scenario, "--timing", "lt"} + more);
        EXPECT_EQ(refused.status, 2) << more[0];
        EXPECT_NE(refused.err.find("with --timing lt, "), std::string::npos) << refused.err;
    }
    const auto unknown = run_isbesim({"run", scenario, "--timing", "fast"});
    EXPECT_EQ(unknown.status, 2);
    EXPECT_NE(unknown.err.find("--timing is 'fast', expected at or lt"), std::string::npos) << unknown.err;
}

/// Loosely timed runs also stop a program that does not end.
TEST(loosely_timed_run, watchdog_stops_an_endless_program)
{
    derived_scenario scenario("vs_text");
    scenario.set_stage("vertex", "top: BRA top ;\nEXIT ;", map_of({0x80}));
    for (const auto* key : {"expect", "expect_order", "expect_ulp"}) scenario.root().erase(key);
    const auto result = scenario.run("lt", {"--timing", "lt", "--max-cycles", "100000"});
    EXPECT_EQ(result.status, 1) << result.err;
    EXPECT_NE(result.err.find("watchdog"), std::string::npos) << result.err;
}

} // namespace
} // namespace isbesim::testbench

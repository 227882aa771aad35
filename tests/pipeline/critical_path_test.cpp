// SPDX-License-Identifier: Apache-2.0
// The critical path of draws covers every cycle, and its causes are those that a rerun with another latency
// finds.
#include <fstream>
#include <map>

#include <gtest/gtest.h>

#include "tests/pipeline/derived_scenario.h"
#include "tests/testbench/process.h"
#include "tests/testbench/report_of.h"
#include "tests/testbench/samples.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

struct measured_path {
    std::uint64_t cycles = 0; ///< of the draw
    std::map<std::string, std::uint64_t> parts, counts;

    explicit measured_path(const json::object& report) : cycles(report.at("cycles").to_number<std::uint64_t>())
    {
        const auto& path = report.at("critical_path").as_object();
        for (const auto& part : path.at("parts").as_object())
            parts[std::string(part.key())] = part.value().to_number<std::uint64_t>();
        for (const auto& count : path.at("counts").as_object())
            counts[std::string(count.key())] = count.value().to_number<std::uint64_t>();
        EXPECT_EQ(path.at("cycles").to_number<std::uint64_t>(), cycles);
    }
    std::uint64_t sum() const
    {
        std::uint64_t all = 0;
        for (const auto& [name, each] : parts) all += each;
        return all;
    }
    /// Sum over all stages.
    std::uint64_t times(const std::string& reason) const
    {
        std::uint64_t all = 0;
        for (const auto& [name, count] : counts)
            if (name.substr(0, name.find('.')) == reason) all += count;
        return all;
    }
};

class critical_path : public testing::TestWithParam<std::string> {
protected:
    json::object simulate(const std::string& scenario, const words& options) const
    {
        return report_of(words{"run", scenario} + options, folder_.path("out"));
    }
    /// Steps of the timeline's track.
    json::array steps(const std::string& file) const
    {
        json::array result;
        const auto timeline = json::parse(temporary_folder::read(file));
        for (const auto& event : timeline.as_array())
            if (event.at("pid") == 0 && event.at("ph") == "X") result.push_back(event);
        return result;
    }

    temporary_folder folder_;
};

INSTANTIATE_TEST_SUITE_P(shipped, critical_path, testing::ValuesIn(scenarios_with("scenario.json")),
                         [](const auto& instance) { return instance.param; });

TEST_P(critical_path, covers_every_cycle_once_and_explains_it)
{
    const words machines[] = {
        {},
        {"--set", "sm_count=3", "--set", "pe.buffers=alpha_beta"},
        {"--set", "isbe.ports=1", "--set", "isbe.request_queue_depth=1", "--set", "isbe.response_queue_depth=1",
         "--set", "sm.attribute_queue_depth=1", "--set", "schedulers_per_sm=1"},
        {"--set", "isbe.arbitration=fixed_priority", "--set", "scheduler_policy=greedy_then_oldest", "--set",
         "isbe.contexts=3", "--set", "isbe.skew=false", "--set", "pe.fetch_bytes_per_cycle=3"}};
    for (const auto& machine : machines) {
        const measured_path path(simulate(samples + GetParam() + "/scenario.json", machine));
        EXPECT_EQ(path.sum(), path.cycles);
        EXPECT_EQ(path.times("unexplained"), 0U);
    }
}

TEST_P(critical_path, goes_step_by_step_from_the_start_to_the_end)
{
    const auto file = folder_.path("timeline.json");
    const measured_path path(simulate(samples + GetParam() + "/scenario.json", {"--timeline", file}));
    std::uint64_t cycle = 0;
    std::map<std::string, std::uint64_t> parts;
    for (const auto& step : steps(file)) {
        EXPECT_EQ(step.at("ts").to_number<std::uint64_t>(), cycle);
        const auto cycles = step.at("dur").to_number<std::uint64_t>();
        cycle += cycles;
        parts[std::string(step.at("name").as_string()) + "." + step.at("args").at("stage").as_string().c_str()] +=
            cycles;
    }
    EXPECT_EQ(cycle, path.cycles);
    EXPECT_EQ(parts, path.parts);
}

struct latency_key {
    const char* key;
    unsigned value; ///< default
    const char* reason;
};
constexpr latency_key latencies[] = {
    {"isbe.pipeline_latency", 22, "pipeline_latency"}, {"isbe.write_latency", 22, "write_latency"},
    {"isbe.out_latency", 18, "out_latency"},           {"isbe.al2p_latency", 10, "al2p_latency"},
    {"sm.variable_latency", 20, "variable_latency"},   {"sm.memory_latency", 24, "memory_latency"},
    {"sm.read_release_latency", 8, "read_release"}};

/// Shows that the causes are right: if the path stays the same, a latency that is d cycles longer costs d cycles each
/// time that the path contains it, and nothing if the path does not contain it.
TEST_P(critical_path, gives_the_cost_of_another_latency)
{
    const auto scenario = samples + GetParam() + "/scenario.json";
    const measured_path path(simulate(scenario, {}));
    if (path.cycles > 10'000) GTEST_SKIP() << "long";
    for (const auto& [key, value, reason] : latencies)
        for (const unsigned d : {1U, 5U}) {
            const measured_path longer(
                simulate(scenario, {"--set", key + ("=" + std::to_string(value + d)), "--no-vertices"}));
            if (longer.counts == path.counts) {
                EXPECT_EQ(longer.cycles, path.cycles + d * path.times(reason)) << key;
            }
        }
}

/// Draws of one warp, or of independent warps: a longer latency does not change the path.
class simple_path : public critical_path {};
INSTANTIATE_TEST_SUITE_P(shipped, simple_path,
                         testing::Values("gs_passthrough", "sm75_vs_branches", "vs_branches", "vs_double", "vs_ids",
                                         "vs_loop", "vs_matrix", "vs_text", "vs_transcendental",
                                         "sm75_vs_transcendental"),
                         [](const auto& instance) { return instance.param; });

TEST_P(simple_path, prediction_equals_a_rerun)
{
    const auto scenario = samples + GetParam() + "/scenario.json";
    const measured_path path(simulate(scenario, {}));
    unsigned used = 0;
    for (const auto& [key, value, reason] : latencies) {
        constexpr unsigned d = 4;
        const measured_path longer(simulate(scenario, {"--set", key + ("=" + std::to_string(value + d))}));
        EXPECT_EQ(longer.cycles, path.cycles + d * path.times(reason)) << key;
        if (path.times(reason) != 0) ++used;
    }
    EXPECT_GE(used, 2U);
    // One fetch at the start, and its bytes are a multiple of both.
    EXPECT_EQ(path.times("fetch"), 1U);
    const auto fetch = [&](unsigned bytes) {
        return measured_path(simulate(scenario, {"--set", "pe.fetch_bytes_per_cycle=" + std::to_string(bytes)}));
    };
    const auto fast = fetch(4), slow = fetch(1);
    const auto in_fetch = [](const measured_path& p) {
        std::uint64_t cycles = 0;
        for (const auto& [name, each] : p.parts)
            if (name.rfind("fetch.", 0) == 0) cycles += each;
        return cycles;
    };
    if (slow.counts == fast.counts) {
        EXPECT_EQ(slow.cycles - fast.cycles, in_fetch(slow) - in_fetch(fast));
    }
}

/// A path counted by hand from the rules of time (micro-architecture section 5, models/sm/sm.h): one warp that loads a
/// word, computes with it and stores it.
TEST_F(critical_path, of_a_draw_of_one_warp_is_the_sum_of_its_latencies)
{
    derived_scenario scenario("vs_text");
    scenario.root().erase("expect");
    scenario.root()["attributes"] = {{"0x80", {{"components", 1}, {"words", {"0x3f800000"}}}}};
    scenario.root()["capture"] = json::array{"0x70"};
    scenario.root()["draw"] = {{"topology", "points"}, {"vertex_count", 1}};
    scenario.set_scheduled_stage("vertex",
                                 "ALD R0, a[0x80] &wr=0 ?stall=1 ;\n"
                                 "FADD R0, R0, R0 &req=0x01 ?stall=6 ;\n"
                                 "MUFU.RCP R1, R0 &wr=1 ?stall=1 ;\n"
                                 "AST a[0x70], R1 &req=0x02 &rd=0 ?stall=1 ;\n"
                                 "EXIT &req=0x01 ?stall=15 ;\n",
                                 {{"imap", {"0x80"}}, {"omap", {"0x70"}}});
    const auto result = scenario.run("at");
    ASSERT_EQ(result.status, 0) << result.err;
    const measured_path path(scenario.report());
    const std::map<std::string, std::uint64_t> parts = {
        {"fetch.vertex_input", 1}, // 4 of up to 128 bytes
        // The attribute, the connectivity of the only primitive, BIND: the first is granted a cycle later, each takes a
        // pass, and the last its latency.
        {"grant.vertex_input", 1},
        {"passes.vertex_input", 3},
        {"write_latency.vertex_input", 22},
        {"launch.vertex", 1},
        // ALD and AST, a pass each: to the port, granted, served.
        {"attribute_unit.vertex", 2},
        {"grant.vertex", 2},
        {"passes.vertex", 2},
        {"pipeline_latency.vertex", 22},
        {"write_back.vertex", 1},        // FADD issues in the cycle after the response,
        {"stall_count.vertex", 6},       // MUFU 6 cycles later,
        {"variable_latency.vertex", 20}, // AST when its result is available
        {"write_latency.vertex", 22},    // EXIT has issued long before its response
        {"completion.vertex", 1},
        // The PE reads back from the cycle in which the warp has ended.
        {"grant.vertex_output", 1},
        {"passes.vertex_output", 1},
        {"pipeline_latency.vertex_output", 22}};
    EXPECT_EQ(path.parts, parts);
    EXPECT_EQ(path.cycles, path.sum());
}

/// A load of global memory, and the memory's part of its latency.
TEST_F(critical_path, goes_through_global_memory)
{
    derived_scenario scenario("vs_text");
    scenario.root().erase("expect");
    scenario.root()["attributes"] = {{"0x80", {{"components", 1}, {"words", {"0x0"}}}}};
    scenario.root()["capture"] = json::array{"0x70"};
    scenario.root()["draw"] = {{"topology", "points"}, {"vertex_count", 1}};
    std::ofstream(folder_.path("in.bin")) << "1234";
    scenario.root()["memory"] =
        json::array{json::object{{"address", "0x100000000"}, {"file", folder_.path("in.bin")}, {"size", 64}}};
    scenario.set_stage("vertex",
                       "ALD R4, a[0x80], RZ ;\nMOV32I R5, 0x1 ;\nLDG.E R1, [R4] ;\nLDG.E R2, [R4+0x4] ;\n"
                       "IADD R1, R1, R2 ;\nLDG.E R3, [R1] ;\nAST a[0x70], R1, RZ ;\nEXIT ;\n",
                       {{"imap", {"0x80"}}, {"omap", {"0x70"}}});
    const auto measure = [&](const words& options) {
        const auto result = scenario.run("at", options);
        EXPECT_EQ(result.status, 0) << result.err;
        return measured_path(scenario.report());
    };
    const auto path = measure({});
    EXPECT_EQ(path.times("global_latency"), 1U)
        << "the second one's; the first ends before, no event waits for the third";
    EXPECT_EQ(path.parts.at("global_latency.vertex"), 400U);
    EXPECT_EQ(path.times("global_memory"), 0U);
    const auto farther = measure({"--set", "memory.latency=70"});
    EXPECT_EQ(farther.parts.at("global_memory.vertex"), 70U);
    EXPECT_EQ(farther.cycles, path.cycles + 70);
    EXPECT_EQ(measure({"--set", "sm.global_latency=411"}).cycles, path.cycles + 11);
}

TEST_F(critical_path, is_absent_without_recording)
{
    const auto scenario = samples + "vs_text/scenario.json";
    const auto recorded = simulate(scenario, {});
    for (const auto& off : {words{"--no-critical-path"}, words{"--isbe", "lt"}}) {
        const auto report = simulate(scenario, off);
        EXPECT_EQ(report.if_contains("critical_path"), nullptr);
        if (off.size() == 1) {
            EXPECT_EQ(report.at("cycles"), recorded.at("cycles"));
        }
    }
}

} // namespace
} // namespace isbesim::testbench

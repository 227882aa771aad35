// SPDX-License-Identifier: Apache-2.0
// A trace replays on any machine with the data and errors that were recorded, or is refused.
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "test_paths.h"
#include "testbench/crosscheck/traces/replay_limits.h"
#include "testbench/crosscheck/traces/trace_recorder.h"
#include "testbench/crosscheck/traffic_run.h"
#include "testbench/files/checksum.h"
#include "testbench/system/config.h"
#include "tests/support/repetitions.h"
#include "tests/testbench/process.h"
#include "tests/testbench/report_of.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

const std::string scenarios = ISBESIM_SOURCE_DIR "/testbench/scenarios/";

/// A command that records a trace.
struct source {
    const char* name;
    words command;
};
void PrintTo(const source& row, std::ostream* out) // the name of the test
{
    *out << row.name;
}

const std::vector<source> sources = {
    {"gs_amplify_once", {"run", scenarios + "gs_amplify_once/scenario.json"}},
    {"tess_gs_isolines", {"run", scenarios + "tess_gs_isolines/scenario.json"}},
    {"mesh_shared_hazard", {"run", scenarios + "mesh_shared_hazard/scenario.json"}},
    {"task_mesh_payload_one_port", {"run", scenarios + "task_mesh_payload/scenario.json", "--set", "isbe.ports=1"}},
    {"gs_streams_loosely_timed", {"run", scenarios + "gs_streams/scenario.json", "--isbe", "lt"}},
    {"random_traffic", {"crosscheck", "--isbe", "at", "--transactions", "4000", "--set", "isbe.lines=64"}},
    {"random_traffic_one_port",
     {"crosscheck", "--isbe", "at", "--transactions", "3000", "--set", "isbe.lines=64", "--set", "isbe.ports=1"}},
};

/// Machines that differ only in timing: every trace replays.
const std::vector<words> machines = {
    {},
    {"isbe.banks=8"},
    {"isbe.banks=16"},
    {"isbe.bank_map=rotate"},
    {"isbe.bank_map=xor", "isbe.banks=16"},
    {"isbe.access=line"},
    {"isbe.access=line", "isbe.banks=8"},
    {"isbe.arbitration=fixed_priority"},
    {"isbe.arbitration=fixed_priority", "isbe.banks=8"},
    {"isbe.request_queue_depth=1"},
    {"isbe.request_queue_depth=64"},
    {"isbe.response_queue_depth=1"},
    {"isbe.response_queue_depth=128"},
    {"isbe.request_queue_depth=1", "isbe.response_queue_depth=1"},
    {"isbe.request_queue_depth=64", "isbe.response_queue_depth=128"},
    {"isbe.request_queue_depth=1", "isbe.response_queue_depth=1", "isbe.banks=8", "isbe.access=line"},
    {"isbe.pipeline_latency=2"},
    {"isbe.pipeline_latency=1000"},
    {"isbe.write_latency=2"},
    {"isbe.write_latency=1000"},
    {"isbe.al2p_latency=2"},
    {"isbe.al2p_latency=1000"},
    {"isbe.out_latency=2"},
    {"isbe.out_latency=1000"},
    {"isbe.pipeline_latency=2", "isbe.write_latency=1000"},
    {"isbe.pipeline_latency=1000", "isbe.write_latency=2"},
    {"isbe.pipeline_latency=2", "isbe.write_latency=2", "isbe.al2p_latency=2", "isbe.out_latency=2"},
    {"isbe.pipeline_latency=1000", "isbe.write_latency=1000", "isbe.al2p_latency=1000", "isbe.out_latency=1000"},
    {"isbe.banks=8", "isbe.pipeline_latency=300", "isbe.request_queue_depth=2"},
    {"isbe.banks=16", "isbe.write_latency=300", "isbe.response_queue_depth=2"},
    {"clock_ghz=0.01"},
    {"clock_ghz=3"},
    {"clock_ghz=10", "isbe.banks=8"},
    {"sm_count=4", "warps_per_sm=8"},
};
/// Machines with more or less of a resource: a trace replays if it fits.
const std::vector<words> bounded = {
    {"isbe.lines=8"},     {"isbe.lines=64"},    {"isbe.lines=512"}, {"isbe.lines=8192"}, {"isbe.contexts=1"},
    {"isbe.contexts=16"}, {"isbe.contexts=64"}, {"isbe.ports=1"},   {"isbe.ports=2"},
};

words settings(const words& machine)
{
    words arguments;
    for (const auto& setting : machine) arguments = arguments + words{"--set", setting};
    return arguments;
}

unsigned lines_of(const std::string& text)
{
    return static_cast<unsigned>(std::count(text.begin(), text.end(), '\n'));
}

class recorded : public testing::Test {
protected:
    /// Records a trace; returns the report of the run.
    json::value record(const words& command)
    {
        return report_of(command + words{"--record", trace_}, folder_.path("recorded"));
    }
    process_result replay(const words& arguments)
    {
        return run_isbesim(words{"replay", trace_, "--quiet", "--out", out_} + arguments);
    }
    json::value report() const { return report_in(out_); }
    void expect_refused(const words& arguments, const std::string& why)
    {
        const auto done = replay(arguments);
        EXPECT_EQ(done.status, 2) << done.err;
        EXPECT_EQ(lines_of(done.err), 1U) << done.err;
        EXPECT_EQ(done.err.rfind("isbesim: error: " + trace_ + ":1:", 0), 0U) << done.err;
        EXPECT_NE(done.err.find(why), std::string::npos) << done.err;
    }
    /// Rewrites the trace with changed records.
    void change(const std::function<void(std::uint64_t, trace_record&)>& edit)
    {
        const auto file = open_trace(trace_);
        {
            trace_reader reader(file);
            trace_writer writer(folder_.path("changed"), file.config_json, file.ports, file.loosely_timed);
            for (trace_record record; reader.next(record);) {
                edit(reader.operations() - 1, record);
                writer.write(record);
            }
            writer.close();
        }
        std::filesystem::rename(folder_.path("changed"), trace_);
    }

    const temporary_folder folder_;
    const std::string trace_ = folder_.path("recorded.trace");
    const std::string out_ = folder_.path("out");
};

class every_source : public recorded, public testing::WithParamInterface<source> {};

TEST_P(every_source, replays_with_the_same_data_or_is_refused)
{
    const auto run = record(GetParam().command);
    const auto file = open_trace(trace_);
    const auto expect_played = [&](const words& arguments) {
        const auto now = report();
        EXPECT_EQ(now.at("replay").at("differences").to_number<std::uint64_t>(), 0U);
        EXPECT_EQ(now.at("replay").at("operations").to_number<std::uint64_t>(), file.operations);
        EXPECT_EQ(now.at("result").at("status").as_string(), "done");
        for (const auto* way : {"read", "write"}) // counted by the ISBE, not by the comparison
            EXPECT_EQ(now.at("bandwidth").at(way).at("bytes"), run.at("bandwidth").at(way).at("bytes"));
        EXPECT_EQ(now.at("discarded"), run.at("discarded"));
        EXPECT_EQ(std::find(arguments.begin(), arguments.end(), "--open-loop"), arguments.end());
    };
    for (const auto* backend : {"at", "lt"}) {
        for (std::size_t i = 0; i < machines.size(); ++i) {
            const words arguments = settings(machines[i]) + words{"--isbe", backend};
            SCOPED_TRACE(testing::PrintToString(arguments));
            const auto done = replay(arguments + (i % 4 == 0 ? words{"--check-protocol"} : words{}));
            ASSERT_EQ(done.status, 0) << done.err;
            expect_played(arguments);
        }
    }
    for (const auto& machine : bounded) {
        SCOPED_TRACE(testing::PrintToString(machine));
        const auto done = replay(settings(machine));
        if (done.status == 0) {
            expect_played(machine);
        } else {
            ASSERT_EQ(done.status, 2) << done.err;
            EXPECT_NE(done.err.find("can't be played on this machine: " + machine[0].substr(0, machine[0].find('='))),
                      std::string::npos)
                << done.err;
        }
    }
}
INSTANTIATE_TEST_SUITE_P(replay, every_source, testing::ValuesIn(sources),
                         [](const auto& row) { return std::string(row.param.name); });

/// The records of a replay in this process, which is recorded to `again`.
std::vector<trace_record> replayed(const std::string& path, const std::string& again, const std::string& backend,
                                   bool open_loop)
{
    const auto file = open_trace(path);
    machine_config machine;
    load_config_text(file.config_json, {path, 1, 1}, machine);
    trace_recorder recorder(again, {machine.isbe, file.config_json, true, backend == "lt"});
    traffic_request request;
    request.config = machine.isbe;
    request.backend = backend;
    request.prepare = [&](isbe_module& isbe) { isbe.attach(recorder); };
    const auto outcome = run_replay(request, file, open_loop);
    EXPECT_FALSE(outcome.stuck);
    EXPECT_EQ(outcome.differences, 0U);
    recorder.close();
    std::vector<trace_record> records;
    trace_reader reader(open_trace(again));
    for (trace_record record; reader.next(record);) records.push_back(record);
    return records;
}

class same_machine : public recorded, public testing::WithParamInterface<std::tuple<std::string, std::string, bool>> {};

// A draw's operations never race each other: the PE waits for answers.
TEST_P(same_machine, repeats_every_cycle_of_a_draw)
{
    const auto& [scenario, backend, open_loop] = GetParam();
    record({"run", scenarios + scenario + "/scenario.json", "--isbe", backend, "--set", "isbe.banks=8"});
    const auto now = replayed(trace_, folder_.path("again"), backend, open_loop);
    trace_reader reader(open_trace(trace_));
    std::size_t n = 0;
    for (trace_record was; reader.next(was); ++n) {
        ASSERT_LT(n, now.size());
        ASSERT_EQ(now[n].port, was.port) << n;
        ASSERT_EQ(now[n].request, was.request) << n;
        ASSERT_EQ(now[n].accept, was.accept) << n;
        ASSERT_EQ(now[n].response, was.response) << n;
        ASSERT_EQ(now[n].answer, was.answer) << n;
    }
    EXPECT_EQ(n, now.size());
}
INSTANTIATE_TEST_SUITE_P(
    replay, same_machine,
    testing::Values(std::tuple{"gs_amplify_once", "at", false}, std::tuple{"gs_amplify_once", "at", true},
                    std::tuple{"gs_amplify_once", "lt", false}, std::tuple{"tess_gs_isolines", "at", false},
                    std::tuple{"task_mesh_payload", "at", false}),
    [](const auto& row) {
        return std::get<0>(row.param) + "_" + std::get<1>(row.param) + (std::get<2>(row.param) ? "_open" : "_closed");
    });

class replay_checks : public recorded {};

TEST_F(replay_checks, different_answers_fail_the_run_and_the_first_is_shown)
{
    record(sources[0].command);
    change([](std::uint64_t number, trace_record& record) {
        if (number == 100) record.answer.digest ^= 1;
        if (number == 150) record.answer.status |= lane_status::defaulted;
        if (number == 200) record.answer.error = op_error::illegal_instr_encoding;
    });
    for (const auto& how : {words{}, words{"--isbe", "lt"}, words{"--open-loop"}}) {
        const auto done = replay(how);
        EXPECT_EQ(done.status, 1);
        EXPECT_NE(done.err.find("in 3 of "), std::string::npos) << done.err;
        EXPECT_NE(done.err.find("operation 100 of the trace (port "), std::string::npos) << done.err;
        EXPECT_EQ(report().at("result").at("status").as_string(), "mismatch");
        EXPECT_EQ(report().at("replay").at("differences").to_number<unsigned>(), 3U);
        EXPECT_EQ(report().at("replay").at("open_loop").as_bool(), how == words{"--open-loop"});
    }
}

TEST_F(replay_checks, recorded_dependencies_determine_the_order)
{
    record(sources[5].command);
    change([](std::uint64_t, trace_record& record) { record.after.count = 0; });
    EXPECT_EQ(replay({"--set", "isbe.banks=8"}).status, 1);
    EXPECT_EQ(replay({"--isbe", "lt", "--set", "isbe.banks=8"}).status, 0); // lt replays in the order of the file
}

TEST_F(replay_checks, open_loop_is_labelled_and_fails_where_order_is_lost)
{
    record(sources[0].command);
    const auto done = run_isbesim({"replay", trace_, "--out", out_, "--open-loop", "--set", "isbe.banks=8"});
    EXPECT_EQ(done.status, 1);
    EXPECT_NE(done.out.find("open loop"), std::string::npos);
    EXPECT_NE(done.err.find("open loop"), std::string::npos);
    EXPECT_NE(run_isbesim({"help", "replay"}).out.find("--open-loop"), std::string::npos);
    EXPECT_EQ(replay({"--open-loop"}).status, 0);
}

TEST_F(replay_checks, cycles_on_another_machine_are_an_estimate)
{
    const std::string other = "isbe.pipeline_latency=44";
    for (const auto* draw : {"gs_amplify_once", "mesh_lines", "task_mesh_primitives"}) {
        const auto scenario = scenarios + draw + "/scenario.json";
        record({"run", scenario});
        auto done = run_isbesim({"replay", trace_, "--out", out_});
        EXPECT_EQ(done.out.find("stimate"), std::string::npos) << done.out;
        EXPECT_FALSE(report().as_object().contains("estimate"));

        done = run_isbesim({"replay", trace_, "--out", out_, "--set", other, "--set", "isbe.al2p_latency=11"});
        EXPECT_NE(done.out.find(" cycles (estimate)\nAn estimate (a replay on a machine that differs from the recorded "
                                "one in isbe.pipeline_latency, isbe.al2p_latency), within "),
                  std::string::npos)
            << done.out;
        const auto estimated = report();
        EXPECT_NE(temporary_folder::read(out_ + "/report.md").find(" (estimate) |"), std::string::npos);
        EXPECT_EQ(json::value_to<std::string>(estimated.at("covers").at("cycles")).find("An estimate ("), 0U);

        ASSERT_EQ(run_isbesim({"run", scenario, "--out", out_, "--set", other}).status, 0);
        const auto cycles = report().at("cycles").to_number<double>();
        EXPECT_LE(std::abs(estimated.at("cycles").to_number<double>() / cycles - 1),
                  estimated.at("estimate").at("error").to_number<double>())
            << draw;
    }
}

// A replay sends the recorded requests, with --open-loop in the recorded cycles: the error is unknown for a machine
// that would send other requests.
TEST_F(replay_checks, an_error_is_stated_only_where_it_was_measured)
{
    record({"run", scenarios + "gs_amplify_once/scenario.json", "--set", "isbe.lines=64"});
    const std::vector<std::pair<words, const char*>> ways = {
        {{"--set", "isbe.lines=1024"}, "isbe.lines can change which operations come and when"},
        {{"--set", "isbe.write_latency=23", "--set", "sm.variable_latency=40", "--set", "sm_count=2"},
         "; sm_count, sm.variable_latency can change which"},
        {{"--set", "isbe.pipeline_latency=60", "--open-loop"}, "in their recorded cycles"},
        {{"--set", "isbe.pipeline_latency=60", "--isbe", "lt"}, "in the order of the calls"}};
    for (const auto& [way, why] : ways) {
        SCOPED_TRACE(testing::PrintToString(way));
        const auto done = run_isbesim(words{"replay", trace_, "--out", out_} + way);
        EXPECT_NE(done.out.find(" cycles (estimate)\nAn estimate (a replay on a machine that differs"),
                  std::string::npos);
        EXPECT_NE(done.out.find(why), std::string::npos) << done.out;
        EXPECT_EQ(done.out.find("within"), std::string::npos) << done.out;
        EXPECT_FALSE(report().at("estimate").as_object().contains("error"));
    }
}

// A loosely timed run records other waits than an exact one, so its replay is an estimate on every back end.
TEST_F(replay_checks, a_loosely_timed_recording_gives_estimates)
{
    const auto scenario = scenarios + "task_mesh_payload/scenario.json";
    const auto exact = record({"run", scenario}).at("cycles");
    record({"run", scenario, "--isbe", "lt"});
    for (const auto* backend : {"at", "lt"})
        for (const words& machine : {words{}, {"isbe.pipeline_latency=60"}}) {
            const auto done =
                run_isbesim(words{"replay", trace_, "--isbe", backend, "--out", out_} + settings(machine));
            EXPECT_NE(done.out.find(" cycles (estimate)\nAn estimate ("), std::string::npos) << done.out;
            EXPECT_NE(done.out.find("the recorded waits are those of --isbe lt"), std::string::npos) << done.out;
            EXPECT_FALSE(report().at("estimate").as_object().contains("error"));
            if (machine.empty()) {
                EXPECT_NE(report().at("cycles"), exact);
            }
        }
}

// Machines with more operations in flight than the recorded one, also of more slots, and machines with fewer.
TEST_F(replay_checks, cycles_on_another_machine_are_close_to_those_of_a_run)
{
    const std::vector<words> others = {{"isbe.pipeline_latency=60"},
                                       {"isbe.write_latency=60"},
                                       {"isbe.out_latency=40", "isbe.request_queue_depth=1"},
                                       {"isbe.pipeline_latency=6", "isbe.bank_map=xor"},
                                       {"isbe.banks=8", "isbe.response_queue_depth=4"}};
    share cases;
    for (const auto* draw : {"gs_amplify", "gs_streams", "mesh_terrain", "tess_quads_odd", "vs_output_array"}) {
        const auto scenario = scenarios + draw + "/scenario.json";
        record({"run", scenario, "--no-vertices"});
        for (const auto& other : others) {
            if (cases.skips_next()) continue;
            SCOPED_TRACE(draw + testing::PrintToString(other));
            ASSERT_EQ(replay(settings(other)).status, 0);
            const auto replayed = report().at("cycles").to_number<double>();
            const words again{"run", scenario, "--quiet", "--no-vertices", "--out", out_};
            ASSERT_EQ(run_isbesim(again + settings(other)).status, 0);
            EXPECT_NEAR(replayed / report().at("cycles").to_number<double>(), 1, 0.03);
        }
    }
}

TEST_F(replay_checks, draw_takes_the_recorded_cycles_on_the_same_machine)
{
    const std::vector<std::pair<const char*, words>> draws = {
        {"tess_outputs_of_others", {}},
        {"gs_amplify_once", {"poison=true", "isbe.lines=128"}},
        {"gs_per_instance", {"isbe.ports=1"}},
        {"task_mesh_payload", {"isbe.ports=1", "isbe.response_queue_depth=2"}},
        {"task_mesh_primitives", {"sm.attribute_queue_depth=1", "warps_per_sm=4"}},
        {"gs_instanced", {"scheduler_policy=loose_round_robin", "isbe.arbitration=fixed_priority"}}};
    for (const auto& [draw, machine] : draws) {
        SCOPED_TRACE(draw);
        const auto run = record(words{"run", scenarios + draw + "/scenario.json"} + settings(machine));
        ASSERT_EQ(replay({}).status, 0);
        EXPECT_EQ(report().at("cycles"), run.at("cycles"));
    }
}

TEST_F(replay_checks, a_wait_for_a_later_operation_is_refused)
{
    record(sources[0].command);
    change([](std::uint64_t number, trace_record& record) {
        if (number == 7) record.waits.entries[0] = {9, awaited_event::response, 1};
    });
    expect_refused({}, "operation 7 waits for one at distance 9, expected at most 7");
    expect_refused({"--isbe", "lt"}, "operation 7 waits for one at distance 9, expected at most 7");
}

TEST_F(replay_checks, machines_that_change_the_meaning_of_operations_are_refused)
{
    record(words{"run", scenarios + "gs_amplify_once/scenario.json", "--set", "isbe.lines=512"});
    expect_refused({"--set", "isbe.skew=false"}, "isbe.skew is false, recorded with true");
    expect_refused({"--set", "patch_winner=lowest"}, "patch_winner is lowest, recorded with highest");
    expect_refused({"--set", "isbe.gs_slot_order=blocked"}, "isbe.gs_slot_order is blocked, recorded with interleaved");
    expect_refused({"--set", "isbe.map_byte_swap=true"}, "isbe.map_byte_swap is true, recorded with false");
    expect_refused({"--set", "attribute_default=0xf"}, "attribute_default is 0xf, recorded with 0xe");
    expect_refused({"--set", "position_w_default=0"}, "position_w_default is 0x0");
    expect_refused({"--set", "isbe.lines=8"}, "isbe.lines is 8, recorded with 512");
    expect_refused({"--set", "isbe.contexts=1"}, "isbe.contexts is 1, recorded with 64");
    expect_refused({"--set", "isbe.ports=1"}, "isbe.ports is 1, recorded with 2");
    EXPECT_FALSE(std::filesystem::exists(out_));
}

TEST_F(replay_checks, more_slots_are_refused_if_a_missing_slot_was_bound)
{
    record(words{"crosscheck", "--isbe", "at", "--transactions", "20000", "--set", "isbe.lines=64", "--set",
                 "isbe.contexts=2"});
    expect_refused({"--set", "isbe.contexts=64"}, "isbe.contexts is 64, recorded with 2");
    EXPECT_EQ(replay({"--set", "isbe.contexts=2"}).status, 0);
}

TEST_F(replay_checks, damaged_traces_are_wrong_input)
{
    record(sources[5].command);
    const auto whole = temporary_folder::read(trace_);
    std::mt19937 random(8);
    const auto place = [&] { return random() % whole.size(); };
    for (unsigned i = 0; i < 48; ++i) {
        auto changed = whole;
        switch (i % 4) {
        case 0:
            changed[place()] ^= static_cast<char>(1 + random() % 255);
            break;
        case 1:
            changed.resize(place());
            break;
        case 2:
            changed.insert(place(), 1, static_cast<char>(random()));
            break;
        case 3:
            changed.replace(place(), 8, "ISBETRC3");
            break;
        }
        if (changed == whole) continue;
        std::filesystem::remove(trace_);
        folder_.write("recorded.trace", changed);
        expect_refused({}, ", expected ");
    }
    EXPECT_FALSE(std::filesystem::exists(out_));
}

// A forged trace is played, differs or is refused, but causes no crash and no hang.
TEST_F(replay_checks, forged_traces_end_well)
{
    record(words{"crosscheck", "--isbe", "at", "--transactions", "200", "--set", "isbe.lines=64", "--set",
                 "isbe.contexts=4"});
    const auto whole = temporary_folder::read(trace_);
    std::mt19937 random(9);
    std::array<unsigned, 3> ends{};
    for (unsigned i = 0; i < 60; ++i) {
        auto changed = whole;
        for (unsigned n = 1 + i % 3; n != 0; --n) changed[random() % (whole.size() - 8)] = static_cast<char>(random());
        checksum sum;
        sum.add_bytes(changed.data(), changed.size() - 8);
        for (unsigned k = 0; k < 8; ++k)
            changed[changed.size() - 8 + k] = static_cast<char>(sum.value() >> (8 * k) & 0xff);
        std::filesystem::remove(trace_);
        folder_.write("recorded.trace", changed);
        const auto done = replay(i % 2 == 0 ? words{"--isbe", "lt"} : words{});
        ASSERT_GE(done.status, 0) << i;
        ASSERT_LE(done.status, 2) << i << done.err;
        EXPECT_EQ(lines_of(done.err), done.status == 0 ? 0U : 1U) << done.err;
        ++ends[static_cast<unsigned>(done.status)];
    }
    EXPECT_GT(ends[1], 0U);
    EXPECT_GT(ends[2], 0U);
}

TEST_F(replay_checks, memory_does_not_grow)
{
    const auto peak = [&](const char* transactions) {
        record({"crosscheck", "--isbe", "at", "--transactions", transactions});
        return replay({}).peak_memory_mb;
    };
    const auto small = peak("20000");
    EXPECT_LT(peak("100000"), small + 2);
}

TEST_F(replay_checks, recording_is_labelled_as_the_first_sm)
{
    const auto done = run_isbesim(
        {"run", scenarios + "gs_amplify_once/scenario.json", "--set", "sm_count=3", "--record", trace_, "--out", out_});
    EXPECT_EQ(done.status, 0);
    EXPECT_NE(done.out.find("first SM's ISBE; those of the other 2 SMs are not in it"), std::string::npos) << done.out;
    EXPECT_EQ(replay({}).status, 0);
}

TEST(replay_limits, storage_is_refused_if_a_failed_access_would_succeed)
{
    trace_needs needs;
    needs.storage_bytes = 60 * 128 - 3;
    needs.storage_below = 70 * 128 + 1;
    machine_config recorded;
    recorded.isbe.lines = 64;
    const auto refused = [&](unsigned lines) {
        auto now = recorded;
        now.isbe.lines = lines;
        return why_not_played(needs, recorded, now);
    };
    EXPECT_NE(refused(56).find("isbe.lines is 56, recorded with 64: the trace uses 60 lines"), std::string::npos);
    EXPECT_EQ(refused(60), "");
    EXPECT_EQ(refused(70), "");
    EXPECT_NE(refused(71).find("expected fewer than 71"), std::string::npos);
}

// Only keys that is_free_in_replay lists may differ from the recorded machine's.
TEST(replay_limits, keys_that_must_equal_the_recorded_ones)
{
    words fixed;
    for (const auto& key : config_keys())
        if (!is_free_in_replay(key.name)) fixed.emplace_back(key.name);
    EXPECT_EQ(fixed, (words{"isbe.lines", "isbe.skew", "isbe.ports", "isbe.gs_slot_order", "isbe.map_byte_swap",
                            "isbe.contexts", "attribute_default", "position_w_default", "patch_winner"}));
}

} // namespace
} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
// `isbesim calibrate` as a user runs it.
#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "tests/testbench/process.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

class calibrate_command : public testing::Test {
protected:
    /// A trace of random traffic on a machine; ends the test on failure.
    std::string record(const words& options)
    {
        const auto result = run_isbesim(words{"crosscheck", "--transactions", "3000", "--quiet", "--out",
                                              folder_.path("out"), "--record", folder_.path("trace")} +
                                        options);
        EXPECT_EQ(result.status, 0) << result.err;
        return folder_.path("trace");
    }
    json::value file(const std::string& name) const { return json::parse(folder_.read(folder_.path(name))); }
    static json::object key_of(const json::value& report, const std::string& name)
    {
        for (const auto& each : report.at("keys").as_array())
            if (each.at("key").as_string() == name) return each.as_object();
        return {};
    }

    temporary_folder folder_;
};

TEST_F(calibrate_command, prints_and_writes_its_result)
{
    const auto trace = record({"--isbe", "at", "--rtl", "small"});
    const auto result =
        run_isbesim({"calibrate", trace, "--out", folder_.path("found.json"), "--report", folder_.path("report.json")});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_NE(result.out.find("isbe.pipeline_latency      5            -17"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("explained: every response and every req_ready; the timed model does the same"),
              std::string::npos);
    const auto report = file("report.json");
    EXPECT_EQ(report.at("explained"), true);
    EXPECT_EQ(report.at("unexplained").at("operations"), 0);
    EXPECT_EQ(key_of(report, "isbe.request_queue_depth").at("value"), 2);
    EXPECT_EQ(key_of(report, "isbe.request_queue_depth").at("told"), true);
    EXPECT_EQ(key_of(report, "isbe.banks").at("value"), 8);
    EXPECT_EQ(key_of(report, "isbe.banks").at("difference"), -24);
    // The machine is valid, and the trace on it has the recorded cycles.
    const auto replay = run_isbesim(
        {"replay", trace, "--open-loop", "--config", folder_.path("found.json"), "--out", folder_.path("out")});
    EXPECT_EQ(replay.status, 0) << replay.err;
    const auto again = run_isbesim({"calibrate", trace, "--config", folder_.path("found.json"), "--out", "-"});
    EXPECT_EQ(json::parse(again.out).at("isbe"), file("found.json").at("isbe"));
}

/// The machine's file marks the keys that the traffic does not determine, as --report does.
TEST_F(calibrate_command, machine_marks_undetermined_keys)
{
    const auto trace =
        record({"--isbe", "at", "--set", "isbe.response_queue_depth=128", "--set", "isbe.request_queue_depth=64"});
    const auto marked = [&](const std::vector<std::string>& more) {
        EXPECT_EQ(run_isbesim(words{"calibrate", trace, "--quiet", "--out", folder_.path("found.json"), "--report",
                                    folder_.path("report.json")} +
                              more)
                      .status,
                  0);
        std::size_t open = 0;
        const auto found = file("found.json"), report = file("report.json");
        for (const auto& entry : found.at("isbe").as_object()) {
            const auto key = key_of(report, "isbe." + std::string(entry.key()));
            const bool is_determined = !key.empty() && key.at("told").as_bool();
            EXPECT_EQ(entry.value().is_object(), !is_determined) << entry.key();
            if (is_determined || key.empty()) continue;
            EXPECT_EQ(entry.value().at("value"), key.at("value"));
            EXPECT_NE(std::string(entry.value().at("source").as_string()).find(key.at("fits").as_string().c_str()),
                      std::string::npos)
                << entry.key();
            ++open;
        }
        return open;
    };
    EXPECT_GT(marked({}), 0U); // at least the depth: 128 places never fill up after such a queue
    const auto lines = file("found.json").at("isbe").at("response_queue_depth");
    EXPECT_NE(std::string(lines.at("source").as_string()).find("not determined: "), std::string::npos);
    EXPECT_EQ(file("found.json").at("isbe").at("map_byte_swap").at("source"), "the base's, changes no cycle");
    const auto machine =
        run_isbesim({"replay", trace, "--config", folder_.path("found.json"), "--out", folder_.path("out"), "--quiet"});
    EXPECT_EQ(machine.status, 0) << machine.err;
}

TEST_F(calibrate_command, differences_count_from_the_base)
{
    const auto trace = record({"--isbe", "at", "--set", "isbe.pipeline_latency=24", "--set", "isbe.write_latency=24",
                               "--set", "isbe.al2p_latency=12", "--set", "isbe.out_latency=20"});
    const auto result = run_isbesim({"calibrate", trace});
    ASSERT_EQ(result.status, 0) << result.err;
    for (const char* line : {"isbe.pipeline_latency      24           +2", "isbe.write_latency         24           +2",
                             "isbe.al2p_latency          12           +2", "isbe.out_latency           20           +2",
                             "isbe.request_queue_depth   4\n"})
        EXPECT_NE(result.out.find(line), std::string::npos) << line << "\n" << result.out;
}

TEST_F(calibrate_command, wrong_input_is_named)
{
    const auto trace = record({"--isbe", "at", "--rtl", "smallest"});
    const auto error = [](const std::vector<std::string>& words) {
        const auto result = run_isbesim(words);
        EXPECT_EQ(result.status, 2);
        return result.last_error();
    };
    EXPECT_EQ(error({"calibrate", "/nowhere"}),
              "isbesim: error: /nowhere:1:1: can't be read, expected a trace or a waveform");
    EXPECT_EQ(error({"calibrate", trace, "--scope", "tb"}),
              "isbesim: error: command-line:1:3: --scope and a trace, expected a waveform");
    EXPECT_EQ(error({"calibrate", trace + "x", "--signal", "bogus=x"}),
              "isbesim: error: command-line:1:4: --signal names a pin 'bogus', expected one of isbe_top as req_valid");
    EXPECT_EQ(error({"calibrate", trace, "--signal", "clk"}),
              "isbesim: error: command-line:1:3: --signal and a trace, expected a waveform");
    const auto broken = folder_.write("broken", folder_.read(trace) + "x");
    EXPECT_NE(error({"calibrate", broken}).find("isbesim: error: " + broken + ":1:"), std::string::npos);
    const auto earlier = folder_.write("earlier", "ISBETRC2 and so on, as long as a header of a trace");
    EXPECT_NE(error({"calibrate", earlier}).find("expected format 3 (ISBETRC3): record it again"), std::string::npos);
}

} // namespace
} // namespace isbesim::testbench

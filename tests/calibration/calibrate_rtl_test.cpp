// SPDX-License-Identifier: Apache-2.0
// Waveforms of the RTL, whose pins determine the parameters that it was compiled with.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "test_paths.h"
#include "testbench/calibration/waveform_text.h"
#include "testbench/rtl/rtl_parameters.h"
#include "testbench/system/config.h"
#include "tests/testbench/process.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

/// The value of each key, or the range that the waveform leaves open.
void expect_keys(const json::value& report, const isbe_config& expected)
{
    machine_config machine;
    machine.isbe = expected;
    for (const auto& each : report.at("keys").as_array()) {
        const std::string name = each.at("key").as_string().c_str();
        const auto* key = find_config_key(name);
        const auto value = static_cast<unsigned>(key->get(machine));
        bool fits = false;
        for (const auto& range : each.at("fits_ranges").as_array())
            fits = fits || (range.at(0).to_number<unsigned>() <= value && value <= range.at(1).to_number<unsigned>());
        EXPECT_TRUE(fits) << name << ": " << json::serialize(each);
        if (each.at("told") == true) {
            EXPECT_EQ(each.at("value"), key->json_in(machine)) << name;
        }
    }
}

class calibrate_rtl : public testing::TestWithParam<const char*> {};

TEST_P(calibrate_rtl, parameters_are_read_from_the_pins)
{
    const temporary_folder folder;
    const auto run = run_isbesim({"crosscheck", "--rtl", GetParam(), "--isbe", "rtl", "--transactions", "200", "--wave",
                                  folder.path("pins.fst"), "--out", folder.path("out"), "--quiet"});
    ASSERT_EQ(run.status, 0) << run.err;
    const auto result = run_isbesim({"calibrate", folder.path("pins.fst"), "--report", folder.path("report.json")});
    ASSERT_EQ(result.status, 0) << result.out << result.err;
    const auto report = json::parse(folder.read(folder.path("report.json")));
    EXPECT_EQ(report.at("explained"), true);
    EXPECT_EQ(report.at("unexplained").at("passes"), 0);
    const auto machine = rtl_configuration_of(GetParam());
    expect_keys(report, machine);
    // Even so little traffic determines these.
    for (const auto& each : report.at("keys").as_array())
        for (const char* name : {"isbe.pipeline_latency", "isbe.write_latency", "isbe.out_latency", "isbe.access"})
            if (each.at("key").as_string() == name) {
                EXPECT_EQ(each.at("told"), true) << name;
            }
}

INSTANTIATE_TEST_SUITE_P(waveforms, calibrate_rtl,
                         testing::Values("small", "shallow", "fixed_priority", "by_line", "unskewed"),
                         [](const auto& chosen) { return std::string(chosen.param); });

/// The wires of the timed model have no clock and no ready, and a scope for each port.
TEST(calibrate_rtl_wave, model_wires_determine_the_parameters)
{
    const temporary_folder folder;
    for (const char* name : {"small", "shallow"}) {
        const auto run = run_isbesim({"crosscheck", "--rtl", name, "--isbe", "at", "--transactions", "200", "--wave",
                                      folder.path("pins.fst"), "--out", folder.path("out"), "--quiet"});
        ASSERT_EQ(run.status, 0) << run.err;
        std::ofstream(folder.path("pins.vcd")) << waveform_text(folder.path("pins.fst")).stream().rdbuf();
        for (const char* file : {"pins.fst", "pins.vcd"}) {
            const auto result = run_isbesim({"calibrate", folder.path(file), "--report", folder.path("report.json")});
            ASSERT_EQ(result.status, 0) << result.out << result.err;
            EXPECT_EQ(result.err, "");
            expect_keys(json::parse(folder.read(folder.path("report.json"))), rtl_configuration_of(name));
        }
    }
}

/// Begins in the middle or in a pause, with slots that were bound before: on the RTL's pins and on the model's wires.
TEST(calibrate_rtl_wave, part_of_a_run_determines_the_parameters)
{
    const temporary_folder folder;
    for (const char* isbe : {"rtl", "at"})
        for (const char* cycles : {"50:100000", "300:100000", "650:100000"}) {
            const auto run =
                run_isbesim({"crosscheck", "--rtl", "small", "--isbe", isbe, "--transactions", "600", "--wave",
                             folder.path("pins.fst"), "--wave-cycles", cycles, "--out", folder.path("out"), "--quiet"});
            ASSERT_EQ(run.status, 0) << run.err;
            const auto result =
                run_isbesim({"calibrate", folder.path("pins.fst"), "--report", folder.path("report.json")});
            EXPECT_EQ(result.status, 0) << isbe << cycles << result.out << result.err;
            EXPECT_EQ(result.err.find("without a reset, while requests are under way: read from time ") ==
                          std::string::npos,
                      cycles[0] == '6')
                << result.err;
            EXPECT_NE(result.err.find("operations use context slots that may have been bound before"),
                      std::string::npos);
            EXPECT_NE(result.out.find("explained: every response and every req_ready\n"), std::string::npos);
            expect_keys(json::parse(folder.read(folder.path("report.json"))), rtl_configuration_of("small"));
        }
}

TEST(calibrate_rtl_wave, damaged_file_is_refused)
{
    const temporary_folder folder;
    const auto run = run_isbesim({"crosscheck", "--rtl", "small", "--isbe", "rtl", "--transactions", "50", "--wave",
                                  folder.path("pins.fst"), "--out", folder.path("out"), "--quiet"});
    ASSERT_EQ(run.status, 0) << run.err;
    const auto whole = folder.read(folder.path("pins.fst"));
    const auto error_of = [&](const std::string& bytes) {
        const auto result = run_isbesim({"calibrate", folder.write("damaged.fst", bytes)});
        EXPECT_EQ(result.status, 2) << result.err;
        EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
        return result.err;
    };
    for (unsigned i = 1; i < 16; ++i)
        EXPECT_NE(error_of(whole.substr(0, whole.size() * i / 16)).find("an FST file that is damaged"),
                  std::string::npos);
    // Nothing stays beside it, whatever the library does.
    auto damaged = whole;
    for (std::size_t i = whole.size() / 2; i < whole.size() / 2 + 1000; ++i)
        damaged[i] = static_cast<char>(~damaged[i]);
    error_of(damaged);
    for (const auto& each : std::filesystem::directory_iterator(folder.path()))
        EXPECT_EQ(each.path().string().find("hier_"), std::string::npos) << each.path();
}

TEST(calibrate_rtl_draw, parameters_are_read_from_a_draw)
{
    const temporary_folder folder;
    const auto run =
        run_isbesim({"run", ISBESIM_SOURCE_DIR "/testbench/scenarios/gs_amplify_once/scenario.json", "--isbe", "rtl",
                     "--record", folder.path("trace"), "--out", folder.path("out"), "--quiet"});
    ASSERT_EQ(run.status, 0) << run.err;
    const auto result = run_isbesim({"calibrate", folder.path("trace"), "--set", "isbe.pipeline_latency=40", "--set",
                                     "isbe.banks=8", "--report", folder.path("report.json")});
    ASSERT_EQ(result.status, 0) << result.out << result.err;
    const auto report = json::parse(folder.read(folder.path("report.json")));
    expect_keys(report, isbe_config{});
    for (const auto& each : report.at("keys").as_array()) {
        // Keys that the draw determines do not depend on the base; keys that it never used stay open.
        if (each.at("key") == "isbe.banks") {
            EXPECT_EQ(each.at("value"), 32);
        }
        if (each.at("key") == "isbe.al2p_latency") {
            EXPECT_EQ(each.at("fits"), "2 to 1000");
        }
    }
}

} // namespace
} // namespace isbesim::testbench

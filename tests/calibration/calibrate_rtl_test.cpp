// The RTL's own waveforms: what its pins did tells the parameters that it was compiled with.
#include <cstdio>

#include <gtkwave/fstapi.h>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "test_paths.h"
#include "testbench/rtl/store/rtl_parameters.h"
#include "testbench/system/config.h"
#include "tests/testbench/process.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

/// What `fst2vcd` does, of the pins alone.
void write_pins_as_vcd(const std::string& fst, const std::string& vcd)
{
    void* const from = fstReaderOpen(fst.c_str());
    ASSERT_NE(from, nullptr) << fst;
    std::vector<std::string> scopes;
    std::vector<fstHandle> pins;
    while (const auto* entry = fstReaderIterateHier(from)) {
        if (entry->htyp == FST_HT_SCOPE) scopes.emplace_back(entry->u.scope.name);
        if (entry->htyp == FST_HT_UPSCOPE) scopes.pop_back();
        if (entry->htyp == FST_HT_VAR && scopes == std::vector<std::string>{"rtl"}) pins.push_back(entry->u.var.handle);
    }
    std::FILE* const to = std::fopen(vcd.c_str(), "w");
    ASSERT_NE(to, nullptr) << vcd;
    EXPECT_NE(fstReaderProcessHier(from, to), 0);
    for (const auto pin : pins) fstReaderSetFacProcessMask(from, pin); // behind that call, which clears them
    fstReaderIterBlocks(from, nullptr, nullptr, to);
    std::fclose(to);
    fstReaderClose(from);
}

/// Of each key the value, or the range in which nothing told it.
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
            EXPECT_EQ(each.at("value"), config_value_json(*key, machine)) << name;
        }
    }
}

class calibrate_rtl : public testing::TestWithParam<const char*> {};

TEST_P(calibrate_rtl, its_pins_tell_its_parameters)
{
    const temporary_folder folder;
    const auto run = run_isbesim({"crosscheck", "--rtl", GetParam(), "--isbe", "rtl", "--transactions", "200", "--wave",
                                  folder.path("pins.fst"), "--out", folder.path("out"), "--quiet"});
    ASSERT_EQ(run.status, 0) << run.err;
    write_pins_as_vcd(folder.path("pins.fst"), folder.path("pins.vcd"));
    const auto result = run_isbesim({"calibrate", folder.path("pins.vcd"), "--report", folder.path("report.json")});
    ASSERT_EQ(result.status, 0) << result.out << result.err;
    const auto report = json::parse(folder.read(folder.path("report.json")));
    EXPECT_EQ(report.at("explained"), true);
    EXPECT_EQ(report.at("unexplained").at("passes"), 0);
    const auto machine = rtl_configuration_of(GetParam());
    expect_keys(report, machine);
    // Of so little traffic these are told all the same.
    for (const auto& each : report.at("keys").as_array())
        for (const char* name : {"isbe.pipeline_latency", "isbe.write_latency", "isbe.out_latency", "isbe.access"})
            if (each.at("key").as_string() == name) {
                EXPECT_EQ(each.at("told"), true) << name;
            }
}

INSTANTIATE_TEST_SUITE_P(waveforms, calibrate_rtl,
                         testing::Values("small", "shallow", "fixed_priority", "by_line", "unskewed"));

TEST(calibrate_rtl_draw, a_draw_tells_its_parameters)
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
        // Nothing of the base shows where the draw tells it, and what it never used stays open.
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

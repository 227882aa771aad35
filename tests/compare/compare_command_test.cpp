// SPDX-License-Identifier: Apache-2.0
// `isbesim compare` as a user runs it: a regression in a machine file, refused results, the page.
#include <filesystem>
#include <functional>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "tests/testbench/browser.h"
#include "tests/testbench/process.h"
#include "tests/testbench/report_of.h"
#include "tests/testbench/samples.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;
using options = std::vector<std::string>;

class compare_command : public testing::Test {
protected:
    /// A result in the folder of this name.
    void make(const std::string& name, const options& command) { report_of(command, folder_.path(name)); }
    void draw(const std::string& name, const options& more = {}, const std::string& scenario = "gs_amplify_once")
    {
        make(name, options{"run", samples + scenario} + more);
    }
    process_result compare(const options& names, const options& more = {}) const
    {
        options folders;
        for (const auto& name : names) folders.push_back(folder_.path(name));
        return run_isbesim(options{"compare"} + folders + more + options{"--out", folder_.path("out")});
    }
    json::object report(const std::string& name) const { return report_in(folder_.path(name)); }
    /// The report of `original` with changes, as a result of its own.
    void edit(const std::string& original, const std::string& name, const std::function<void(json::object&)>& change)
    {
        auto changed = report(original);
        change(changed);
        std::filesystem::create_directories(folder_.path(name));
        folder_.write(name + "/report.json", json::serialize(changed));
    }
    json::value comparison() const { return json::parse(temporary_folder::read(folder_.path("out/compare.json"))); }
    std::uint64_t cycles(const std::string& name) const { return report(name).at("cycles").to_number<std::uint64_t>(); }
    void expect_refused(const process_result& result, const std::string& words) const
    {
        EXPECT_EQ(result.status, 2) << words;
        EXPECT_EQ(result.last_error().rfind("isbesim: error: ", 0), 0U) << result.err;
        EXPECT_NE(result.err.find(words), std::string::npos) << result.err;
        EXPECT_FALSE(std::filesystem::exists(folder_.path("out"))) << words;
    }

    temporary_folder folder_;
};

bool has(const std::string& text, const std::string& words)
{
    return text.find(words) != std::string::npos;
}

TEST_F(compare_command, finds_a_regression_in_a_machine_file_and_names_its_reason)
{
    const auto machine = [&](const char* name, const char* latency) {
        return folder_.write(name, std::string(R"({"isbe": {"pipeline_latency": )") + latency + "}}");
    };
    draw("a", {"--config", machine("a.json", "22")});
    draw("b", {"--config", machine("b.json", "26")});
    const auto slower = static_cast<double>(cycles("b")) / static_cast<double>(cycles("a"));
    ASSERT_GT(slower, 1.03);
    ASSERT_LT(slower, 1.04);
    const auto result = compare({"a", "b"}, {"--fail-above", "2%"});
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.last_error(), "isbesim: Failed: B is more than 2 % above A (--fail-above).");
    const auto change = comparison().at("changes").at(0);
    EXPECT_EQ(change.at("cycles").to_number<std::uint64_t>(), cycles("b") - cycles("a"));
    EXPECT_EQ(change.at("cause"), "isbe.pipeline_latency");
    EXPECT_EQ(change.at("critical_path").at("part").as_string().find("pipeline_latency."), 0U);
    EXPECT_TRUE(change.at("stack").at("part").as_string().ends_with(" scoreboard"));
    for (const auto* words : {"Only isbe.pipeline_latency differs (22 and 26 cycles): it is the cause.",
                              "On the critical path pipeline_latency.", "scoreboard grew most"})
        EXPECT_TRUE(has(result.out, words)) << result.out;
    EXPECT_EQ(comparison().at("limit").at("exceeded"), json::array{"B"});
    // Changes of the stacks add up to the change of the cycles, for each resource.
    const auto stacks = comparison().at("stacks").as_object();
    for (const auto& [resource, parts] : stacks) {
        std::int64_t sum = 0;
        for (const auto& [part, values] : parts.as_object())
            sum += values.at(1).to_number<std::int64_t>() - values.at(0).to_number<std::int64_t>();
        EXPECT_EQ(sum, change.at("cycles").to_number<std::int64_t>()) << resource;
    }
    EXPECT_EQ(compare({"a", "b"}, {"--fail-above", "4%"}).status, 0);
    EXPECT_EQ(compare({"b", "a"}, {"--fail-above", "0"}).status, 0); // an improvement
}

TEST_F(compare_command, does_not_choose_between_two_keys)
{
    draw("a");
    draw("b", {"--set", "isbe.pipeline_latency=26", "--set", "isbe.banks=16"});
    const auto result = compare({"a", "b"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_TRUE(has(result.out, "2 of the settings above differ")) << result.out;
    EXPECT_FALSE(has(result.out, "cause")) << result.out;
    for (const auto* words : {"isbe.pipeline_latency        22", "isbe.banks                   32"})
        EXPECT_TRUE(has(result.out, words)) << result.out;
}

TEST_F(compare_command, as_much_as_the_limit_is_not_above_it)
{
    draw("a");
    const auto rated = [&](const char* name, std::uint64_t cycles) {
        edit("a", name, [&](json::object& report) { report["cycles"] = cycles; });
    };
    rated("base", 1000);
    rated("two", 1020);
    rated("more", 1021);
    EXPECT_EQ(compare({"base", "two"}, {"--fail-above", "2%"}).status, 0);
    EXPECT_EQ(compare({"base", "more"}, {"--fail-above", "2%"}).status, 1);
    const auto three = compare({"base", "two", "more"}, {"--fail-above=2", "--quiet"});
    EXPECT_EQ(three.status, 1);
    EXPECT_EQ(three.out, "");
    EXPECT_TRUE(has(three.err, "Failed: C is")) << three.err;
    EXPECT_EQ(compare({"base", "more"}).status, 0);
}

TEST_F(compare_command, estimate_is_labelled_everywhere)
{
    draw("a");
    draw("b", {"--isbe", "lt"});
    const auto result = compare({"a", "b"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_TRUE(has(result.out, "B is an estimate, within 5 % over the shipped draws on such machines, and A is exact"))
        << result.out;
    EXPECT_TRUE(has(result.out, "B (estimate) takes ")) << result.out;
    const auto page = page_in(folder_.path("out/compare.html"));
    const auto parts = json::serialize(page.at("parts"));
    EXPECT_TRUE(has(parts, R"-(,"B (estimate)")-"));
    EXPECT_FALSE(has(parts, R"(,"B")"));
    EXPECT_FALSE(has(parts, R"(,"B - A")"));
    EXPECT_EQ(page.at("data").at("results").at(1).at("label"), "B (estimate)");
    EXPECT_TRUE(comparison().at("stacks").at("isbe0.pass_engine").at("passes").at(1).is_null());
    // The same estimate of two replays: one on the recorded machine, which is exact.
    draw("c", {"--record", folder_.path("trace")});
    make("same", {"replay", folder_.path("trace")});
    make("other", {"replay", folder_.path("trace"), "--set", "isbe.pipeline_latency=40"});
    const auto replays = compare({"same", "other"});
    EXPECT_EQ(replays.status, 0) << replays.err;
    EXPECT_TRUE(has(replays.out, "B is an estimate")) << replays.out;
    EXPECT_FALSE(has(replays.out, "cause")) << replays.out;
    const auto mixed = run_isbesim({"compare", folder_.path("a"), folder_.path("same")});
    EXPECT_EQ(mixed.status, 2);
    EXPECT_TRUE(has(mixed.err, "a draw and traffic straight into an ISBE")) << mixed.err;
}

TEST_F(compare_command, a_point_of_a_sweep_is_a_result)
{
    draw("a");
    draw("b", {"--set", "isbe.banks=16"});
    folder_.write("point.json", json::serialize(json::object{{"status", "done"}, {"report", report("b")}}));
    const auto result = compare({"a", "point.json"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_TRUE(has(result.out, "Only isbe.banks differs (32 and 16 banks)")) << result.out;
}

TEST_F(compare_command, results_that_do_not_go_together_are_refused)
{
    draw("a");
    draw("b", {}, "gs_streams");
    expect_refused(compare({"a", "b"}),
                   "'" + folder_.path("b") + "' is of another draw than '" + folder_.path("a") + "': they differ in ");
    expect_refused(compare({"a", "b"}), "programs.geometry");
    expect_refused(compare({}), "command-line:1:1: no results to compare");
    expect_refused(compare({"a"}), "command-line:1:2: one result to compare");
    expect_refused(compare(std::vector<std::string>(27, "a")), "an argument too many, expected at most 26 of RESULT");
    expect_refused(compare({"a", "none"}), "command-line:1:3: '" + folder_.path("none") + "' does not exist");
    std::filesystem::create_directory(folder_.path("empty"));
    expect_refused(compare({"a", "empty"}), "holds no report.json");
    expect_refused(compare({"a", "a"}, {"--fail-above", "-2%"}), "expected a percentage such as 2% or 0.5%");
    const auto refuse = [&](const std::function<void(json::object&)>& change, const std::string& words) {
        edit("a", "edited", change);
        expect_refused(compare({"a", "edited"}), words);
        expect_refused(compare({"edited", "a"}), folder_.path("edited/report.json") + ":1:");
    };
    refuse([](json::object& r) { r["tool"].as_object()["version"] = "0.0.9"; }, "a result of isbesim 0.0.9, expected");
    refuse([](json::object& r) { r.erase("draw"); }, "no 'draw', which identifies the draw");
    refuse([](json::object& r) { r["config"].as_object()["isbe"].as_object().erase("banks"); }, "no key isbe.banks");
    refuse([](json::object& r) { r["config"].as_object()["more"] = 1; }, "keys that isbesim");
    refuse([](json::object& r) { r["cycles"] = -1; }, "cycles is -1");
    refuse([](json::object& r) { r["of"] = 3; }, "no 'machine' here");
    refuse([](json::object& r) { r["of"].as_object().erase("date"); }, "no 'date' here");
    refuse([](json::object& r) { r["of"].as_object()["changed"] = json::array{1}; }, "changed is");
    refuse([](json::object& r) { r["of"].as_object()["command"] = "isbesim run"; }, "command is");
    refuse([](json::object& r) { r["stacks"].as_object()["isbe0.port0"].as_object()["parts"] = 1; }, "the parts is");
    refuse([](json::object& r) { r["critical_path"].as_object().erase("counts"); }, "no 'counts' here");
    refuse([](json::object& r) { r["estimate"] = json::parse(R"({"of": "cycles", "error": "some"})"); },
           "the error is");
    refuse([](json::object& r) { r["estimate"] = 1; }, "estimate is");
    refuse([](json::object& r) { r["cycles"] = std::uint64_t{1} << 61; }, "cycles is");
    refuse([](json::object& r) { r["profile"] = json::parse(R"({"vertex": [{"pc": 8}]})"); }, "no 'issues' here");
    refuse([](json::object& r) { r = {{"draws", json::array()}}; }, "the draws of a capture");
    refuse([](json::object& r) { r["curve"] = json::object(); }, "a curve of many loads");
    refuse([](json::object& r) { r = {{"tool", json::object()}, {"runs", json::array()}}; }, "many runs of the cross");
    refuse([](json::object& r) { r["result"].as_object()["status"] = "watchdog"; }, "the run ended with 'watchdog'");
    folder_.write("edited/report.json", "[1, 2]");
    expect_refused(compare({"a", "edited"}), "expected an object");
    folder_.write("edited/report.json", "{\"tool\": ");
    expect_refused(compare({"a", "edited"}), "edited/report.json:1:");
    const auto inside = run_isbesim({"compare", folder_.path("a"), folder_.path("a"), "--out", folder_.path("a")});
    EXPECT_EQ(inside.status, 2);
    EXPECT_TRUE(has(inside.err, "holds the results of isbesim run, expected a new or empty folder")) << inside.err;
    EXPECT_EQ(report("a").at("result").at("status"), "done");
}

TEST_F(compare_command, draws_with_other_inputs_are_refused)
{
    draw("a");
    const auto original = json::parse(temporary_folder::read(samples + "gs_amplify_once/scenario.json")).as_object();
    std::filesystem::copy(samples + "gs_amplify_once", folder_.path("draw"));
    const auto refused = [&](const std::function<void(json::object&)>& change, const std::string& words) {
        auto scenario = original;
        scenario.erase("expect");
        change(scenario);
        make("b", {"run", folder_.write("draw/changed.json", json::serialize(scenario))});
        expect_refused(compare({"a", "b"}), "they differ in " + words + ", expected");
    };
    refused([](json::object& s) { s["capture"].as_array().pop_back(); }, "capture");
    refused([](json::object& s) { s["constants"] = json::parse(R"({"3": {"0x0": ["0x00000001"]}})"); }, "constants");
    refused([](json::object& s) { s["attributes"].as_object().begin()->value().as_object()["repeat"] = true; },
            "inputs");
    refused([](json::object& s) { s["draw"].as_object()["vertex_count"] = 60; }, "vertices (75 and 60)");
    refused([](json::object& s) { s["memory"] = json::parse(R"([{"address": "0x1000", "size": 16}])"); }, "memory");
    // The size of the indices that it has.
    const auto make_indexed = [&](const std::string& name, int bytes) {
        auto scenario = original;
        scenario.erase("expect");
        auto& drawn = scenario["draw"].as_object();
        drawn["vertex_count"] = 3;
        drawn["indices"] = {2, 1, 0};
        drawn["index_bytes"] = bytes;
        make(name, {"run", folder_.write("draw/changed.json", json::serialize(scenario))});
    };
    for (const int bytes : {0, 1, 2, 4}) make_indexed(std::to_string(bytes), bytes);
    for (const auto& [one, other] : {std::pair{"0", "1"}, {"0", "2"}, {"0", "4"}, {"1", "2"}, {"1", "4"}, {"2", "4"}})
        expect_refused(compare({one, other}), "they differ in inputs, expected");
    // Neither its folder nor its expected results matter, nor the size of indices that it does not have.
    auto same = original;
    same.erase("expect");
    same["draw"].as_object()["index_bytes"] = 2;
    make("b", {"run", folder_.write("draw/changed.json", json::serialize(same))});
    EXPECT_EQ(compare({"a", "b"}).status, 0);
}

/// TPC 0 of a chip with more TPCs, or with other batches, has other work.
TEST_F(compare_command, a_tpc_that_gets_other_batches_is_refused)
{
    const auto alone = [&](const std::string& name, const std::string& key) {
        draw(name, {"--set", "chip.tpcs=2", "--tpc", "0", "--set", key});
    };
    alone("a", "isbe.banks=32");
    alone("slow", "isbe.banks=16");
    EXPECT_EQ(compare({"a", "slow"}).status, 0);
    std::filesystem::remove_all(folder_.path("out"));
    for (const auto* key : {"chip.gpcs=2", "chip.deal_batches=2", "pe.batch_vertices=16"}) {
        alone("other", key);
        expect_refused(compare({"a", "other"}), "they differ in batches, expected");
    }
}

TEST_F(compare_command, sums_over_other_numbers_of_units_are_no_reason)
{
    draw("one");
    draw("two", {"--set", "chip.tpcs=2"});
    draw("three", {"--set", "chip.gpcs=3", "--set", "isbe.banks=16"});
    for (const options& each : {options{"one", "two"}, {"two", "three"}, {"three", "one"}}) {
        const auto printed = compare(each).out;
        EXPECT_TRUE(has(printed, "Numbers of units differ, whose stacks are no reason: fetch (")) << printed;
        EXPECT_FALSE(has(printed, "In the stacks")) << printed;
    }
    EXPECT_TRUE(has(compare({"two", "three"}).out, "scheduler (8 and 12)"));
    draw("slow", {"--set", "chip.tpcs=2", "--set", "isbe.banks=8"});
    EXPECT_TRUE(has(compare({"two", "slow"}).out, "In the stacks chip.pass_engine passes grew most"));
    // As many TPCs of more SMs each: their schedulers are more, too, and wait for less.
    draw("wide", {"--set", "chip.tpcs=2", "--set", "sm_count=2"});
    const auto wide = compare({"two", "wide"}).out;
    EXPECT_TRUE(has(wide, "scheduler (8 and 16), waiting.geometry (2 and 4)")) << wide;
    EXPECT_FALSE(has(wide, "In the stacks chip.scheduler")) << wide;
    // Warps that no longer wait for one SM because another took them.
    draw("full", {"--set", "isbe.lines=64"});
    draw("shared", {"--set", "isbe.lines=64", "--set", "sm_count=2"});
    EXPECT_FALSE(has(compare({"full", "shared"}).out, "In the stacks pe.sm0.waiting"));
}

TEST_F(compare_command, no_tpc_is_slower_because_it_ends_before_others)
{
    const options chip = {"--set", "chip.tpcs=4", "--set", "pe.batch_vertices=4"};
    auto uneven = chip;
    uneven.insert(uneven.end(), {"--set", "chip.deal_batches=5"});
    draw("even", chip);
    draw("uneven", uneven);
    const auto printed = compare({"even", "uneven"}).out;
    EXPECT_TRUE(has(printed, "Only chip.deal_batches differs")) << printed;
    EXPECT_FALSE(has(printed, "ended grew most")) << printed;
}

/// Operations arrive until the last measured one has its response: how many there are depends on the machine.
TEST_F(compare_command, traffic_must_have_the_same_settings)
{
    const auto traffic = [&](const std::string& name, const options& more) {
        make(name, options{"traffic", "--rate", "0.2", "--operations", "1000"} + more);
    };
    traffic("a", {});
    traffic("slow", {"--set", "isbe.pipeline_latency=60"});
    EXPECT_NE(report("a").at("transactions"), report("slow").at("transactions"));
    traffic("other", {"--handles", "same"});
    EXPECT_EQ(report("a").at("transactions"), report("other").at("transactions"));
    expect_refused(compare({"a", "other"}), "they differ in traffic.handles (sequential and same), expected");
    const auto printed = compare({"a", "slow"});
    EXPECT_TRUE(has(printed.out, "Only isbe.pipeline_latency differs (22 and 60 cycles)"))
        << printed.out << printed.err;
}

TEST_F(compare_command, replaces_its_own_folder_and_no_run_does)
{
    draw("a");
    EXPECT_EQ(compare({"a", "a"}).status, 0);
    EXPECT_EQ(compare({"a", "a"}).status, 0);
    EXPECT_EQ(run_isbesim({"run", samples + "gs_amplify_once", "--out", folder_.path("out")}).status, 2);
    EXPECT_TRUE(std::filesystem::exists(folder_.path("out/compare.json")));
}

TEST_F(compare_command, the_page_needs_nothing_else_and_draws_every_plot)
{
    ISBESIM_NEEDS_BROWSER();
    draw("a", {"--profile"});
    draw("b", {"--set", "isbe.banks=16", "--set", "sm_count=2", "--profile"});
    draw("c", {"--timing", "lt"});
    ASSERT_EQ(compare({"a", "b", "c"}).status, 0);
    const auto page = folder_.path("out/compare.html");
    const auto text = temporary_folder::read(page);
    EXPECT_TRUE(has(text, "whose stacks are no reason: pass_engine (1 and 2), port (2 and 4), scheduler (4 and 8)"));
    for (const auto* elsewhere : {"src=", "href=\"h", "href=\"/", "@import", "url(", "https:"})
        EXPECT_FALSE(has(text, elsewhere)) << elsewhere;
    const auto origin = comparison().at("of");
    EXPECT_EQ(origin.at("command").at(0), "isbesim");
    EXPECT_EQ(origin.at("command").at(1), "compare");
    EXPECT_EQ(comparison().at("results").at(1).at("of"), report("b").at("of"));
    const std::string printed(page_in(page).at("of").as_string());
    EXPECT_TRUE(has(printed, "\nB: Machine default with sm_count 2, isbe.banks 16; back end at; isbesim ")) << printed;
    EXPECT_TRUE(has(printed, "\nC (estimate): Machine default; back end lt, loosely timed; isbesim ")) << printed;
    const auto differs = part_of(page_in(page), "What differs");
    EXPECT_TRUE(differs.at("open").as_bool()) << "stands above the charts";
    EXPECT_TRUE(has(json::serialize(differs), R"(["isbe.banks","32","16","32",)"));
    expect_plots(page, {"stacks", "path", "read", "written", "occupancy", "warps"}, folder_);
    expect_readable(page, folder_);
    // Two results that are the same have no bars to set beside each other.
    ASSERT_EQ(compare({"a", "a"}).status, 0);
    expect_plots(page, {"read", "written", "occupancy", "warps"}, folder_);
    // Estimates have no series.
    ASSERT_EQ(compare({"c", "c"}).status, 0);
    expect_plots(page, {}, folder_);
}

} // namespace
} // namespace isbesim::testbench

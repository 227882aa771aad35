// SPDX-License-Identifier: Apache-2.0
// Draws on chips: the vertices and the work of one TPC, whatever the number of TPCs and of processes.
#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "testbench/analysis/sqlite_file.h"
#include "testbench/figures/figures.h"
#include "tests/support/repetitions.h"
#include "tests/testbench/process.h"
#include "tests/testbench/report_of.h"
#include "tests/testbench/samples.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;
using options = std::vector<std::string>;

class chip : public testing::Test {
protected:
    json::object run(const std::string& scenario, const options& more, const std::string& name = "out")
    {
        return report_of(options{"run", samples + scenario} + more, folder_.path(name));
    }
    std::string text(const std::string& name, const std::string& file) const
    {
        return temporary_folder::read(folder_.path(name) + "/" + file);
    }
    static std::string refusal(const options& words)
    {
        const auto result = run_isbesim(words);
        EXPECT_EQ(result.status, 2);
        return result.last_error();
    }

    temporary_folder folder_;
};

std::uint64_t number(const json::value& value)
{
    return value.to_number<std::uint64_t>();
}

/// Results that do not depend on the number of processes.
const char* const work[] = {"invocations", "instructions", "discarded"};

void expect_the_work_of(const json::object& one, const json::object& chip)
{
    for (const auto* key : work) EXPECT_EQ(one.at(key), chip.at(key)) << key;
    for (const auto* key : {"primitives_in", "fetched_bytes", "vertices_captured"})
        EXPECT_EQ(one.at("output").at(key), chip.at("output").at(key)) << key;
    EXPECT_EQ(one.at("bank_conflicts").at("passes"), chip.at("bank_conflicts").at("passes"));
    EXPECT_EQ(one.at("proxies").at("energy_pj"), chip.at("proxies").at("energy_pj"));
}

/// Scenarios whose draws are long; the others take a fraction of a second.
bool is_long(const std::string& name)
{
    return name == "gs_amplify" || name == "sm75_gs_amplify" || name == "mesh_terrain";
}

TEST_F(chip, gives_the_vertices_and_the_work_of_one_tpc_for_every_scenario)
{
    // Small batches for a machine of one TPC, and what makes a chip of it.
    struct machine {
        options one;
        options chip;
    };
    const machine machines[] = {{{"--set", "pe.batch_vertices=7"}, {"--set", "chip.gpcs=2", "--set", "chip.tpcs=2"}},
                                {{"--set", "pe.batch_indices=9"},
                                 {"--set", "chip.tpcs=3", "--set", "chip.deal_batches=2", "--set",
                                  "chip.gpc_primitives_per_cycle=1", "--set", "chip.deal_order=tpcs_first"}}};
    unsigned pairs = 0, refused = 0;
    share cases;
    for (const auto& entry : std::filesystem::directory_iterator(samples)) {
        const auto name = entry.path().filename().string();
        if (!entry.is_directory() || is_long(name)) continue;
        SCOPED_TRACE(name);
        for (const auto& machine : machines) {
            ++pairs;
            if (cases.skips_next()) continue;
            options words = {"run", samples + name, "--quiet", "--out", folder_.path("chip"), "--jobs", "2"};
            for (const auto* more : {&machine.one, &machine.chip})
                words.insert(words.end(), more->begin(), more->end());
            const auto result = run_isbesim(words);
            if (result.status == 2) {
                EXPECT_NE(result.err.find("program writes to memory"), std::string::npos) << result.err;
                ++refused;
                continue;
            }
            ASSERT_EQ(result.status, 0) << result.err;
            const auto one = run(name, machine.one, "one");
            EXPECT_TRUE(text("one", "vertices.csv") == text("chip", "vertices.csv"));
            expect_the_work_of(one, json::parse(text("chip", "report.json")).as_object());
        }
    }
    EXPECT_GT(pairs, 80U);
    EXPECT_EQ(refused, 0U); // no shipped program does
}

TEST_F(chip, is_the_same_to_the_byte_for_any_number_of_processes)
{
    const options machine = {"--set",     "chip.gpcs=2", "--set", "chip.tpcs=3",
                             "--set",     "sm_count=2",  "--set", "chip.primitives_per_cycle=2",
                             "--profile", "--every",     "100"};
    for (const std::string scenario : {"tess_quads_odd", "gs_streams"}) {
        std::vector<std::string> reports;
        for (const std::string jobs : {"1", "2", "5"}) {
            auto words = machine;
            words.insert(words.end(), {"--jobs", jobs});
            auto report = run(scenario, words, jobs);
            for (const auto* key : {"host", "of"}) report.erase(key);
            reports.push_back(json::serialize(report));
        }
        EXPECT_EQ(reports[0], reports[1]);
        EXPECT_EQ(reports[0], reports[2]);
        for (const auto* file : {"vertices.csv", "windows.csv"}) {
            EXPECT_EQ(text("1", file), text("2", file)) << file;
            EXPECT_EQ(text("1", file), text("5", file)) << file;
        }
    }
}

TEST_F(chip, adds_up_over_its_tpcs)
{
    const auto report = run("gs_amplify_once", {"--set", "chip.gpcs=2", "--set", "chip.tpcs=2", "--set",
                                                "pe.batch_vertices=4", "--set", "chip.primitives_per_cycle=1"});
    const auto cycles = number(report.at("cycles"));
    std::uint64_t batches = 0, primitives = 0, longest = 0, front_end = 0;
    for (const auto& tpc : report.at("tpcs").as_array()) {
        batches += number(tpc.at("batches"));
        primitives += number(tpc.at("primitives"));
        longest = std::max(longest, number(tpc.at("cycles")));
        front_end += number(tpc.at("front_end"));
    }
    EXPECT_EQ(longest, cycles);
    EXPECT_EQ(batches, number(report.at("chip").at("batches")));
    EXPECT_EQ(primitives, number(report.at("output").at("primitives_in")));
    EXPECT_EQ(report.at("per_instance").as_array().size(), 4U);
    unsigned peaks = 0;
    for (const auto& figure : figures()) {
        if (figure.merge != merge_rule::at_once) continue; // nothing observes all TPCs at once
        EXPECT_FALSE(report.at(figure.section).as_object().contains(figure.path)) << figure.key();
        EXPECT_TRUE(report.at("per_instance").at(0).at(figure.section).as_object().contains(figure.path));
        ++peaks;
    }
    EXPECT_GT(peaks, 1U);
    const auto& stacks = report.at("stacks").as_object();
    EXPECT_EQ(number(stacks.at("chip.fetch").at("cycles")), 4 * cycles);
    EXPECT_EQ(number(stacks.at("chip.fetch").at("parts").at("front_end")), front_end);
    EXPECT_EQ(number(stacks.at("chip.scheduler").at("cycles")), 16 * cycles);
    for (const auto& entry : stacks) {
        std::uint64_t sum = 0;
        for (const auto& part : entry.value().at("parts").as_object()) sum += number(part.value());
        EXPECT_EQ(sum, number(entry.value().at("cycles"))) << entry.key();
    }
    std::uint64_t path = 0;
    for (const auto& part : report.at("critical_path").at("parts").as_object()) path += number(part.value());
    EXPECT_EQ(path, cycles);
    for (const auto& part : report.at("critical_path").at("parts").as_object())
        EXPECT_EQ(std::string(part.key()).find("unexplained"), std::string::npos);
}

/// Sum of a column over the rows of windows.csv that `of` accepts.
std::uint64_t column_sum(const std::string& csv, const std::string& name, const std::string& tpc)
{
    std::istringstream rows(csv);
    std::string row;
    std::getline(rows, row);
    const auto cells = [](const std::string& line) {
        std::istringstream stream(line);
        options all;
        for (std::string cell; std::getline(stream, cell, ',');) all.push_back(cell);
        return all;
    };
    const auto titles = cells(row);
    const auto place = std::find(titles.begin(), titles.end(), name) - titles.begin();
    std::uint64_t sum = 0;
    while (std::getline(rows, row))
        if (const auto all = cells(row); tpc.empty() || all.front() == tpc)
            sum += std::stoull(all.at(static_cast<std::size_t>(place)));
    return sum;
}

TEST_F(chip, has_windows_of_its_tpcs_and_one_profile_which_add_up)
{
    const options batches = {"--set", "pe.batch_vertices=4", "--profile"};
    auto words = batches;
    words.insert(words.end(), {"--set", "chip.gpcs=2", "--set", "chip.tpcs=2", "--every", "64"});
    const auto report = run("gs_amplify_once", words);
    const auto csv = text("out", "windows.csv");
    EXPECT_EQ(csv.rfind("tpc,first,cycles,", 0), 0U);
    EXPECT_EQ(column_sum(csv, "output.primitives_in", ""), number(report.at("output").at("primitives_in")));
    EXPECT_EQ(column_sum(csv, "bank_conflicts.passes", ""), number(report.at("bank_conflicts").at("passes")));
    const auto& tpcs = report.at("tpcs").as_array();
    for (std::size_t t = 0; t < tpcs.size(); ++t) {
        const auto name = std::to_string(t);
        EXPECT_EQ(column_sum(csv, "cycles", name), number(tpcs[t].at("cycles"))) << name;
        EXPECT_EQ(column_sum(csv, "output.primitives_in", name), number(tpcs[t].at("primitives"))) << name;
    }
    // The work of each instruction is that of one TPC with the same batches; its waits are its own.
    const auto one = run("gs_amplify_once", batches);
    const auto& lines_of_one = one.at("profile").as_object();
    ASSERT_EQ(report.at("profile").as_object().size(), lines_of_one.size());
    for (const auto& [stage, lines] : report.at("profile").as_object()) {
        const auto& expected = lines_of_one.at(stage).as_array();
        ASSERT_EQ(lines.as_array().size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i)
            for (const auto* key : {"pc", "issues", "passes", "bank_conflict"})
                EXPECT_EQ(number(lines.as_array()[i].at(key)), number(expected[i].at(key))) << stage << " " << i << key;
    }
}

std::uint64_t cycles_of_histogram(const json::object& window, const char* name)
{
    std::uint64_t cycles = 0;
    for (const auto& bin : window.at("histograms").at(name).as_array()) cycles += number(bin.at(2));
    return cycles;
}

TEST_F(chip, has_the_figures_of_a_window_which_add_up)
{
    const options batches = {"--set", "pe.batch_vertices=4", "--set", "chip.tpcs=4", "--set", "sm_count=2", "--cycles"};
    const auto window = [&](const std::string& cycles, const std::string& jobs) {
        auto words = batches;
        words.insert(words.end(), {cycles, "--jobs", jobs});
        return run("gs_amplify_once", words);
    };
    const auto whole = window("0:999999", "1");
    const auto& all = whole.at("window").as_object();
    const auto cycles = number(whole.at("cycles"));
    EXPECT_EQ(number(all.at("last")), cycles - 1);
    EXPECT_EQ(all.at("stacks"), whole.at("stacks"));
    for (const auto* key :
         {"invocations", "instructions", "latency", "bandwidth", "bank_conflicts", "discarded", "stalls", "histograms"})
        EXPECT_EQ(all.at(key), whole.at(key)) << key;

    // The second one begins when some TPCs have ended.
    std::uint64_t first_end = cycles;
    for (const auto& tpc : whole.at("tpcs").as_array()) first_end = std::min(first_end, number(tpc.at("cycles")));
    ASSERT_LT(first_end + 5, cycles);
    const auto cut = std::to_string(first_end + 4);
    const auto early = window("0:" + cut, "2").at("window").as_object();
    const auto late = window(std::to_string(first_end + 5) + ":999999", "3").at("window").as_object();
    EXPECT_EQ(number(early.at("last")) + 1, number(late.at("first")));
    for (const auto* key : {"accesses", "passes"})
        EXPECT_EQ(number(early.at("bank_conflicts").at(key)) + number(late.at("bank_conflicts").at(key)),
                  number(all.at("bank_conflicts").at(key)));
    EXPECT_EQ(cycles_of_histogram(early, "warps") + cycles_of_histogram(late, "warps"),
              cycles_of_histogram(all, "warps"));
    EXPECT_EQ(number(early.at("output").at("primitives_in")) + number(late.at("output").at("primitives_in")),
              number(all.at("output").at("primitives_in")));
    for (const auto& [name, stack] : all.at("stacks").as_object()) {
        std::uint64_t parts = 0;
        for (const auto& [part, value] : late.at("stacks").at(name).at("parts").as_object()) {
            const auto& before = early.at("stacks").at(name).at("parts").at(part);
            EXPECT_EQ(number(before) + number(value), number(stack.at("parts").at(part))) << name << " " << part;
            parts += number(value);
        }
        EXPECT_EQ(parts, number(late.at("stacks").at(name).at("cycles"))) << name;
    }
    EXPECT_FALSE(window(std::to_string(cycles) + ":999999", "1").contains("window"));
}

TEST_F(chip, what_if_reruns_the_chip)
{
    // The chip with another value of a key.
    const auto chip_with = [](const std::string& other) {
        const auto key = other.substr(0, other.find('='));
        options words;
        for (const std::string own : {"pe.batch_vertices=3", "chip.tpcs=2", "chip.primitives_per_cycle=2"})
            if (own.substr(0, own.find('=')) != key) words.insert(words.end(), {"--set", own});
        if (!other.empty()) words.insert(words.end(), {"--set", other});
        return words;
    };
    auto words = chip_with("");
    words.insert(words.end(), {"--what-if", "--jobs", "2"});
    const auto report = run("vs_ids", words);
    std::map<std::string, json::object> changes;
    for (const auto& change : report.at("what_if").at("changes").as_array()) {
        const auto& step = change.at("steps").at(0);
        changes[std::string(step.at("key").as_string()) + "=" + std::to_string(number(step.at("to")))] =
            change.as_object();
    }
    for (const std::string key : {"chip.tpcs=1", "chip.tpcs=4", "chip.gpcs=2", "chip.primitives_per_cycle=1",
                                  "chip.primitives_per_cycle=4", "isbe.banks=16", "sm_count=2"}) {
        SCOPED_TRACE(key);
        const auto direct = run("vs_ids", chip_with(key), "there");
        ASSERT_EQ(changes.count(key), 1U);
        EXPECT_EQ(changes[key].at("cycles"), direct.at("cycles"));
        EXPECT_EQ(changes[key].at("energy_pj"), direct.at("proxies").at("energy_pj"));
        const auto& area = direct.at("proxies").at("area").at("mm2");
        EXPECT_EQ(changes[key].contains("area_mm2"), area != report.at("proxies").at("area").at("mm2"));
        if (changes[key].contains("area_mm2")) {
            EXPECT_EQ(changes[key].at("area_mm2"), area);
        }
    }
    EXPECT_EQ(changes.count("chip.gpc_primitives_per_cycle=0"), 0U); // no limit already
}

TEST_F(chip, of_one_tpc_deals_nothing)
{
    const auto plain = run("gs_adjacency", {});
    EXPECT_FALSE(plain.contains("chip"));
    // Neither the order of turns nor how many batches a turn has matter then.
    const auto same = run("gs_adjacency", {"--set", "chip.deal_batches=3", "--set", "chip.deal_order=tpcs_first"});
    for (const auto* key : {"cycles", "stacks", "critical_path", "per_instance", "series"})
        EXPECT_EQ(plain.at(key), same.at(key)) << key;
}

/// Every batch of points takes as long as any other, and no TPC waits for another: a TPC that gets fewer of them ends
/// sooner; none ends before the front end has dealt its last one.
TEST_F(chip, is_not_slower_with_more_tpcs_and_not_faster_than_its_front_end)
{
    std::uint64_t before = ~std::uint64_t{0};
    for (const std::string tpcs : {"1", "2", "4", "8", "16"}) {
        const auto report = run("vs_ids", {"--set", "chip.tpcs=" + tpcs, "--set", "pe.batch_vertices=3"});
        const auto cycles = number(report.at("cycles"));
        EXPECT_LE(cycles, before) << tpcs;
        before = cycles;
        const auto limited = run("vs_ids", {"--set", "chip.tpcs=" + tpcs, "--set", "pe.batch_vertices=3", "--set",
                                            "chip.primitives_per_cycle=1"});
        EXPECT_GE(number(limited.at("cycles")), number(limited.at("output").at("primitives_in")));
        EXPECT_GE(number(limited.at("cycles")), cycles);
    }
}

/// Twice the lanes, rates, caches, GPCs and TPCs, half the costs, one by one, on a chip with all limits.
TEST_F(chip, more_of_a_resource_costs_at_most_two_percent)
{
    const std::map<std::string, double> machine = {{"chip.gpcs", 2},
                                                   {"chip.tpcs", 2},
                                                   {"chip.primitives_per_cycle", 2},
                                                   {"sm.fp32_lanes", 8},
                                                   {"sm.integer_lanes", 8},
                                                   {"sm.multiply_lanes", 4},
                                                   {"sm.special_lanes", 4},
                                                   {"sm.load_store_lanes", 4},
                                                   {"memory.l1_bytes", 1024},
                                                   {"memory.l2_bytes", 4096},
                                                   {"memory.l1_bytes_per_cycle", 32},
                                                   {"memory.l2_bytes_per_cycle", 16},
                                                   {"memory.dram_bytes_per_cycle", 6},
                                                   {"chip.gpc_primitives_per_cycle", 0.3},
                                                   {"chip.gpc_setups_per_cycle", 0.2},
                                                   {"pe.vertices_per_cycle", 0.5},
                                                   {"pe.geometry_threads_per_cycle", 0.3},
                                                   {"pe.fetch_bytes_per_cycle", 16}};
    const std::map<std::string, double> costs = {{"chip.draw_cycles", 50},      {"chip.instance_cycles", 8},
                                                 {"chip.index_cycles", 1},      {"chip.restart_cycles", 4},
                                                 {"chip.gpc_batch_cycles", 20}, {"memory.l2_latency", 150},
                                                 {"memory.dram_latency", 300}};
    const auto cycles = [&](const std::string& scenario, const std::string& better) {
        options words{"--set", "memory.model=hierarchy", "--set", "pe.consumer=rasteriser",
                      "--set", "pe.batch_vertices=8"};
        const auto set = [&](const std::string& key, double value) {
            words.insert(words.end(), {"--set", key + "=" + std::to_string(value)});
        };
        for (const auto& [key, value] : machine) set(key, key == better ? 2 * value : value);
        for (const auto& [key, value] : costs) set(key, key == better ? value / 2 : value);
        return static_cast<double>(number(run(scenario, words).at("cycles")));
    };
    share cases;
    for (const std::string scenario : {"gs_amplify_once", "vs_ids", "vs_transcendental", "gs_instanced"}) {
        const auto before = cycles(scenario, "");
        for (const auto* keys : {&machine, &costs})
            for (const auto& [key, value] : *keys) {
                if (cases.skips_next()) continue;
                EXPECT_LE(cycles(scenario, key), 1.02 * before) << scenario << " " << key << " " << value;
            }
    }
}

/// The limits after the stages, which count output primitives: with various ratios of output to input.
TEST_F(chip, limits_the_primitives_that_leave)
{
    for (const std::string scenario : {"gs_amplify_once", "vs_ids"}) {
        const auto report = run(scenario, {"--set", "chip.gpcs=2", "--set", "chip.tpcs=3", "--set",
                                           "pe.batch_vertices=4", "--set", "chip.gpc_primitives_per_cycle=0.125"});
        const auto primitives = number(report.at("output").at("primitives_out_stream_0"));
        const auto cycles = number(report.at("cycles"));
        EXPECT_GE(cycles * 2, primitives * 8) << scenario; // an eighth per cycle and GPC
        EXPECT_LE(static_cast<double>(cycles), 1.5 * static_cast<double>(primitives) * 8 / 2 + 1000) << scenario;
    }
}

TEST_F(chip, has_a_page_with_tpcs_over_time)
{
    const auto report = run("gs_amplify_once", {"--set", "chip.tpcs=2", "--set", "pe.batch_vertices=4"});
    EXPECT_EQ(report.at("series").at("tpc_warps").as_array().size(), 2U);
    EXPECT_NE(text("out", "report.md").find("\n## TPCs\n"), std::string::npos);
    EXPECT_NE(text("out", "report.html").find("\"tpc_warps\":"), std::string::npos);
    EXPECT_EQ(std::string(report.at("bottleneck").as_string()).rfind("TPC ", 0), 0U);
}

TEST_F(chip, states_the_verdict_once_and_then_the_tpc)
{
    const auto request = R"({"id": 1, "max_cycles": 50, "set": {"chip.tpcs": 2}, "scenario": ")" + samples;
    process_place place;
    place.input =
        folder_.write("requests", request + "gs_adjacency\"}\n" + request +
                                      R"(gs_adjacency", "options": ["--tpc=1", "--set=pe.batch_vertices=6"]})");
    std::istringstream answers(run_isbesim({"serve", "--jobs", "1"}, place).out);
    for (const std::string part : {"TPC 0", "TPC 1 alone"}) {
        std::string line;
        ASSERT_TRUE(std::getline(answers, line));
        EXPECT_EQ(json::parse(line).at("status").as_string(),
                  "watchdog: the draw is not over after 50 cycles (" + part + ")");
    }
}

TEST_F(chip, runs_loosely_timed_and_is_served)
{
    const auto exact = run("gs_adjacency", {"--set", "chip.tpcs=2", "--set", "pe.batch_vertices=6"}, "at");
    const auto loose =
        run("gs_adjacency", {"--set", "chip.tpcs=2", "--set", "pe.batch_vertices=6", "--timing", "lt"}, "lt");
    EXPECT_EQ(text("at", "vertices.csv"), text("lt", "vertices.csv"));
    EXPECT_FALSE(loose.contains("stacks"));
    process_place place;
    const auto request = R"({"id": 1, "scenario": ")" + samples +
                         R"(gs_adjacency/scenario.json", "set": {"chip.tpcs": 2, "pe.batch_vertices": 6}})" + "\n";
    place.input = folder_.write("requests", request);
    const auto answer = json::parse(run_isbesim({"serve", "--jobs", "1"}, place).out).as_object();
    EXPECT_EQ(answer.at("status").as_string(), "done");
    EXPECT_EQ(answer.at("cycles"), exact.at("cycles"));
}

std::uint64_t first_value(const std::string& database, const char* query)
{
    sqlite_file file(database);
    return static_cast<std::uint64_t>(file.integer(query));
}

/// Each TPC alone is what it is on the chip: their databases add up to the chip's report.
TEST_F(chip, has_databases_of_its_tpcs_which_add_up)
{
    const options machine = {"--set", "pe.batch_vertices=4", "--set", "chip.gpcs=2",
                             "--set", "chip.tpcs=2",         "--set", "chip.primitives_per_cycle=1"};
    const auto whole = run("gs_amplify_once", machine);
    std::uint64_t passes = 0, threads = 0, stalls = 0;
    for (unsigned tpc = 0; tpc < 4; ++tpc) {
        SCOPED_TRACE(tpc);
        const auto database = folder_.path("run.sqlite");
        auto words = machine;
        words.insert(words.end(), {"--tpc", std::to_string(tpc), "--database", database, "--timeline",
                                   folder_.path("time.json"), "--kanata", folder_.path("warps.kanata")});
        const auto one = run("gs_amplify_once", words, "one");
        const auto& there = whole.at("tpcs").at(tpc);
        EXPECT_EQ(one.at("cycles"), there.at("cycles"));
        EXPECT_EQ(number(one.at("output").at("primitives_in")), number(there.at("primitives")));
        EXPECT_EQ(first_value(database, "SELECT count(*) FROM batches"), number(there.at("batches")));
        EXPECT_FALSE(std::filesystem::exists(folder_.path("one/vertices.csv")));
        EXPECT_EQ(one.at("draw").at("tpc"), tpc); // other work than the chip's: `compare` refuses it
        const auto compared = run_isbesim({"compare", folder_.path("out"), folder_.path("one"), "--out", "none"});
        EXPECT_NE(compared.err.find("they differ in tpc (none and " + std::to_string(tpc) + ")"), std::string::npos)
            << compared.err;
        if (number(whole.at("cycles")) == number(there.at("cycles"))) {
            EXPECT_EQ(one.at("critical_path"), whole.at("critical_path"));
        }
        passes += first_value(database, "SELECT sum(passes) FROM transactions");
        threads += first_value(database, "SELECT sum(threads) FROM warps");
        stalls += first_value(database, "SELECT sum(cycles) FROM stalls WHERE reason = 'scoreboard'");
    }
    EXPECT_EQ(passes, number(whole.at("stacks").at("chip.pass_engine").at("parts").at("passes")));
    EXPECT_EQ(stalls, number(whole.at("stacks").at("chip.scheduler").at("parts").at("scoreboard")));
    std::uint64_t launched = 0;
    for (const auto& stage : whole.at("invocations").as_object()) launched += number(stage.value());
    EXPECT_EQ(threads, launched);
}

TEST_F(chip, options_for_one_machine_are_refused)
{
    const options chip_words = {"run", samples + "gs_adjacency", "--out", folder_.path("out"), "--set", "chip.tpcs=2"};
    for (const auto& more : std::vector<options>{{"--record", folder_.path("trace")},
                                                 {"--timeline", folder_.path("time.json")},
                                                 {"--database", folder_.path("run.sqlite")}}) {
        EXPECT_NE(refusal(chip_words + more)
                      .find(more[0] + " with a chip of 2 TPCs, expected also --tpc N: one of them alone"),
                  std::string::npos);
    }
    const auto refused_with = [&](const options& more) { return refusal(chip_words + more); };
    EXPECT_NE(refused_with({"--tpc", "2"}).find("expected less than chip.gpcs x chip.tpcs = 2"), std::string::npos);
    EXPECT_NE(refused_with({"--tpc", "1", "--what-if"}).find("expected the whole chip"), std::string::npos);
    EXPECT_NE(refusal({"run", samples + "gs_adjacency", "--tpc", "0"}).find("--tpc on a machine of one TPC"),
              std::string::npos);
    EXPECT_NE(refusal({"run", samples + "gs_adjacency", "--out", folder_.path("out"), "--jobs", "2"}).find("--jobs"),
              std::string::npos);
}

/// Processes have copies of the memory: what a program reads there is the same for all, what it writes would be lost.
TEST_F(chip, lets_programs_read_memory_and_not_write_it)
{
    const auto scenario =
        folder_.write("scenario.json", R"({"arch": "sm50", "draw": {"topology": "points", "vertex_count": 9},
        "stages": {"vertex": {"code": "vs.sass", "sph": {"imap": ["0x80"], "omap": ["0x70"]}}},
        "attributes": {"0x80": {"components": 1, "repeat": true, "words": [7]}}, "capture": ["0x70"],
        "memory": [{"address": "0x100000000", "size": 64}]})");
    const std::string begin = "MOV32I R4, 0x0 ?stall=6 ;\nMOV32I R5, 0x1 ?stall=6 ;\n"
                              "LDG.E R1, [R4] &wr=0 ?stall=2 ;\nAST a[0x70], R1 &req=0x01 &rd=1 ?stall=2 ;\n";
    const std::string end = "EXIT &req=0x02 ?stall=15 ;\n";
    const options words = {"run", scenario, "--quiet", "--out", folder_.path("out"), "--set", "chip.tpcs=2"};
    folder_.write("vs.sass", begin + end);
    const auto read = run_isbesim(words);
    EXPECT_EQ(read.status, 0) << read.err;
    for (const std::string store : {"STG.E [R4], R1", "RED.E.ADD [R4], R1"}) {
        folder_.write("vs.sass", begin + store + " &rd=1 ?stall=2 ;\n" + end);
        const auto text = refusal(words);
        EXPECT_NE(text.find("command-line:1:7: the vertex program writes to memory (" +
                            store.substr(0, store.find('.')) + ")"),
                  std::string::npos)
            << text;
        EXPECT_NE(text.find("expected chip.gpcs=1 and chip.tpcs=1"), std::string::npos) << text;
    }
}

} // namespace
} // namespace isbesim::testbench

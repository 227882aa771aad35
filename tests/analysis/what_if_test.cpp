// SPDX-License-Identifier: Apache-2.0
// The cycles of a draw on machines that differ in one or two keys: `run --what-if`.
#include "testbench/report/what_if.h"

#include <algorithm>
#include <map>
#include <random>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "testbench/files/json_text.h"
#include "testbench/report/assumptions.h"
#include "testbench/system/config.h"
#include "testbench/what_if/machine_changes.h"
#include "tests/testbench/process.h"
#include "tests/testbench/report_of.h"
#include "tests/testbench/samples.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;
using settings = std::vector<std::string>;

struct what_if_case {
    const char* draw;
    const char* machine_name;
    settings machine;
};

class what_if : public testing::TestWithParam<what_if_case> {
protected:
    std::string scenario_file() const { return samples + GetParam().draw + "/scenario.json"; }
    /// The figures of a run on the machine with these keys set in addition.
    json::object report(const settings& options, const std::map<std::string, std::string>& keys = {}) const
    {
        settings words = {"run", scenario_file(), "--no-vertices"};
        for (const auto& setting : GetParam().machine)
            if (keys.count(setting.substr(0, setting.find('='))) == 0) words.insert(words.end(), {"--set", setting});
        for (const auto& [key, value] : keys) words.insert(words.end(), {"--set", key + "=" + value});
        return report_of(words + options, folder_.path("out"));
    }

    temporary_folder folder_;
};

const settings no_room = {"isbe.ports=1",
                          "isbe.request_queue_depth=1",
                          "isbe.response_queue_depth=2",
                          "sm.attribute_queue_depth=1",
                          "schedulers_per_sm=1",
                          "isbe.contexts=4",
                          "isbe.banks=8"};
const settings two_sms = {"sm_count=2", "pe.buffers=alpha_beta", "pe.fetch_bytes_per_cycle=4"};
const settings few_lines = {"isbe.lines=64"};
const settings unskewed = {"isbe.skew=false", "isbe.bank_map=rotate", "isbe.lines=256", "isbe.banks=16"};

INSTANTIATE_TEST_SUITE_P(
    draws, what_if,
    testing::Values(
        what_if_case{"vs_sixteen_vectors", "default", {}}, what_if_case{"vs_sixteen_vectors", "no_room", no_room},
        what_if_case{"gs_pass", "default", {}}, what_if_case{"gs_pass", "no_room", no_room},
        what_if_case{"gs_pass", "two_sms", two_sms}, what_if_case{"gs_amplify_once", "unskewed", unskewed},
        what_if_case{"gs_instanced", "no_room", no_room}, what_if_case{"tess_outputs_of_others", "two_sms", two_sms},
        what_if_case{"tess_quads_odd", "unskewed", unskewed}, what_if_case{"mesh_terrain", "default", {}},
        what_if_case{"mesh_lines", "no_room", no_room}, what_if_case{"task_mesh_payload", "two_sms", two_sms},
        what_if_case{"gs_amplify_once", "few_lines", few_lines},
        what_if_case{"tess_gs_isolines", "few_lines", few_lines},
        what_if_case{"tess_points", "responses", {"isbe.response_queue_depth=1"}},
        what_if_case{"gs_streams", "responses", {"isbe.response_queue_depth=2"}},
        what_if_case{"gs_amplify_once", "responses_before_lines", {"isbe.response_queue_depth=2", "isbe.lines=128"}},
        what_if_case{"task_mesh_payload", "responses_before_lines", {"isbe.response_queue_depth=3", "isbe.lines=96"}},
        what_if_case{"mesh_nak_grid", "responses_before_slots", {"isbe.response_queue_depth=2", "isbe.contexts=4"}},
        what_if_case{"task_mesh_primitives", "requests", {"isbe.request_queue_depth=1"}},
        what_if_case{"task_mesh_primitives", "contexts", {"isbe.contexts=3"}},
        what_if_case{"gs_amplify_once", "warps", {"warps_per_sm=8"}},
        what_if_case{"gs_amplify_once", "banks", {"isbe.banks=8"}},
        what_if_case{"mesh_nak_grid", "banks", {"isbe.banks=8"}},
        what_if_case{"tess_outputs_of_others", "banks", {"isbe.banks=8"}},
        what_if_case{"task_mesh_payload", "scheduler", {"schedulers_per_sm=1"}},
        what_if_case{"mesh_nak_grid", "scheduler", {"schedulers_per_sm=1", "isbe.response_queue_depth=8"}},
        what_if_case{
            "task_mesh_payload", "scheduler_or_responses", {"schedulers_per_sm=1", "isbe.response_queue_depth=8"}},
        what_if_case{"task_mesh_payload", "long_stores", {"isbe.write_latency=80"}},
        what_if_case{"vs_ids", "fetch", {"pe.fetch_bytes_per_cycle=8"}},
        what_if_case{"gs_conditional", "batches", {"pe.batch_vertices=8"}},
        what_if_case{"mesh_nak_points", "responses", {"isbe.response_queue_depth=8"}},
        what_if_case{"task_mesh_primitives", "slots", {"isbe.write_latency=80"}},
        what_if_case{"task_mesh_payload", "port", {"isbe.request_queue_depth=1", "isbe.ports=1"}},
        what_if_case{"gs_conditional",
                     "buffers",
                     {"isbe.lines=400", "pe.buffers=alpha_beta", "pe.alpha_lines=256", "pe.beta_lines=144"}},
        what_if_case{"task_mesh_primitives", "hardly_idle", {"isbe.lines=128", "warps_per_sm=24"}},
        what_if_case{"mesh_limits",
                     "slots_or_responses",
                     {"isbe.contexts=2", "pe.batch_vertices=16", "isbe.response_queue_depth=2"}},
        what_if_case{"task_mesh_primitives", "attribute_queue", {"sm.attribute_queue_depth=1", "isbe.ports=1"}},
        what_if_case{"task_mesh_primitives", "one_port", {"isbe.request_queue_depth=1", "isbe.ports=1"}}),
    [](const auto& instance) { return std::string(instance.param.draw) + "_" + instance.param.machine_name; });

/// A rerun gives the figures of an ordinary run with these keys set.
TEST_P(what_if, reruns_are_runs_on_those_machines)
{
    const auto all = report({"--what-if=pairs"});
    const auto& changes = all.at("what_if").at("changes").as_array();
    ASSERT_GT(changes.size(), 60U);
    const auto own_area = all.at("proxies").at("area").at("mm2").to_number<double>();
    std::mt19937 random(5);
    for (unsigned n = 0; n < 8; ++n) {
        const auto& change = changes[random() % changes.size()].as_object();
        std::map<std::string, std::string> keys;
        for (const auto& step : change.at("steps").as_array())
            keys[step.at("key").as_string().c_str()] = json::serialize(step.at("to"));
        const auto there = report({}, keys);
        EXPECT_EQ(change.at("cycles"), there.at("cycles")) << json_text(change);
        EXPECT_EQ(change.at("energy_pj"), there.at("proxies").at("energy_pj")) << json_text(change);
        const auto area = there.at("proxies").at("area").at("mm2").to_number<double>();
        EXPECT_EQ(change.contains("area_mm2") ? change.at("area_mm2").to_number<double>() : own_area, area);
    }
}

/// The sentence of the stacks against the measured table: a worker that it calls saturated is among the two steps that
/// gain most; it names every size that gains much, and if it begins with sizes, the first gains nearly most. The first
/// sentence of the page names the best step.
TEST_P(what_if, the_sentence_names_a_size_that_pays)
{
    const auto all = report({"--what-if"});
    const std::string sentence = all.at("bottleneck").as_string().c_str();
    const auto cycles = all.at("cycles").to_number<std::uint64_t>();
    std::vector<std::pair<std::uint64_t, std::string>> order;
    const auto is_slots = [](const json::value& step) {
        return step.at("key") == "isbe.contexts" || step.at("key") == "warps_per_sm";
    };
    for (const auto& change : all.at("what_if").at("changes").as_array()) {
        const auto& steps = change.at("steps").as_array();
        if (std::any_of(steps.begin() + 1, steps.end(), is_slots)) continue; // more_room()
        order.emplace_back(change.at("cycles").to_number<std::uint64_t>(), steps[0].at("key").as_string().c_str());
    }
    std::stable_sort(order.begin(), order.end());
    const auto page = temporary_folder::read(folder_.path("out/report.md"));
    std::smatch best;
    if (std::regex_search(page, best, std::regex("Measured: (\\S+) "))) {
        const auto printed =
            std::find_if(order.begin(), order.end(), [&](const auto& each) { return each.second == best[1]; });
        ASSERT_NE(printed, order.end()) << best[1];
        EXPECT_EQ(printed->first, order[0].first) << best[1];
    }

    static const std::map<std::string, std::set<std::string>> worker_keys = {
        {"the pass engine", {"isbe.banks", "sm_count"}},
        {"a warp scheduler", {"schedulers_per_sm", "sm_count"}},
        {"vertex fetch", {"pe.fetch_bytes_per_cycle"}}};
    std::smatch name;
    if (std::regex_search(sentence, name, std::regex("^The draw waits for ([^(]*) \\(")) &&
        worker_keys.count(name[1]) != 0) {
        const auto& keys = worker_keys.at(name[1]);
        const auto named =
            std::find_if(order.begin(), order.end(), [&](const auto& each) { return keys.count(each.second) != 0; });
        ASSERT_NE(named, order.end()) << sentence;
        EXPECT_LE(named->first, order[1].first) << sentence;
        EXPECT_LT(100 * named->first, 99 * cycles) << sentence;
        return;
    }
    const std::set<std::string> sizes = {"isbe.lines",
                                         "isbe.contexts",
                                         "warps_per_sm",
                                         "isbe.response_queue_depth",
                                         "isbe.request_queue_depth",
                                         "sm.attribute_queue_depth"};
    std::set<std::string> named;
    for (const auto& key : sizes)
        if (sentence.find(key) != std::string::npos) named.insert(key);
    bool pays = named.empty();
    for (const auto& [there, key] : order) {
        if (sizes.count(key) == 0) continue;
        if (named.count(key) == 0) {
            EXPECT_GT(100 * there, 88 * cycles) << key << " pays. " << sentence;
        }
        pays |= named.count(key) != 0 && 100 * there < 99 * cycles;
    }
    if (sentence.rfind("The draw waits for ", 0) != 0) return;
    EXPECT_TRUE(pays) << sentence;
    // What it names first gains nearly as much as any size.
    const auto first = sentence.substr(0, sentence.find(':'));
    auto best_size = cycles, best_first = cycles;
    for (const auto& [there, key] : order) {
        if (sizes.count(key) == 0) continue;
        best_size = std::min(best_size, there);
        if (first.find(key) != std::string::npos) best_first = std::min(best_first, there);
    }
    EXPECT_LE(best_first, best_size + cycles / 10) << sentence;
}

/// If each batch lacks lines and a slot, more of only one of them gains nothing. The stacks name both, and the table
/// has the gain of both together.
TEST(what_if_of_both, lines_and_slots)
{
    const temporary_folder folder;
    for (const auto& [draw, lines] : {std::pair{"mesh_lines", 24}, {"mesh_terrain", 32}}) {
        const auto report = report_of({"run", samples + draw + "/scenario.json", "--what-if", "--set",
                                       "isbe.contexts=1", "--set", "isbe.lines=" + std::to_string(lines)},
                                      folder.path("out"));
        EXPECT_EQ(report.at("bottleneck")
                      .as_string()
                      .find("The draw waits for ISBE lines and warp slots (isbe.lines; isbe.contexts): "),
                  0U)
            << report.at("bottleneck");
        const auto cycles = report.at("cycles").to_number<double>();
        std::map<std::string, double> saved;
        for (const auto& change : report.at("what_if").at("changes").as_array()) {
            std::string keys;
            bool is_more = true;
            for (const auto& step : change.at("steps").as_array()) {
                keys += std::string(step.at("key").as_string()) + " ";
                is_more &= step.at("to").to_number<int>() > step.at("from").to_number<int>();
            }
            if (is_more) saved[keys] = 1 - change.at("cycles").to_number<double>() / cycles;
        }
        EXPECT_LT(saved.at("isbe.lines "), 0.1);
        EXPECT_LT(saved.at("isbe.contexts "), 0.1);
        EXPECT_GT(saved.at("isbe.lines isbe.contexts "), 0.4);
    }
}

TEST_P(what_if, leaves_the_run_as_it_is)
{
    auto with = report({"--what-if"}), without = report({});
    for (auto* each : {&with, &without}) {
        each->erase("what_if");
        each->erase("host");
        each->erase("of");
        each->erase("rests_on"); // it also counts the sentence of the changes
        each->erase("measured"); // of more steps
        each->at("covers").as_object().erase("what_if");
    }
    EXPECT_EQ(with, without);
}

/// There is no number for a machine that cannot run the draw, nor after the time limit.
TEST(what_if_reruns, that_do_not_end_are_listed_with_the_reason)
{
    const temporary_folder folder;
    const auto reruns_of = [&](const char* draw, const settings& options) {
        return report_of(settings{"run", samples + draw + "/scenario.json", "--jobs", "1", "--no-vertices"} + options,
                         folder.path("out"))
            .at("what_if")
            .as_object();
    };
    const auto late = reruns_of("gs_amplify", {"--what-if=pairs", "--what-if-seconds", "1"});
    const machine_config config;
    const auto singles = machine_changes(config);
    EXPECT_EQ(late.at("changes").as_array().size() + late.at("not_measured").as_array().size(),
              singles.size() + better_pairs(singles).size());
    ASSERT_GT(late.at("not_measured").as_array().size(), 0U);
    EXPECT_EQ(late.at("not_measured").as_array().back().at("reason").as_string(), "time limit");

    // A batch needs 29 lines.
    const auto small = reruns_of("gs_amplify_once", {"--what-if", "--set", "isbe.lines=32"});
    const auto& missing = small.at("not_measured").as_array();
    ASSERT_EQ(missing.size(), 1U);
    EXPECT_EQ(missing[0].at("steps").as_array()[0].at("to").to_number<int>(), 16);
    EXPECT_NE(std::string(missing[0].at("reason").as_string()).find("lines"), std::string::npos) << json_text(missing);
}

TEST(what_if_changes, go_a_step_up_and_a_step_down_where_the_key_goes)
{
    const machine_config config;
    std::map<std::string, std::vector<double>> values;
    for (const auto& change : machine_changes(config)) {
        ASSERT_EQ(change.steps.size(), 1U);
        const auto& step = change.steps[0];
        values[step.key].push_back(step.to);
        EXPECT_EQ(find_config_key(step.key)->get(change.machine), step.to);
        EXPECT_EQ(find_config_key(step.key)->get(config), step.from);
        for (const auto& key : config_keys()) {
            if (key.name == step.key) continue;
            EXPECT_EQ(key.get(change.machine), key.get(config)) << key.name;
        }
    }
    EXPECT_EQ(values["isbe.pipeline_latency"], (std::vector<double>{20, 24}));
    EXPECT_EQ(values["sm.read_release_latency"], (std::vector<double>{7, 9}));
    EXPECT_EQ(values["isbe.banks"], std::vector<double>{16}); // 64 does not exist
    EXPECT_EQ(values["isbe.ports"], std::vector<double>{1});
    EXPECT_EQ(values["sm_count"], std::vector<double>{2});
    EXPECT_EQ(values["schedulers_per_sm"], (std::vector<double>{2, 8}));
}

TEST(what_if_changes, contain_the_limits_that_a_machine_has)
{
    machine_config config;
    const auto values = [&](const std::string& key) {
        std::vector<double> all;
        for (const auto& change : machine_changes(config))
            if (change.steps[0].key == key) all.push_back(change.steps[0].to);
        return all;
    };
    struct limit {
        const char* key;
        double value;
        std::vector<double> steps;
    };
    const std::vector<limit> limits = {{"pe.vertices_per_cycle", 0.625, {0.3125, 1.25}},
                                       {"chip.gpc_setups_per_cycle", 1, {0.5, 2}},
                                       {"chip.draw_cycles", 5, {2.5, 10}},
                                       {"sm.fp64_lanes", 2, {1, 4}},
                                       {"sm.texture_lanes", 1, {2}},
                                       {"memory.dram_bytes_per_cycle", 120, {60, 240}},
                                       {"memory.l2_latency", 160, {140, 180}}};
    for (const auto& each : limits) {
        EXPECT_TRUE(values(each.key).empty()) << each.key;
        find_config_key(each.key)->set(config, each.value);
    }
    config.memory.model = memory_rule::hierarchy;
    for (const auto& each : limits) EXPECT_EQ(values(each.key), each.steps) << each.key;
}

TEST(what_if_changes, more_room_is_twice_the_lines_and_the_slots_that_limit)
{
    machine_config config;
    config.pe.buffers = buffer_rule::alpha_beta;
    config.pe.alpha_lines = 600;
    config.isbe.contexts = config.sm.warps = 8;
    const auto room = more_room(config);
    ASSERT_EQ(room.size(), 1U);
    std::map<std::string, double> to;
    for (const auto& step : room[0].steps) to[step.key] = step.to;
    EXPECT_EQ(to, (std::map<std::string, double>{
                      {"isbe.lines", 2048}, {"pe.alpha_lines", 1200}, {"isbe.contexts", 16}, {"warps_per_sm", 16}}));
    EXPECT_EQ(room[0].machine.isbe.contexts, 16U);
    config.isbe.contexts = 4;
    EXPECT_EQ(more_room(config)[0].steps.back().key, "isbe.contexts");
    EXPECT_TRUE(more_room(machine_config()).empty()); // 64 slots are the maximum
}

/// Every move keeps the sum of both buffers within isbe.lines; lines that no buffer has come first.
TEST(what_if_changes, move_lines_between_sized_buffers)
{
    using steps = std::vector<std::pair<std::string, double>>;
    const auto moves_of = [](unsigned lines, unsigned alpha, unsigned beta) {
        machine_config config;
        config.isbe.lines = lines;
        config.pe.buffers = buffer_rule::alpha_beta;
        config.pe.alpha_lines = alpha;
        config.pe.beta_lines = beta;
        std::vector<steps> all;
        for (const auto& change : moved_lines(config)) {
            auto& one = all.emplace_back();
            for (const auto& step : change.steps) {
                one.emplace_back(step.key, step.to);
                EXPECT_EQ(find_config_key(step.key)->get(change.machine), step.to);
            }
            EXPECT_EQ(change.machine.isbe.lines, lines);
            EXPECT_LE(change.machine.pe.alpha_lines + change.machine.pe.beta_lines, lines);
        }
        return all;
    };
    const std::string alpha = "pe.alpha_lines", beta = "pe.beta_lines";
    EXPECT_EQ(moves_of(400, 256, 144), (std::vector<steps>{{{alpha, 328}, {beta, 72}},
                                                           {{alpha, 382}, {beta, 18}},
                                                           {{beta, 272}, {alpha, 128}},
                                                           {{beta, 368}, {alpha, 32}}}));
    EXPECT_EQ(moves_of(800, 256, 144).at(0), (steps{{alpha, 656}}));
    EXPECT_EQ(moves_of(800, 256, 144).at(3), (steps{{beta, 544}}));
    EXPECT_EQ(moves_of(400, 256, 0),
              (std::vector<steps>{{{alpha, 328}}, {{alpha, 382}}, {{alpha, 128}}, {{alpha, 32}}}));
    EXPECT_TRUE(moves_of(400, 0, 0).empty());
}

/// Ten vectors per vertex fill beta, and alpha has lines to spare: the answer names beta, and lines that move there
/// pay as much as more lines.
TEST(what_if_of_buffers, names_the_full_buffer_and_the_move)
{
    const temporary_folder folder;
    const auto report = report_of({"run", samples + "vs_sixteen_vectors/scenario.json", "--what-if", "--no-vertices",
                                   "--set", "pe.buffers=alpha_beta", "--set", "isbe.lines=400", "--set",
                                   "pe.alpha_lines=328", "--set", "pe.beta_lines=72", "--set", "pe.consumer=written"},
                                  folder.path("out"));
    EXPECT_EQ(report.at("bottleneck")
                  .as_string()
                  .find("The draw waits for ISBE lines (pe.beta_lines, the beta buffer in "
                        "isbe.lines): "),
              0U)
        << report.at("bottleneck");
    const std::string rests_on = report.at("rests_on").as_string().c_str();
    for (const auto* key : buffer_keys) EXPECT_NE(rests_on.find(key), std::string::npos) << rests_on;
    std::map<std::string, std::uint64_t> cycles;
    for (const auto& change : report.at("what_if").at("changes").as_array()) {
        const auto& step = change.at("steps").as_array()[0];
        const std::string key = step.at("key").as_string().c_str();
        if (step.at("to").to_number<int>() < step.at("from").to_number<int>()) continue;
        const auto there = change.at("cycles").to_number<std::uint64_t>();
        auto& fewest = cycles.emplace(key, there).first->second;
        fewest = std::min(fewest, there);
    }
    EXPECT_LT(cycles.at("pe.beta_lines"), report.at("cycles").to_number<std::uint64_t>());
    EXPECT_LE(cycles.at("pe.beta_lines"), cycles.at("isbe.lines"));
}

/// All pairs of better steps of different keys, each with the values of both.
TEST(what_if_changes, pairs_are_better_in_two_keys)
{
    const machine_config config;
    const auto singles = machine_changes(config);
    std::set<std::pair<std::string, std::string>> keys;
    for (const auto& change : better_pairs(singles)) {
        ASSERT_EQ(change.steps.size(), 2U);
        keys.emplace(change.steps[0].key, change.steps[1].key);
        for (const auto& step : change.steps) {
            EXPECT_EQ(find_config_key(step.key)->get(change.machine), step.to);
            EXPECT_EQ(step.is_latency, step.to < step.from) << step.key;
        }
    }
    const auto better = static_cast<std::size_t>(
        std::count_if(singles.begin(), singles.end(), [](const auto& change) { return change.steps[0].is_better(); }));
    EXPECT_EQ(keys.size(), better * (better - 1) / 2);
}

/// A report of 1000 cycles with reruns of the given cycles: for a latency step and for banks.
class what_if_page : public testing::Test {
protected:
    json::object report_of(std::initializer_list<std::pair<machine_change, std::uint64_t>> reruns) const
    {
        json::object report = {{"cycles", 1000},
                               {"covers", json::object()},
                               {"proxies", stated_proxies({}, machine_config().isbe, 1, coefficient_table())}};
        std::vector<machine_change> changes;
        std::vector<rerun> ends;
        for (const auto& [change, cycles] : reruns) {
            changes.push_back(change);
            ends.emplace_back();
            if (cycles != 0) ends.back().figures = rerun_figures{cycles, {}};
        }
        add_what_if(report, changes, ends, coefficient_table());
        return report;
    }
    static machine_change latency(double to) { return {{{"isbe.pipeline_latency", 22, to, true}}, {}}; }
    static machine_change banks(double to) { return {{{"isbe.banks", 32, to, false}}, {}}; }
};

TEST_F(what_if_page, sentence_names_best_gain_and_highest_cost)
{
    const auto report = report_of({{banks(16), 1450}, {banks(64), 750}, {latency(20), 1000}, {latency(24), 0}});
    EXPECT_EQ(what_if_text(report),
              "Measured: isbe.banks 32 -> 64 would save 25.0 %, the most of 3 tried of 4 single steps. "
              "Worst single step: isbe.banks 32 -> 16 (+45.0 %). Not measured: 1 of 4 changes.");
    const auto table = what_if_table(report);
    ASSERT_EQ(table.rows.size(), 4U);
    EXPECT_EQ(table.rows[0], (std::vector<std::string>{"isbe.banks 32 -> 64", "750", "-25.0 %", "+0.0 %", "", "", ""}));
    EXPECT_EQ(table.rows[1].back(), "no change");
    EXPECT_EQ(table.rows[3].back(), "not measured: time limit");
}

/// Fewer cycles for more lines and fewer lines for more cycles are on the front; a longer queue without a gain is not,
/// and the cost of a step outside of the ISBE is unknown.
TEST_F(what_if_page, has_the_pareto_line_of_single_steps)
{
    const auto lines = [](double to) {
        machine_change change{{{"isbe.lines", 1024, to, false}}, {}};
        change.machine.isbe.lines = static_cast<unsigned>(to);
        return change;
    };
    machine_change queue{{{"isbe.request_queue_depth", 4, 8, false}}, {}};
    queue.machine.isbe.request_queue_depth = 8;
    const machine_change warps{{{"warps_per_sm", 64, 128, false}}, {}};
    const auto report = report_of({{lines(2048), 750}, {warps, 800}, {queue, 1000}, {lines(512), 1450}});
    std::vector<std::string> line;
    for (const auto& row : what_if_table(report).rows) line.push_back(row[5]);
    EXPECT_EQ(line, (std::vector<std::string>{"on it", "", "", "on it"}));
    EXPECT_NE(what_if_text(report).find("ISBE area: isbe.lines 1024 -> 2048 (-25.0 %); isbe.lines 1024 -> 512 "
                                        "(+45.0 %)."),
              std::string::npos);
}

/// A latency step that moves cycles in the wrong direction shows reordering; no smaller change is a gain or a loss.
TEST_F(what_if_page, calls_no_reordering_a_gain)
{
    const auto report = report_of({{latency(20), 1030}, {banks(64), 980}, {banks(16), 1020}});
    EXPECT_EQ(report.at("what_if").at("reordering_cycles").to_number<int>(), 30);
    EXPECT_EQ(what_if_text(report), "Measured: none of 3 single steps gains more than 0.1 % and more than reordering.");
    for (const auto& row : what_if_table(report).rows) EXPECT_EQ(row.back(), "reordering");
    const auto right_way = report_of({{latency(20), 970}, {latency(24), 1030}});
    EXPECT_EQ(right_way.at("what_if").at("reordering_cycles").to_number<int>(), 0);
    EXPECT_EQ(what_if_text(right_way),
              "Measured: isbe.pipeline_latency 22 -> 20 would save 3.0 %, the most of 2 single "
              "steps. Worst single step: isbe.pipeline_latency 22 -> 24 (+3.0 %).");
}

TEST_F(what_if_page, names_two_steps_that_pay_more_than_the_best_alone)
{
    const machine_change both{{latency(20).steps[0], banks(64).steps[0]}, {}};
    EXPECT_EQ(what_if_text(report_of({{latency(20), 1000}, {banks(64), 900}, {both, 600}})),
              "Measured: isbe.banks 32 -> 64 would save 10.0 %, the most of 2 single steps. Best steps together: "
              "isbe.pipeline_latency 22 -> 20, isbe.banks 32 -> 64 (-40.0 %).");
    EXPECT_EQ(what_if_text(report_of({{latency(20), 1000}, {banks(64), 900}, {both, 900}})),
              "Measured: isbe.banks 32 -> 64 would save 10.0 %, the most of 2 single steps.");
}

/// More SMs are the best step of most draws, so that the best one without them is named beside it.
TEST_F(what_if_page, names_the_best_step_with_the_same_sms)
{
    const machine_change sms{{{"sm_count", 1, 2, false}}, {}};
    const auto first = report_of({{sms, 500}, {banks(64), 800}, {latency(20), 900}});
    EXPECT_EQ(measured_text(first), "Measured: sm_count 1 -> 2 would save 50.0 %, the most of 3 single steps; with the "
                                    "same SMs isbe.banks 32 -> 64 would save 20.0 %.");
    EXPECT_FALSE(report_of({{sms, 900}, {banks(64), 800}}).at("measured").as_object().contains("same_sms"));
    EXPECT_FALSE(report_of({{sms, 900}, {banks(64), 1000}}).at("measured").as_object().contains("same_sms"));
}

TEST(what_if_options, name_their_requirements)
{
    const temporary_folder folder;
    const auto refused = [&](settings words) {
        words.insert(words.begin(), {"run", samples + "vs_text/scenario.json", "--out", folder.path("out")});
        const auto result = run_isbesim(words);
        EXPECT_EQ(result.status, 2);
        return result.last_error();
    };
    const auto names = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
    EXPECT_TRUE(names(refused({"--what-if", "--isbe", "lt"}), "expected --isbe at or lockstep"));
    EXPECT_TRUE(names(refused({"--what-if", "--timing", "lt"}), "expected --timing at"));
    EXPECT_TRUE(names(refused({"--what-if=predict"}), "expected --what-if or --what-if=pairs"));
    EXPECT_TRUE(names(refused({"--what-if", "--what-if-seconds", "0"}), "expected at least 1 second"));
    EXPECT_TRUE(names(refused({"--what-if-seconds", "3"}), "expected both"));
    EXPECT_TRUE(names(refused({"--jobs", "2"}), "expected a capture, --what-if or a chip"));
    EXPECT_TRUE(names(refused({"--what-if", "--jobs", "0"}), "expected at least 1"));
}

TEST(assumptions, are_of_the_keys_that_the_sentences_rest_on)
{
    const auto report = json::parse(R"({
        "bottleneck": "The draw waits for room for responses (isbe.response_queue_depth): isbe0.pass_engine has 40 % of the cycles under responses_full. Busiest is the pass engine (isbe0.pass_engine), busy in 50 % of the cycles.",
        "critical_path": {"cycles": 10, "parts": {"pipeline_latency.vertex": 6, "stall_count.vertex": 4}}})");
    const key_sources sources = {{"isbe.response_queue_depth", "white paper"},
                                 {"isbe.access", "assumed"},
                                 {"isbe.banks", "HARDWARE.md: a placeholder there"},
                                 {"isbe.bank_map", set_by_hand},
                                 {"isbe.write_latency", "assumed"}};
    EXPECT_EQ(assumptions_text(report.as_object(), sources),
              "This answer depends on 5 machine keys: 3 assumed, not measured (isbe.access, isbe.banks, "
              "isbe.pipeline_latency); 1 set by hand (isbe.bank_map).");
    EXPECT_EQ(assumptions_text({}, sources), "");
}

TEST(assumptions, of_a_preset_match_its_sources)
{
    const temporary_folder folder;
    const auto text_of = [&](const settings& machine) {
        const auto report = report_of(settings{"run", samples + "tess_points/scenario.json", "--no-vertices"} + machine,
                                      folder.path("out"));
        return std::string(report.at("rests_on").as_string());
    };
    // The path of a small draw goes through this latency, which the preset assumes.
    EXPECT_NE(text_of({"--config", "gm107"}).find("isbe.pipeline_latency"), std::string::npos);
    EXPECT_EQ(text_of({"--config", "gm107"}).find("set by hand"), std::string::npos);
    const auto changed = text_of({"--config", "gm107", "--set", "isbe.pipeline_latency=40"});
    EXPECT_NE(changed.find("1 set by hand (isbe.pipeline_latency)"), std::string::npos) << changed;
}

} // namespace
} // namespace isbesim::testbench

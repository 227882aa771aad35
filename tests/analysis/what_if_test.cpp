// What a run predicts of machines that differ in one number, beside those machines: `run --what-if`.
#include "testbench/what_if/what_if.h"

#include <cmath>

#include <gtest/gtest.h>

#include "testbench/files/json_text.h"
#include "testbench/scenario/scenario.h"
#include "testbench/scenario/vertex_csv.h"
#include "testbench/system/config.h"
#include "testbench/system/system.h"
#include "testbench/what_if/machine_changes.h"
#include "tests/testbench/process.h"
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

std::uint64_t cycles_of(const json::object& change, const char* key)
{
    return change.at(key).to_number<std::uint64_t>();
}

class what_if : public testing::TestWithParam<what_if_case> {
protected:
    std::string scenario_file() const { return samples + GetParam().draw + "/scenario.json"; }
    json::object report(const settings& options) const
    {
        settings words = {"run", scenario_file(), "--quiet", "--no-vertices", "--out", folder_.path("out")};
        for (const auto& setting : GetParam().machine) words.insert(words.end(), {"--set", setting});
        words.insert(words.end(), options.begin(), options.end());
        const auto result = run_isbesim(words);
        EXPECT_EQ(result.status, 0) << result.err;
        return json::parse(temporary_folder::read(folder_.path("out/report.json"))).as_object();
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
        what_if_case{"gs_amplify_once", "few_lines", few_lines}),
    [](const auto& instance) { return std::string(instance.param.draw) + "_" + instance.param.machine_name; });

/// The account of what every event waits for is complete, and adds nothing: on the machine that runs it says what ran.
TEST_P(what_if, a_machine_that_differs_in_nothing_takes_the_same)
{
    const auto scenario = load_scenario(scenario_file());
    machine_config config;
    for (const auto& setting : GetParam().machine) set_config(setting, {}, config);
    vertex_count vertices;
    simulated_system system({config,
                             *find_isbe_backend("at"),
                             scenario.draw,
                             vertices,
                             false,
                             nullptr,
                             0,
                             path_recording::sums,
                             sm_timing::by_cycle,
                             {config, config}});
    const auto outcome = system.run({}, nullptr);
    ASSERT_EQ(outcome.end, run_end::done) << outcome.text;
    const auto predictions = system.predictions();
    ASSERT_EQ(predictions.size(), 2U);
    for (const auto& each : predictions) {
        EXPECT_EQ(each.cycles, outcome.cycles);
        EXPECT_FALSE(each.at_least);
    }
}

TEST_P(what_if, predictions_are_near_and_bounds_hold)
{
    const auto all = report({"--what-if"}).at("what_if").as_array();
    ASSERT_GT(all.size(), 30U);
    unsigned expected = 0, near = 0;
    for (const auto& each : all) {
        const auto& change = each.as_object();
        const auto predicted = cycles_of(change, "predicted"), measured = cycles_of(change, "measured");
        if (change.at("bound").as_string() == "at_least") {
            // On two SMs warps of a mesh draw may meet so well that a worse machine is faster by more than a bound
            // leaves.
            EXPECT_LE(predicted, measured + measured / 50) << json_text(each);
            continue;
        }
        const auto error = std::abs(static_cast<double>(predicted) / static_cast<double>(measured) - 1);
        EXPECT_LE(error, 0.1) << json_text(each);
        ++expected;
        near += error <= 0.01 ? 1U : 0U;
    }
    EXPECT_GE(expected, all.size() / 2);
    EXPECT_GE(10 * near, 8 * expected);
}

TEST_P(what_if, predicting_changes_neither_the_run_nor_its_path)
{
    auto with = report({"--what-if=predict"}), without = report({});
    for (const auto& each : with.at("what_if").as_array()) EXPECT_FALSE(each.as_object().contains("measured"));
    for (auto* each : {&with, &without}) {
        each->erase("what_if");
        each->erase("host");
        each->at("covers").as_object().erase("what_if");
    }
    EXPECT_EQ(with, without);
}

/// Nothing meets anything in a draw of one warp: predictions are exact.
TEST(what_if_of_one_warp, is_exact)
{
    const temporary_folder folder;
    for (const auto* draw : {"vs_branches", "vs_double", "vs_matrix", "sm75_vs_transcendental"}) {
        const auto result = run_isbesim({"run", samples + draw + "/scenario.json", "--what-if", "--jobs", "2",
                                         "--quiet", "--out", folder.path("out")});
        ASSERT_EQ(result.status, 0) << result.err;
        const auto report = json::parse(temporary_folder::read(folder.path("out/report.json")));
        unsigned moved = 0;
        for (const auto& each : report.at("what_if").as_array()) {
            const auto& change = each.as_object();
            if (change.at("bound").as_string() == "at_least") continue;
            EXPECT_EQ(cycles_of(change, "predicted"), cycles_of(change, "measured")) << draw << json_text(each);
            moved += each.at("predicted") != report.at("cycles") ? 1U : 0U;
        }
        EXPECT_GT(moved, 4U) << draw;
    }
}

machine_times times_of(std::uint64_t own, std::uint64_t ordered)
{
    machine_times times;
    times.own = own;
    times.ordered = ordered;
    return times;
}

TEST(what_if_prediction, is_a_bound_where_another_order_decides)
{
    auto latency = predict(times_of(1000, 1100));
    EXPECT_EQ(latency.cycles, 1100U);
    EXPECT_FALSE(latency.at_least);

    auto sms = times_of(1000, 900);
    sms.unordered = 500;
    EXPECT_TRUE(predict(sms).at_least);
    EXPECT_EQ(predict(sms).cycles, 490U);
    sms.unordered = 890; // whatever the order, it is about that
    EXPECT_FALSE(predict(sms).at_least);
    EXPECT_EQ(predict(sms).cycles, 900U);

    auto nothing_moves = times_of(1000, 995);
    nothing_moves.unordered = 500;
    EXPECT_EQ(predict(nothing_moves).cycles, 995U);
    EXPECT_FALSE(predict(nothing_moves).at_least);
    nothing_moves.freed = true; // but warps that waited
    EXPECT_TRUE(predict(nothing_moves).at_least);

    auto fewer = times_of(1000, 1200);
    fewer.unordered = 700;
    EXPECT_EQ(predict(fewer).cycles, 980U); // no less than here
    EXPECT_TRUE(predict(fewer).at_least);
    auto smaller = times_of(1000, 1200);
    smaller.incomplete = true;
    EXPECT_EQ(predict(smaller).cycles, 980U);
    EXPECT_TRUE(predict(smaller).at_least);
}

TEST(what_if_changes, go_a_step_up_and_a_step_down_where_the_key_goes)
{
    const machine_config config;
    std::map<std::string, std::vector<std::uint64_t>> values;
    for (const auto& change : machine_changes(config)) {
        values[change.key].push_back(change.to);
        EXPECT_EQ(static_cast<std::uint64_t>(find_config_key(change.key)->get(change.machine)), change.to);
        EXPECT_EQ(static_cast<std::uint64_t>(find_config_key(change.key)->get(config)), change.from);
        for (const auto& key : config_keys()) {
            if (key.name == change.key) continue;
            EXPECT_EQ(key.get(change.machine), key.get(config)) << key.name;
        }
    }
    EXPECT_EQ(values["isbe.pipeline_latency"], (std::vector<std::uint64_t>{20, 24}));
    EXPECT_EQ(values["sm.read_release_latency"], (std::vector<std::uint64_t>{7, 9}));
    EXPECT_EQ(values["isbe.banks"], std::vector<std::uint64_t>{16}); // 64 there is none
    EXPECT_EQ(values["isbe.ports"], std::vector<std::uint64_t>{1});
    EXPECT_EQ(values["sm_count"], std::vector<std::uint64_t>{2});
    EXPECT_EQ(values["schedulers_per_sm"], (std::vector<std::uint64_t>{2, 8}));
}

TEST(what_if_page, names_what_pays_and_what_costs_most)
{
    json::object report = {{"cycles", 200}, {"covers", json::object()}};
    machine_change change{"isbe.banks", 16, 32, {}};
    const auto worse = machine_change{"isbe.banks", 16, 8, {}}, none = machine_change{"sm_count", 1, 2, {}};
    add_what_if(report, what_if_json({worse, change, none}, {{300, false}, {190, true}, {10, true}}, {290, 150, {}}));
    ASSERT_EQ(report.at("what_if").as_array().size(), 2U); // what can't run is left out
    EXPECT_EQ(what_if_text(report), "What pays most is isbe.banks 16 -> 32 (-25.0 %). What costs most is isbe.banks 16 "
                                    "-> 8 (+45.0 %).");
    const auto table = what_if_table(report);
    EXPECT_EQ(table.rows[0],
              (std::vector<std::string>{"isbe.banks", "16", "32", "at least", "190", "150", "-25.0 %", "+26.67 %"}));
    json::object predicted = {{"cycles", 200}, {"covers", json::object()}};
    add_what_if(predicted, what_if_json({change}, {{190, true}}, {}));
    EXPECT_EQ(what_if_text(predicted), "What pays most is isbe.banks 16 -> 32 (at least -5.0 %).");
}

TEST(what_if_options, say_what_they_need)
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
    EXPECT_TRUE(names(refused({"--what-if", "--no-critical-path"}), "expected one of them"));
    EXPECT_TRUE(names(refused({"--what-if=maybe"}), "expected --what-if"));
    EXPECT_TRUE(names(refused({"--jobs", "2"}), "expected a capture or --what-if"));
    EXPECT_TRUE(names(refused({"--what-if", "--jobs", "0"}), "expected at least 1"));
}

} // namespace
} // namespace isbesim::testbench

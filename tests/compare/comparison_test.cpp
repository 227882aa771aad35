// SPDX-License-Identifier: Apache-2.0
// The findings of a comparison for results that are defined here.
#include "testbench/compare/comparison.h"

#include <limits>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "tests/support/error_text.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

/// Stacks, critical path and machine of one run; `more` replaces keys.
compared_result make_result(const std::string& name, const std::string& text)
{
    auto report = json::parse(R"({"tool": {"seed": 1}, "backend": "at", "result": {"status": "done"},
        "draw": {"topology": "points", "vertices": 32, "programs": {"vertex": "0x01"}}, "cycles": 100,
        "latency": {"ald": {"p99": 20}},
        "stacks": {"sm0.scheduler0": {"cycles": 100, "parts": {"issue": 30, "scoreboard": 40, "no_warp": 30}},
                   "isbe0.pass_engine": {"cycles": 100, "parts": {"passes": 50, "no_request": 50}}},
        "critical_path": {"cycles": 100, "parts": {"passes.vertex": 60, "launch.vertex": 40},
                          "counts": {"passes.vertex": 6, "launch.vertex": 1}},
        "config": {"sm_count": 1, "isbe": {"banks": 32, "pipeline_latency": 22}}})")
                      .as_object();
    const auto replaced = json::parse(text).as_object();
    for (const auto& entry : replaced) {
        if (entry.value().is_null())
            report.erase(entry.key());
        else
            report[entry.key()] = entry.value();
    }
    return {name, "folder_" + name, std::move(report)};
}

/// 103 cycles: three more of `scoreboard` and of `passes.vertex`; idle parts grow by up to three, too.
const std::string slower = R"("cycles": 103,
        "stacks": {"sm0.scheduler0": {"cycles": 103, "parts": {"issue": 30, "scoreboard": 43, "no_warp": 30}},
                   "isbe0.pass_engine": {"cycles": 103, "parts": {"passes": 49, "no_request": 54}}},
        "critical_path": {"cycles": 103, "parts": {"passes.vertex": 63, "launch.vertex": 39, "grant.vertex": 1},
                          "counts": {"passes.vertex": 6, "launch.vertex": 1, "grant.vertex": 1}})";
const std::string one_key = R"("config": {"sm_count": 1, "isbe": {"banks": 32, "pipeline_latency": 25}})";
const std::string two_keys = R"("config": {"sm_count": 1, "isbe": {"banks": 16, "pipeline_latency": 25}})";

compared_result base()
{
    return make_result("A", "{}");
}

json::object change_to(const compared_result& other)
{
    return compare_results({base(), other}).at("changes").at(0).as_object();
}

TEST(cycle_limit, is_exceeded_by_more_and_not_by_as_much)
{
    const auto limit = [](const char* text) { return read_cycle_limit(text, {"command-line", 1, 1}); };
    EXPECT_FALSE(limit("2%").is_exceeded(1000, 1020));
    EXPECT_TRUE(limit("2%").is_exceeded(1000, 1021));
    EXPECT_FALSE(limit("2").is_exceeded(1000, 1));
    EXPECT_FALSE(limit("0").is_exceeded(1000, 1000));
    EXPECT_TRUE(limit("0").is_exceeded(1000, 1001));
    EXPECT_FALSE(limit("0.3%").is_exceeded(1000, 1003)); // 0.3 is not a binary fraction
    EXPECT_TRUE(limit("0.299").is_exceeded(1000, 1003));
    EXPECT_FALSE(limit("150%").is_exceeded(2, 5));
    EXPECT_TRUE(limit("150%").is_exceeded(2, 6));
    EXPECT_TRUE(limit("5").is_exceeded(0, 1));
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    EXPECT_TRUE(limit("99.9999999999").is_exceeded(most / 2, most));
    EXPECT_FALSE(limit("100.1").is_exceeded(most / 2, most));
}

TEST(cycle_limit, is_a_percentage)
{
    for (const auto* wrong :
         {"", "%", "-2%", "+2", "2%%", "2.", "2.%", ".5", "1e3", "2 %", "0x2", "1.2.3", "1234567890123", "nan"})
        EXPECT_NE(error_text([&] {
                      read_cycle_limit(wrong, {"command-line", 1, 4});
                  }).find("command-line:1:4: --fail-above is '" + std::string(wrong) + "', expected a percentage"),
                  std::string::npos)
            << wrong;
}

TEST(comparison, names_the_parts_that_grew_most_and_the_only_key)
{
    const auto change = change_to(make_result("B", "{" + slower + ", " + one_key + "}"));
    EXPECT_EQ(change.at("cycles"), 3);
    EXPECT_DOUBLE_EQ(change.at("percent").as_double(), 3);
    EXPECT_EQ(change.at("stack"), json::parse(R"({"part": "sm0.scheduler0 scoreboard", "from": 40, "to": 43})"));
    EXPECT_EQ(change.at("critical_path"), json::parse(R"({"part": "passes.vertex", "from": 60, "to": 63})"));
    EXPECT_EQ(change.at("cause"), "isbe.pipeline_latency");
    EXPECT_EQ(change.at("text"), "B takes 103 cycles, 3 more than A (+3.00 %). In the stacks sm0.scheduler0 scoreboard "
                                 "grew most, from 40 to 43 cycles. On the critical path passes.vertex grew most, from "
                                 "60 to 63 cycles. Only isbe.pipeline_latency differs (22 and 25 cycles): it is the "
                                 "cause.");
}

TEST(comparison, names_part_that_shrank_most)
{
    auto slow = make_result("A", "{" + slower + ", " + one_key + "}");
    auto fast = base();
    fast.name = "B";
    const auto change = compare_results({slow, fast}).at("changes").at(0);
    EXPECT_EQ(change.at("cycles"), -3);
    EXPECT_EQ(change.at("stack").at("part"), "sm0.scheduler0 scoreboard");
    EXPECT_EQ(change.at("critical_path").at("to"), 60);
    EXPECT_NE(change.at("text").as_string().find("3 fewer than A (-2.91 %). In the stacks sm0.scheduler0 scoreboard "
                                                 "shrank most"),
              json::string::npos);
}

TEST(comparison, blames_neither_of_two_keys)
{
    const auto result = compare_results({base(), make_result("B", "{" + slower + ", " + two_keys + "}")});
    EXPECT_EQ(result.at("differs"), json::parse(R"([{"key": "isbe.banks", "unit": "banks", "values": [32, 16]},
                              {"key": "isbe.pipeline_latency", "unit": "cycles", "values": [22, 25]}])"));
    const auto& change = result.at("changes").at(0).as_object();
    EXPECT_FALSE(change.contains("cause"));
    EXPECT_NE(change.at("text").as_string().find("2 of the settings above differ"), json::string::npos);
    EXPECT_EQ(change.at("text").as_string().find("cause"), json::string::npos);
    // A key and the back end are two settings as well.
    const auto other = change_to(make_result("B", "{" + slower + ", " + one_key + R"(, "backend": "rtl"})"));
    EXPECT_FALSE(other.contains("cause"));
}

TEST(comparison, of_three_results_uses_the_first_as_baseline)
{
    const auto result = compare_results(
        {base(), make_result("B", "{" + slower + ", " + one_key + "}"), make_result("C", "{" + two_keys + "}")});
    EXPECT_EQ(result.at("changes").at(0).at("cause"), "isbe.pipeline_latency"); // banks are those of A
    EXPECT_FALSE(result.at("changes").at(1).as_object().contains("cause"));
    EXPECT_EQ(result.at("changes").at(1).at("cycles"), 0);
    EXPECT_EQ(result.at("stacks").at("isbe0.pass_engine").at("passes"), json::parse("[50, 49, 50]"));
}

TEST(comparison, blames_no_key_where_the_machines_are_the_same)
{
    const auto change = change_to(make_result("B", "{" + slower + "}"));
    EXPECT_FALSE(change.contains("cause"));
    EXPECT_NE(change.at("text").as_string().find("No key differs"), json::string::npos);
    const auto same = change_to(make_result("B", "{}"));
    EXPECT_EQ(same.at("text"), "B takes 100 cycles, as A does.");
    EXPECT_FALSE(same.contains("stack"));
    EXPECT_FALSE(change_to(make_result("B", "{" + one_key + "}")).contains("cause")); // there is nothing to explain
}

TEST(comparison, unmeasured_parts_are_null_and_no_reason)
{
    const auto result = compare_results(
        {base(), make_result("B", R"({"cycles": 200, "backend": "lt", "stacks": null, "critical_path": null,
                                              "latency": null, "estimate": {"of": "cycles", "error": 0.05}})")});
    EXPECT_EQ(result.at("stacks").at("sm0.scheduler0").at("scoreboard"), json::parse("[40, null]"));
    EXPECT_EQ(result.at("critical_path").at("passes.vertex"),
              json::parse(R"({"cycles": [60, null], "counts": [6, null]})"));
    EXPECT_EQ(result.at("figures").at(1),
              json::parse(R"({"key": "latency.ald.p99", "unit": "cycles", "values": [20, null]})"));
    const auto& change = result.at("changes").at(0).as_object();
    EXPECT_FALSE(change.contains("stack"));
    EXPECT_FALSE(change.contains("critical_path"));
    EXPECT_NE(change.at("text").as_string().find("B has no stacks. B has no critical path."), json::string::npos);
    EXPECT_EQ(change.at("text").as_string().find("Numbers of units"), json::string::npos);
}

/// A path that was recorded, and does not come through a part, has spent 0 cycles there.
TEST(comparison, a_path_that_misses_a_part_has_no_cycles_there)
{
    const auto path = compare_results({base(), make_result("B", "{" + slower + "}")}).at("critical_path");
    EXPECT_EQ(path.at("grant.vertex"), json::parse(R"({"cycles": [0, 1], "counts": [0, 1]})"));
}

TEST(comparison, a_resource_of_one_machine_only_is_null_on_the_other)
{
    const auto result = compare_results({base(), make_result("B", R"({"stacks": {
        "sm0.scheduler0": {"cycles": 90, "parts": {"issue": 15, "scoreboard": 40, "no_warp": 35}},
        "sm1.scheduler0": {"cycles": 90, "parts": {"issue": 90, "scoreboard": 0, "no_warp": 0}}}, "cycles": 110})")});
    EXPECT_EQ(result.at("stacks").at("sm1.scheduler0").at("issue"), json::parse("[null, 90]"));
    EXPECT_FALSE(result.at("changes").at(0).as_object().contains("stack")); // of what both have nothing grew
}

TEST(comparison, the_work_that_another_sm_takes_over_is_no_reason)
{
    const auto change = change_to(make_result("B", R"({"cycles": 80, "stacks": {
        "sm0.scheduler0": {"cycles": 80, "parts": {"issue": 15, "scoreboard": 5, "no_warp": 60}},
        "sm1.scheduler0": {"cycles": 80, "parts": {"issue": 15, "scoreboard": 5, "no_warp": 60}},
        "isbe0.pass_engine": {"cycles": 80, "parts": {"passes": 48, "no_request": 32}}}})"));
    EXPECT_EQ(change.at("stack").at("part"), "isbe0.pass_engine passes");
}

TEST(comparison, the_instruction_before_which_most_was_lost_is_named)
{
    const auto profile = [](const char* first, const char* second) {
        return std::string(R"("profile": {"vertex": [
            {"pc": 8, "text": "ALD R0, a[0x80]", "issues": 2, "stall_count": 5, "scoreboard": )") +
               first + R"(, "pipe": 0, "issue_slot": 1, "passes": 2},
            {"pc": 16, "text": "EXIT", "issues": 2, "stall_count": 0, "scoreboard": )" +
               second + R"(, "pipe": 0, "issue_slot": 0, "passes": 0}]})";
    };
    const auto before = make_result("A", "{" + profile("10", "20") + "}");
    const auto result =
        compare_results({before, make_result("B", "{" + slower + ", " + profile("12", "23") + "}"), base()});
    EXPECT_EQ(result.at("lines").at(0),
              json::parse(R"({"line": "vertex 0x0008 ALD R0, a[0x80]", "lost": [16, 18, null], "issues": [2, 2, null],
                              "latency_mean": [null, null, null], "passes": [2, 2, null]})"));
    EXPECT_EQ(result.at("changes").at(0).at("line"),
              json::parse(R"({"part": "vertex 0x0010 EXIT", "from": 20, "to": 23})"));
    EXPECT_NE(result.at("changes").at(0).at("text").as_string().find(
                  "What warps lost before vertex 0x0010 EXIT grew most, from 20 to 23 cycles."),
              json::string::npos);
}

TEST(comparison, estimate_is_labelled_and_proves_nothing)
{
    const std::string estimate = R"("estimate": {"of": "cycles", "error": 0.05}, "backend": "lt")";
    const auto mixed = change_to(make_result("B", "{" + slower + ", " + estimate + "}"));
    EXPECT_NE(mixed.at("text").as_string().find("B (estimate) takes 103 cycles"), json::string::npos);
    EXPECT_NE(mixed.at("text").as_string().find(
                  "B is an estimate, within 5 % over the shipped draws on such machines, and A is exact"),
              json::string::npos);
    EXPECT_FALSE(mixed.contains("cause"));
    const auto both = compare_results({make_result("A", "{" + estimate + "}"),
                                       make_result("B", "{" + slower + ", " + one_key + ", " + estimate + "}")});
    const auto& text = both.at("changes").at(0).at("text").as_string();
    EXPECT_NE(text.find("B (estimate) takes 103 cycles, 3 more than A (estimate)"), json::string::npos) << text;
    EXPECT_NE(text.find("Both are estimates"), json::string::npos) << text;
    EXPECT_FALSE(both.at("changes").at(0).as_object().contains("cause"));
    EXPECT_EQ(both.at("results").at(1).at("estimate").at("error"), 0.05);
}

TEST(different_work, lists_the_keys_that_differ)
{
    const auto difference = [](const std::string& a, const std::string& b) {
        return different_work(make_result("A", a).report, make_result("B", b).report);
    };
    EXPECT_EQ(difference("{}", "{" + two_keys + "}"), "");
    EXPECT_EQ(difference("{}", R"({"draw": {"topology": "lines", "vertices": 64, "programs": {"vertex": "0x02",
                                            "geometry": "0x03"}}})"),
              "topology (points and lines), vertices (32 and 64), programs.vertex, programs.geometry (only the second "
              "has one)");
    const std::string traffic = R"("draw": null, "bandwidth": {"read": {"bytes": 64}, "write": {"bytes": 0}})";
    EXPECT_EQ(difference("{}", "{" + traffic + "}"), "a draw and traffic straight into an ISBE");
    EXPECT_EQ(difference("{" + traffic + R"(, "transactions": {"ald": 3}})",
                         "{" + traffic + R"(, "transactions": {"ald": 4}})"),
              "transactions.ald (3 and 4)");
    EXPECT_EQ(difference("{" + traffic + R"(, "transactions": {"ald": 3}})",
                         "{" + traffic + R"(, "transactions": {"ald": 3}})"),
              "");
}

} // namespace
} // namespace isbesim::testbench

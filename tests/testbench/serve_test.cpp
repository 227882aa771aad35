// SPDX-License-Identifier: Apache-2.0
// `isbesim serve`: a line per request, and in it what `isbesim run` and `replay` report.
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "tests/testbench/process.h"
#include "tests/testbench/report_of.h"
#include "tests/testbench/samples.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

/// Answers by their ids' text.
std::map<std::string, json::object> answers_to(const std::string& requests)
{
    const temporary_folder folder;
    process_place place;
    place.input = folder.write("requests", requests);
    const auto done = run_isbesim({"serve", "--jobs", "2"}, place);
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_EQ(done.err, "");
    std::map<std::string, json::object> found;
    std::istringstream lines(done.out);
    for (std::string line; std::getline(lines, line);) {
        auto answer = json::parse(line).as_object();
        const auto id = json::serialize(answer.at("id"));
        EXPECT_TRUE(found.emplace(id, std::move(answer)).second) << id;
    }
    return found;
}

/// Without what differs from run to run, and the reruns of `isbesim run` with their keys.
std::string same_of(json::object report)
{
    for (const auto* key : {"host", "measured", "of", "rests_on"}) report.erase(key);
    report.at("covers").as_object().erase("measured");
    return json::serialize(report);
}

struct point {
    std::string request;              ///< without its id and what asks for the whole report
    std::vector<std::string> command; ///< the same
};

TEST(serve, a_point_has_the_report_of_the_command)
{
    const temporary_folder folder;
    const auto trace = folder.path("draw.trace");
    ASSERT_EQ(
        run_isbesim({"run", samples + "gs_pass", "--record", trace, "--quiet", "--out", folder.path("first")}).status,
        0);
    const auto draw = R"("scenario": ")" + samples;
    const auto sample = [](const char* name) { return samples + name + "/scenario.json"; };
    const std::vector<point> points = {
        {draw + R"(gs_pass/scenario.json")", {"run", sample("gs_pass")}},
        {draw + R"(gs_pass/scenario.json", "set": {"isbe.banks": 8, "isbe.skew": false})",
         {"run", sample("gs_pass"), "--set", "isbe.banks=8", "--set", "isbe.skew=false"}},
        {draw + R"(gs_streams/scenario.json", "config": {"isbe.banks": 16})",
         {"run", sample("gs_streams"), "--set", "isbe.banks=16"}},
        {draw + R"(gs_streams/scenario.json", "config": {"architectures": ["sm75"], "sm_count": 2})", // a warning
         {"run", sample("gs_streams"), "--config", R"({"architectures":["sm75"],"sm_count":2})"}},
        {draw + R"(sm75_vs_loop/scenario.json", "config": "tu102", "seed": 7)",
         {"run", sample("sm75_vs_loop"), "--config", "tu102", "--seed", "7"}},
        {draw + R"(gs_pass/scenario.json", "timing": "lt")", {"run", sample("gs_pass"), "--timing", "lt"}},
        {draw + R"(gs_pass/scenario.json", "isbe": "lt")", {"run", sample("gs_pass"), "--isbe", "lt"}},
        {draw + R"(gs_pass/scenario.json", "max_cycles": 50)", {"run", sample("gs_pass"), "--max-cycles", "50"}},
        {draw + R"(gs_pass/scenario.json", "options": ["--no-critical-path"])",
         {"run", sample("gs_pass"), "--no-critical-path"}},
        {R"("trace": ")" + trace + R"(", "set": {"isbe.banks": 16})", {"replay", trace, "--set", "isbe.banks=16"}},
    };
    std::string requests;
    for (unsigned round = 0; round < 2; ++round) // the second time scenarios are kept
        for (std::size_t i = 0; i < points.size(); ++i)
            requests += R"({"id": ")" + std::to_string(round) + "." + std::to_string(i) + R"(", "report": true, )" +
                        points[i].request + "}\n";
    const auto answers = answers_to(requests);
    ASSERT_EQ(answers.size(), 2 * points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        auto words = points[i].command;
        words.insert(words.end(), {"--quiet", "--out", folder.path("out")});
        const auto plain = run_isbesim(words);
        const auto report = report_in(folder.path("out"));
        for (const auto* round : {"\"0.", "\"1."}) {
            const auto& answer = answers.at(round + std::to_string(i) + "\"");
            EXPECT_EQ(answer.at("exit_status"), plain.status) << points[i].request;
            EXPECT_EQ(same_of(answer.at("report").as_object()), same_of(report)) << points[i].request;
            EXPECT_EQ(answer.at("cycles"), report.at("cycles"));
        }
    }
}

TEST(serve, figures_by_their_dotted_names)
{
    const temporary_folder folder;
    ASSERT_EQ(run_isbesim({"run", samples + "gs_pass", "--quiet", "--out", folder.path("out")}).status, 0);
    const auto report = report_in(folder.path("out"));
    const auto answers = answers_to(R"({"id": 1, "scenario": ")" + samples + "gs_pass\"}");
    const auto& figures = answers.at("1").at("figures").as_object();
    EXPECT_EQ(answers.at("1").at("status"), "done");
    EXPECT_EQ(figures.at("cycles"), report.at("cycles"));
    EXPECT_EQ(figures.at("latency.ald.p99"), report.at("latency").at("ald").at("p99"));
    EXPECT_EQ(figures.at("bank_conflicts.efficiency"), report.at("bank_conflicts").at("efficiency"));
    EXPECT_FALSE(figures.contains("host.wall_s"));
}

TEST(serve, requested_parts_are_in_the_answer)
{
    const temporary_folder folder;
    ASSERT_EQ(run_isbesim({"run", samples + "gs_pass", "--cycles", "100:200", "--profile", "--what-if", "--quiet",
                           "--out", folder.path("out")})
                  .status,
              0);
    const auto report = report_in(folder.path("out"));
    const auto answers = answers_to(R"({"id": 1, "scenario": ")" + samples +
                                    R"(gs_pass", "options": ["--cycles=100:200", "--profile", "--what-if"]})");
    const auto& answer = answers.at("1");
    for (const auto* part : {"window", "profile", "what_if"}) {
        ASSERT_TRUE(answer.contains(part)) << part;
        EXPECT_EQ(answer.at(part), report.at(part)) << part;
    }
    for (const auto& figure : answer.at("figures").as_object())
        EXPECT_NE(std::string(figure.key()).rfind("what_if", 0), 0U) << figure.key();
}

TEST(serve, refuses_options_without_effect)
{
    std::string requests;
    const std::vector<std::string> refused = {R"("--every", "10")", R"("--every=10")", R"("--out", "x")",
                                              R"("--progress")", R"("--quiet")"};
    for (std::size_t i = 0; i < refused.size(); ++i)
        requests += R"({"id": )" + std::to_string(i) + R"(, "scenario": ")" + samples + R"(gs_pass", "options": [)" +
                    refused[i] + "]}\n";
    const auto answers = answers_to(requests);
    ASSERT_EQ(answers.size(), refused.size());
    for (std::size_t i = 0; i < refused.size(); ++i) {
        const auto& answer = answers.at(std::to_string(i));
        const auto option = refused[i].substr(1, refused[i].find_first_of("=\"", 1) - 1);
        const std::string status(answer.at("status").as_string());
        EXPECT_EQ(answer.at("exit_status"), 2);
        EXPECT_EQ(status.rfind("wrong input: request:1:", 0), 0U) << status;
        EXPECT_NE(status.find(": " + option + " in a request"), std::string::npos) << status;
    }
}

TEST(serve, refusals_and_failures_are_answers)
{
    const auto draw = R"("scenario": ")" + samples + "gs_pass\"";
    const temporary_folder folder;
    const auto answers = answers_to(R"({"id": 1, )" + draw +
                                    R"(, "set": {"isbe.bankz": 8}})"
                                    "\n"
                                    R"({"id": 2, )" +
                                    draw +
                                    R"(, "colour": 1})"
                                    "\n"
                                    R"({"id": 3, "scenario": ")" +
                                    folder.path("none.json") +
                                    "\"}\n"
                                    R"({"id": 4, )" +
                                    draw +
                                    R"(, "max_cycles": 50})"
                                    "\n"
                                    "\n"
                                    R"({"id": 5, "seed": 1})"
                                    "\n"
                                    R"({"id": 6, )" +
                                    draw +
                                    R"(, "set": {"isbe.banks": [8]}})"
                                    "\n"
                                    "no JSON\n"
                                    R"({"id": 8, )" +
                                    draw +
                                    R"(, "config": {"isbe": {"banks": 3}}})"
                                    "\n"
                                    R"({"id": 7, )" +
                                    draw + "}"); // without a line feed
    ASSERT_EQ(answers.size(), 9U);
    const auto expect = [&](const char* id, int exit, const std::string& begin, const std::string& part) {
        const auto& answer = answers.at(id);
        const std::string status(answer.at("status").as_string());
        EXPECT_EQ(answer.at("exit_status"), exit) << status;
        EXPECT_EQ(status.rfind(begin, 0), 0U) << status;
        EXPECT_NE(status.find(part), std::string::npos) << status;
    };
    expect("1", 2, "wrong input: command-line:1:", "expected isbe.banks");
    expect("2", 2, "wrong input: request:1:", "'colour'");
    expect("3", 2, "wrong input: " + folder.path("none.json") + ":1:1: ", "expected a scenario");
    expect("4", 1, "watchdog: ", "50 cycles");
    expect("5", 2, "wrong input: request:1:1: ", "'scenario'");
    expect("6", 2, "wrong input: request:1:", "isbe.banks");
    expect("null", 2, "wrong input: request:1:1: ", "JSON");
    expect("7", 0, "done", "");
    expect("8", 2, "wrong input: config:1:", "isbe.banks = 3");
}

TEST(serve, the_command_line_is_checked)
{
    EXPECT_EQ(run_isbesim({"serve", "--jobs", "0"}).status, 2);
    EXPECT_EQ(run_isbesim({"serve", samples + "gs_pass"}).status, 2);
}

} // namespace
} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
// --profile against the database of the same run.
#include <map>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "tests/analysis/sql.h"
#include "tests/testbench/process.h"
#include "tests/testbench/report_of.h"
#include "tests/testbench/samples.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;
using options = std::vector<std::string>;

class profile : public testing::Test {
protected:
    json::object run(const std::string& scenario, const options& more)
    {
        return report_of(options{"run", samples + scenario, "--profile", "--database", folder_.path("run.sqlite")} +
                             more,
                         folder_.path("out"));
    }
    temporary_folder folder_;
};

std::uint64_t number(const json::value& line, const char* key)
{
    return line.at(key).to_number<std::uint64_t>();
}

std::uint64_t lost_before(const json::value& line)
{
    std::uint64_t all = 0;
    for (const auto* reason : {"stall_count", "scoreboard", "pipe", "issue_slot"}) all += number(line, reason);
    return all;
}

/// The sum of a column over all instructions.
std::uint64_t sum(const json::object& report, const char* key)
{
    std::uint64_t all = 0;
    for (const auto& [stage, lines] : report.at("profile").as_object())
        for (const auto& line : lines.as_array()) all += number(line, key);
    return all;
}

TEST_F(profile, sums_equal_the_database)
{
    const std::pair<const char*, options> runs[] = {
        {"gs_amplify_once", {}},
        {"gs_streams", {"--set", "sm_count=2", "--set", "isbe.ports=1", "--set", "isbe.banks=8"}},
        {"tess_quads_odd", {"--set", "isbe.skew=false", "--set", "sm.attribute_queue_depth=1"}},
        {"sm75_vs_transcendental", {"--set", "sm.special_lanes=2", "--set", "sm.integer_lanes=16"}},
    };
    std::uint64_t slots = 0, conflicts = 0, pipes = 0;
    for (const auto& [scenario, more] : runs) {
        SCOPED_TRACE(scenario);
        const auto report = run(scenario, more);
        const sql_file file(folder_.path("run.sqlite"));
        std::uint64_t issued = 0;
        for (const auto& [opcode, count] : report.at("instructions").as_object())
            issued += count.to_number<std::uint64_t>();
        EXPECT_EQ(sum(report, "issues"), issued);
        for (const auto& [key, column] : std::map<const char*, const char*>{{"stall_count", "stall_count_cycles"},
                                                                            {"scoreboard", "scoreboard_cycles"},
                                                                            {"pipe", "pipe_cycles"},
                                                                            {"issue_slot", "issue_cycles"}})
            EXPECT_EQ(sum(report, key), file.integer(std::string("SELECT sum(") + column + ") FROM warps")) << key;
        for (const auto& [stage, lines] : report.at("profile").as_object())
            for (const auto& line : lines.as_array()) {
                const auto count_of = [&, in = std::string(stage)](const char* what, const char* where) {
                    return "SELECT coalesce(" + std::string(what) +
                           ", 0) FROM transactions JOIN warps ON transactions.warp = warps.warp WHERE stage = '" + in +
                           "' AND pc = " + std::to_string(number(line, "pc")) + where;
                };
                EXPECT_EQ(number(line, "passes"), file.integer(count_of("sum(transactions.passes)", "")));
                const auto completed = " AND completes AND error = 0";
                const auto count = file.integer(count_of("count(*)", completed));
                if (count == 0) continue;
                EXPECT_DOUBLE_EQ(line.at("latency_mean").to_number<double>(),
                                 static_cast<double>(file.integer(count_of("sum(written - issued)", completed))) /
                                     static_cast<double>(count));
                EXPECT_EQ(number(line, "latency_max"), file.integer(count_of("max(written - issued)", completed)));
            }
        slots += sum(report, "issue_slot");
        // In a cycle that a scheduler loses to a pipe at least one warp waits for it.
        std::uint64_t schedulers = 0;
        for (const auto& [name, stack] : report.at("stacks").as_object())
            if (const auto* lost = stack.at("parts").as_object().if_contains("pipe"))
                schedulers += lost->to_number<std::uint64_t>();
        EXPECT_GE(sum(report, "pipe"), schedulers);
        EXPECT_EQ(sum(report, "pipe") != 0,
                  scenario == std::string("sm75_vs_transcendental")); // the others have no limit
        pipes += schedulers;
        conflicts += sum(report, "bank_conflict");
    }
    EXPECT_GT(slots, 0U);
    EXPECT_GT(pipes, 0U);
    EXPECT_GT(conflicts, 0U);
}

TEST_F(profile, the_page_has_the_instruction_that_waits_longest_first)
{
    const auto report = run("gs_amplify_once", {});
    std::uint64_t most = 0;
    std::string where;
    for (const auto& [stage, lines] : report.at("profile").as_object())
        for (const auto& line : lines.as_array()) {
            const auto lost = lost_before(line);
            if (lost <= most) continue;
            most = lost;
            where = line.at("text").as_string();
        }
    ASSERT_GT(most, 0U);
    const auto text = temporary_folder::read(folder_.path("out/report.md"));
    const auto section = text.substr(text.find("## Where in the programs"));
    const auto first = section.substr(section.find("---:|\n") + 6);
    EXPECT_NE(first.substr(0, first.find('\n')).find(where + " | " + std::to_string(most) + " |"), std::string::npos)
        << first.substr(0, 200);
    EXPECT_FALSE(report.at("profile").at("vertex").as_array().back().as_object().contains("latency_mean")); // EXIT
}

TEST_F(profile, names_the_pipe_that_an_instruction_waited_for)
{
    // A warp alone. DADD takes its two lanes for 16 cycles, MUFU its four for 8; stall counts are 2.
    const auto scenario =
        folder_.write("scenario.json", R"({"arch": "sm75", "draw": {"topology": "points", "vertex_count": 32},
        "stages": {"vertex": {"code": "vs.sass", "sph": {"omap": ["0x70"]}}}, "capture": ["0x70"]})");
    folder_.write("vs.sass", "DADD R2, R4, R6 &wr=0 ?stall=2 ;\nDADD R8, R4, R6 &wr=1 ?stall=2 ;\n"
                             "MUFU.RCP R10, R4 &wr=2 ?stall=2 ;\nIADD3 R11, R4, R5, RZ ?stall=2 ;\n"
                             "MUFU.RCP R12, R4 &wr=3 ?stall=2 ;\nEXIT &req=0x0f ?stall=15 ;\n");
    const auto report = report_of(options{"run", scenario, "--profile", "--set", "sm.fp64_lanes=2", "--set",
                                          "sm.special_lanes=4", "--set", "schedulers_per_sm=1"},
                                  folder_.path("out"));
    const auto& lines = report.at("profile").at("vertex").as_array();
    ASSERT_EQ(lines.size(), 6U);
    const std::uint64_t waits[] = {0, 16 - 2, 0, 0, 8 - 2 - 2, 0};
    const char* const units[] = {nullptr, "fp64", nullptr, nullptr, "special", nullptr};
    for (std::size_t i = 0; i < lines.size(); ++i) {
        EXPECT_EQ(number(lines[i], "pipe"), waits[i]) << i;
        const auto* unit = lines[i].as_object().if_contains("unit");
        EXPECT_EQ(unit == nullptr ? "" : unit->as_string(), units[i] == nullptr ? "" : units[i]) << i;
    }
}

TEST_F(profile, names_the_source_lines_of_a_listing)
{
    const auto scenario =
        folder_.write("scenario.json", R"({"arch": "sm50", "draw": {"topology": "points", "vertex_count": 40},
        "stages": {"vertex": {"code": "vs.sass", "lines": "vs.txt", "sph": {"omap": ["0x70"]}}}, "capture": ["0x70"]})");
    folder_.write("vs.sass", "MOV32I R1, 0x7 ?stall=6 ;\nAST a[0x70], R1 &rd=1 ?stall=2 ;\n"
                             "MOV R2, R1 ?stall=9 ;\nEXIT &req=0x02 ?stall=15 ;\n");
    folder_.write("vs.txt", "\t//## File \"points.vert\", line 3\n"
                            "        /*0008*/          MOV32I R1, 0x7 ;   /* 0x010000000077f001 */\n"
                            "\t//## File \"lib \\\"x\\\".glsl\", line 12 inlined at \"points.vert\", line 5\n"
                            "        /*0010*/          AST a[0x70], R1 ;\n/* no address */\n"
                            "\t//## File \"points.vert\", line 3\n        /*0018*/ MOV R2, R1 ;\n");
    const options words = {"run",        scenario,
                           "--profile",  "--quiet",
                           "--out",      folder_.path("out"),
                           "--database", folder_.path("run.sqlite")};
    const auto done = run_isbesim(words);
    ASSERT_EQ(done.status, 0) << done.err;
    const auto report = report_in(folder_.path("out"));
    const auto& lines = report.at("profile").at("vertex").as_array();
    ASSERT_EQ(lines.size(), 4U);
    const std::string other = R"(lib \"x\".glsl:12)";
    EXPECT_EQ(lines[0].at("source").as_string(), "points.vert:3");
    EXPECT_EQ(lines[1].at("source").as_string(), other);
    EXPECT_EQ(lines[2].at("source").as_string(), "points.vert:3");
    EXPECT_FALSE(lines[3].as_object().contains("source")); // EXIT is not in the listing
    // Both instructions of line 3 together.
    const auto lost = [&](std::size_t i) { return lost_before(lines[i]); };
    const auto page = temporary_folder::read(folder_.path("out/report.md"));
    EXPECT_NE(page.find("| vertex points.vert:3 | " + std::to_string(lost(0) + lost(2)) + " | " +
                        std::to_string(2 * number(lines[0], "issues")) + " | 0 | 0 |"),
              std::string::npos)
        << page;
    const sql_file file(folder_.path("run.sqlite"));
    EXPECT_EQ(file.integer("SELECT sum(passes) FROM transactions JOIN source_lines USING (pc) WHERE source = '" +
                           other + "'"),
              number(lines[1], "passes"));
    const std::pair<const char*, const char*> wrong[] = {
        {"/*0008*/ MOV32I R1, 0x7 ;\n", "vs.txt:1:1: no instruction has a source line"},
        {"//## File \"a\", line 1\n /*0020*/ EXIT ;\n", "vs.txt:2:2: the program has no instruction at this address"},
        {"\n//## File \"a\" 1\n", "vs.txt:2:1: a source line without its number"}};
    for (const auto& [text, error] : wrong) {
        folder_.write("vs.txt", text);
        const auto refused = run_isbesim(words);
        EXPECT_EQ(refused.status, 2);
        EXPECT_NE(refused.err.find(error), std::string::npos) << refused.err;
    }
}

TEST_F(profile, changes_no_other_figure_and_needs_single_cycles)
{
    auto with = run("gs_amplify_once", {});
    options words = {"run", samples + "gs_amplify_once"};
    auto without = report_of(words, folder_.path("out"));
    EXPECT_FALSE(without.contains("profile"));
    EXPECT_FALSE(without.at("covers").as_object().contains("profile"));
    with.erase("profile");
    with.at("covers").as_object().erase("profile");
    for (auto* each : {&with, &without})
        for (const auto* key : {"host", "of"}) each->erase(key);
    EXPECT_EQ(with, without);
    words.insert(words.end(), {"--profile", "--timing", "lt"});
    const auto refused = run_isbesim(words);
    EXPECT_EQ(refused.status, 2);
    EXPECT_NE(refused.err.find("--profile with --timing lt"), std::string::npos) << refused.err;
}

} // namespace
} // namespace isbesim::testbench

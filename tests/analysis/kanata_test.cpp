// SPDX-License-Identifier: Apache-2.0
// --kanata: every instruction of a run once, with phases in order that end in the database's cycles.
#include <sstream>

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

class kanata : public testing::Test {
protected:
    struct instruction {
        std::uint64_t thread = 0;
        std::string text;
        std::vector<std::pair<std::uint64_t, std::string>> phases;
        std::uint64_t end = 0;
        bool retired = false;
    };

    void run(const std::string& scenario, const words& more = {}, int status = 0)
    {
        const auto result =
            run_isbesim(words{"run", samples + scenario + "/scenario.json", "--quiet", "--out", folder_.path("out"),
                              "--kanata", folder_.path("k"), "--database", folder_.path("d.sqlite")} +
                        more);
        ASSERT_EQ(result.status, status) << result.err;
        read();
    }
    /// Checks the rules for every file of this format.
    void read()
    {
        instructions_.clear();
        std::istringstream file(temporary_folder::read(folder_.path("k")));
        std::string line;
        std::getline(file, line);
        ASSERT_EQ(line, "Kanata\t0004");
        std::uint64_t cycle = 0;
        bool begun = false;
        while (std::getline(file, line)) {
            std::istringstream in(line);
            std::string word;
            std::vector<std::string> words;
            while (std::getline(in, word, '\t')) words.push_back(word);
            const auto number = [&](std::size_t which) { return std::stoull(words.at(which)); };
            if (words[0] == "C=") {
                ASSERT_FALSE(begun);
                cycle = number(1);
                begun = true;
                continue;
            }
            ASSERT_TRUE(begun) << line;
            if (words[0] == "C") {
                ASSERT_GT(number(1), 0U);
                cycle += number(1);
            } else if (words[0] == "I") {
                ASSERT_EQ(number(1), instructions_.size()) << "numbered in the order in which they begin";
                instructions_.push_back({number(3), "", {}, 0, false});
            } else {
                ASSERT_LT(number(1), instructions_.size());
                auto& one = instructions_[number(1)];
                ASSERT_FALSE(one.retired) << line;
                if (words[0] == "L" && words[2] == "0") one.text = words.at(3);
                if (words[0] == "S") one.phases.emplace_back(cycle, words.at(3));
                if (words[0] == "E") {
                    EXPECT_EQ(words.at(3), one.phases.back().second);
                }
                if (words[0] == "R") {
                    one.retired = true;
                    one.end = cycle;
                }
            }
        }
        for (const auto& one : instructions_) {
            ASSERT_TRUE(one.retired);
            ASSERT_FALSE(one.phases.empty());
            EXPECT_LT(one.phases.back().first, one.end) << one.text;
            for (std::size_t i = 1; i < one.phases.size(); ++i)
                EXPECT_LT(one.phases[i - 1].first, one.phases[i].first) << one.text;
        }
    }
    std::uint64_t sql(const std::string& query) const { return sql_file(folder_.path("d.sqlite")).integer(query); }
    std::uint64_t issued() const
    {
        const auto report = report_in(folder_.path("out"));
        std::uint64_t sum = 0;
        for (const auto& each : report.at("instructions").as_object()) sum += each.value().to_number<std::uint64_t>();
        return sum;
    }
    /// Cycles that instructions spent in a phase.
    std::uint64_t cycles(const std::string& phase) const
    {
        std::uint64_t sum = 0;
        for (const auto& one : instructions_)
            for (std::size_t i = 0; i < one.phases.size(); ++i)
                if (one.phases[i].second == phase)
                    sum += (i + 1 < one.phases.size() ? one.phases[i + 1].first : one.end) - one.phases[i].first;
        return sum;
    }

    temporary_folder folder_;
    std::vector<instruction> instructions_;
};

TEST_F(kanata, has_every_instruction_with_the_phases_of_the_database)
{
    for (const std::string scenario : {"gs_amplify_once", "tess_patch_readback", "task_mesh_payload", "vs_branches"}) {
        SCOPED_TRACE(scenario);
        run(scenario, {"--set", "sm_count=2", "--set", "sm.integer_lanes=8"});
        EXPECT_EQ(instructions_.size(), issued());
        // The reasons that held instructions back, and the places of instructions that went to the ISBE.
        EXPECT_EQ(cycles("Sc"), sql("SELECT SUM(stall_count_cycles) FROM warps"));
        EXPECT_EQ(cycles("Sb"), sql("SELECT SUM(scoreboard_cycles) FROM warps"));
        EXPECT_EQ(cycles("Wp"), sql("SELECT SUM(pipe_cycles) FROM warps"));
        EXPECT_EQ(cycles("Ws"), sql("SELECT SUM(issue_cycles) FROM warps"));
        const std::string operations = " FROM transactions WHERE warp IS NOT NULL AND completes = 1";
        EXPECT_EQ(cycles("Ps"), sql("SELECT SUM(passes)" + operations));
        EXPECT_EQ(cycles("Pq"), sql("SELECT SUM(granted - accepted)" + operations));
        EXPECT_EQ(cycles("Aq") + cycles("Rq"), sql("SELECT SUM(accepted - issued)" + operations));
    }
}

TEST_F(kanata, instructions_are_named_as_the_disassembler_does)
{
    run("gs_amplify_once");
    EXPECT_EQ(instructions_.front().text, "0 vertex 0008: ALD.128 R0, a[0x90]");
    bool geometry = false;
    for (const auto& one : instructions_) geometry = geometry || one.text.find(" geometry ") != std::string::npos;
    EXPECT_TRUE(geometry);
}

TEST_F(kanata, cycles_cut_it)
{
    run("gs_amplify_once");
    std::size_t inside = 0;
    for (const auto& one : instructions_) inside += one.phases.front().first <= 400 && one.end >= 200 ? 1 : 0;
    const auto all = instructions_.size();
    run("gs_amplify_once", {"--cycles", "200:400"});
    EXPECT_EQ(instructions_.size(), inside);
    EXPECT_LT(inside, all);
    EXPECT_GT(inside, 0U);
}

TEST_F(kanata, stopped_run_is_complete)
{
    run("gs_amplify_once", {"--max-cycles", "150"}, 1);
    EXPECT_GT(instructions_.size(), 0U);
    EXPECT_EQ(instructions_.size(), issued());
}

TEST_F(kanata, options_that_cut_nothing_are_refused)
{
    const auto error = [&](std::vector<std::string> words) {
        words.insert(words.begin(), {"run", samples + "vs_text/scenario.json", "--out", folder_.path("out")});
        const auto result = run_isbesim(words);
        EXPECT_EQ(result.status, 2);
        return result.last_error();
    };
    EXPECT_NE(error({"--cycles", "1:2", "--timing", "lt"}).find("--cycles with --timing lt"), std::string::npos);
    EXPECT_NE(error({"--every", "0"}).find("--every is 0, expected at least 1 cycle"), std::string::npos);
    EXPECT_NE(error({"--kanata", folder_.path("k"), "--cycles", "2:1"}).find("FIRST <= LAST"), std::string::npos);
    EXPECT_NE(error({"--kanata", folder_.path("no/k")}).find("can't be written"), std::string::npos);
}

} // namespace
} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
// Many seeds of the cross-check by one command: each run is what it is alone, and all together are their sum.
#include <set>
#include <string>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "testbench/crosscheck/phases.h"
#include "tests/testbench/process.h"
#include "tests/testbench/report_of.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

class crosscheck_runs : public testing::Test {
protected:
    process_result run(const words& more) const
    {
        return run_isbesim(words{"crosscheck", "--isbe", "at", "--transactions", "3000", "--out", folder_.path("out")} +
                           more);
    }
    std::string text(const std::string& name) const { return temporary_folder::read(folder_.path("out/" + name)); }
    json::object report(const std::string& name = "") const
    {
        auto whole = report_in(folder_.path("out/" + name));
        for (const auto* key : {"host", "of"}) whole.erase(key);
        return whole;
    }

    temporary_folder folder_;
};

std::uint64_t number(const json::value& value)
{
    return value.to_number<std::uint64_t>();
}

TEST_F(crosscheck_runs, part_equals_a_run_alone)
{
    ASSERT_EQ(run({"--runs", "3", "--seed", "7"}).status, 0);
    const auto of_8 = report("seeds/8/");
    EXPECT_EQ(report().at("runs").as_array().size(), 3U);
    const auto identity = report_in(folder_.path("out")).at("of");
    EXPECT_EQ(identity.at("command").as_array().back(), "7");
    EXPECT_EQ(identity.at("machine"), "default");
    ASSERT_EQ(run({"--seed", "8"}).status, 0);
    EXPECT_EQ(report(), of_8);
}

TEST_F(crosscheck_runs, all_together_are_the_sum)
{
    const auto done = run({"--runs", "3", "--seed", "7"});
    ASSERT_EQ(done.status, 0);
    const auto all = report();
    std::uint64_t cycles = 0, loads = 0, one_lane = 0, sizes = 0;
    std::string table = "seed,status,result,transactions,cycles\n";
    for (const auto seed : {"7", "8", "9"}) {
        const auto own = report(std::string("seeds/") + seed + "/");
        cycles += number(own.at("cycles"));
        loads += number(own.at("transactions").at("ald"));
        one_lane += number(own.at("coverage").at("hits").at("lanes.ald.one"));
        sizes += number(own.at("coverage").at("conditions").at("hits").at("page.ald.logical.input.held"));
        std::uint64_t operations = 0;
        for (const auto& [opcode, count] : own.at("transactions").as_object()) operations += number(count);
        table += std::string(seed) + ",0,done," + std::to_string(operations) + "," +
                 std::to_string(number(own.at("cycles"))) + "\n";
    }
    EXPECT_EQ(number(all.at("cycles")), cycles);
    EXPECT_EQ(number(all.at("transactions").at("ald")), loads);
    const auto& coverage = all.at("coverage");
    EXPECT_EQ(number(coverage.at("hits").at("lanes.ald.one")), one_lane);
    EXPECT_EQ(number(coverage.at("conditions").at("hits").at("page.ald.logical.input.held")), sizes);
    EXPECT_GT(one_lane, 0U);
    EXPECT_GT(sizes, 0U);
    EXPECT_EQ(text("seeds.csv"), table);
    EXPECT_NE(done.out.find("3 runs with seeds 7 to 9"), std::string::npos) << done.out;
}

TEST_F(crosscheck_runs, number_of_processes_does_not_change_the_result)
{
    ASSERT_EQ(run({"--runs", "4", "--jobs", "1"}).status, 0);
    const auto one = report();
    const auto seeds = text("seeds.csv");
    ASSERT_EQ(run({"--runs", "4", "--jobs", "3"}).status, 0);
    EXPECT_EQ(report(), one);
    EXPECT_EQ(text("seeds.csv"), seeds);
}

// A condition that one run misses may be hit by another.
TEST_F(crosscheck_runs, coverage_is_required_of_all_together)
{
    const auto few = run({"--runs", "1", "--require-coverage"});
    EXPECT_EQ(few.status, 1);
    EXPECT_NE(few.err.find("coverage bins were not hit"), std::string::npos) << few.err;
    const auto many = run({"--runs", "16", "--require-coverage"});
    EXPECT_EQ(many.status, 0) << many.err;
    EXPECT_LT(number(report("seeds/1/").at("coverage").at("hit")), number(report().at("coverage").at("hit")));
}

TEST_F(crosscheck_runs, refuses_conflicting_options)
{
    const auto refused = [&](const std::vector<std::string>& more, const std::string& why) {
        const auto done = run(more);
        EXPECT_EQ(done.status, 2);
        EXPECT_NE(done.err.find(why), std::string::npos) << done.err;
    };
    refused({"--runs", "0"}, "--runs is 0, expected 1 to");
    refused({"--runs", "2", "--jobs", "0"}, "--jobs is 0, expected at least 1");
    refused({"--jobs", "2"}, "--jobs with one run, expected --runs");
    refused({"--seconds", "2"}, "--seconds with one run, expected the plan of phases");
    refused({"--phase", "corner"}, "no phase 'corner', expected corners");
    refused({"--runs", "2", "--seed", "18446744073709551615"}, "--seed is 18446744073709551615");
    EXPECT_EQ(run({"--runs", "2", "--seed", "18446744073709551614"}).status, 0);
    refused({"--runs", "2", "--record", folder_.path("a.trace")}, "--record with many runs");
    refused({"--runs", "2", "--database", folder_.path("a.sqlite")}, "--database with many runs");
}

TEST_F(crosscheck_runs, set_changes_a_named_configuration)
{
    ASSERT_EQ(run({"--rtl", "small", "--set", "isbe.banks=16"}).status, 0);
    const auto whole = report_in(folder_.path("out"));
    EXPECT_EQ(whole.at("config").at("isbe").at("banks"), 16);
    EXPECT_EQ(whole.at("config").at("isbe").at("lines"), 64);
    EXPECT_EQ(whole.at("of").at("changed"), (json::object{{"isbe.banks", 16}}));
}

/// Without --transactions: all phases, with a report of all together.
TEST_F(crosscheck_runs, the_plan_has_every_phase)
{
    const auto done =
        run_isbesim({"crosscheck", "--isbe", "at", "--set", "isbe.lines=64", "--out", folder_.path("out")});
    ASSERT_EQ(done.status, 0) << done.err;
    EXPECT_EQ(report_in(folder_.path("out")).at("of").at("command"),
              json::value({"isbesim", "crosscheck", "--isbe", "at", "--set", "isbe.lines=64"}));
    const auto all = report();
    std::set<std::string> seen;
    std::uint64_t transactions = 0;
    for (const auto& run : all.at("phases").as_array()) {
        seen.insert(run.at("phase").as_string().c_str());
        transactions += number(run.at("transactions"));
        EXPECT_EQ(run.at("result").as_string(), "done");
        EXPECT_TRUE(report_in(folder_.path("out/" + std::string(run.at("folder").as_string()))).contains("result"));
    }
    for (const auto& each : phases()) EXPECT_EQ(seen.count(each.name), each.histories == 0 ? 0U : 1U) << each.name;
    EXPECT_NE(done.out.find(std::to_string(transactions) + " transactions"), std::string::npos) << done.out;
    EXPECT_NE(done.out.find("section  bins"), std::string::npos) << done.out;
    EXPECT_EQ(number(all.at("coverage").at("hit")), number(all.at("coverage").at("bins")));
}

/// Every interface of the model, against the oracle, on machines that differ in all parameters.
class interfaces : public crosscheck_runs, public testing::WithParamInterface<const char*> {};
TEST_P(interfaces, agree_with_the_oracle)
{
    for (const auto* const seed : {"1", "2"}) {
        const auto done = run_isbesim({"crosscheck", "--phase", "interfaces", "--rtl", GetParam(), "--seed", seed,
                                       "--transactions", "1000", "--out", folder_.path("out")});
        ASSERT_EQ(done.status, 0) << done.err;
        EXPECT_GT(number(report().at("crosscheck").at("transactions")), 600U);
    }
}
INSTANTIATE_TEST_SUITE_P(of, interfaces, testing::Values("default", "smallest", "unskewed", "by_line", "choices"));

} // namespace
} // namespace isbesim::testbench

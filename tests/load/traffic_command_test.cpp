// SPDX-License-Identifier: Apache-2.0
// `isbesim traffic` as a user runs it.
#include <sstream>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "tests/testbench/process.h"
#include "tests/testbench/report_of.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

class traffic_command : public testing::Test {
protected:
    process_result run(const words& options)
    {
        return run_isbesim(words{"traffic"} + options + words{"--out", folder_.path("out")});
    }
    json::value report() const { return report_in(folder_.path("out")); }
    std::string text(const std::string& name) const { return folder_.read(folder_.path("out/" + name)); }

    temporary_folder folder_;
};

TEST_F(traffic_command, a_load_has_its_figures)
{
    const auto result = run({"--outstanding", "1", "--mix", "isberd", "--conflict", "4", "--operations", "1000"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_NE(result.out.find("latency: mean 27, p50 27, p99 27, longest 27 cycles"), std::string::npos) << result.out;
    const auto load = report().at("load");
    EXPECT_EQ(load.at("operations"), 1000);
    EXPECT_EQ(load.at("cycles"), 27'000);
    EXPECT_EQ(load.at("outstanding"), 1);
    EXPECT_EQ(load.at("in_flight"), 1);
    EXPECT_EQ(load.at("in_block"), 1);
    EXPECT_EQ(report().at("result").at("status"), "done");
    EXPECT_EQ(report().at("latency").at("isberd").at("max"), 27);
}

TEST_F(traffic_command, a_curve_has_a_page_a_table_and_a_picture)
{
    const auto result = run({"--curve", "--points", "4", "--operations", "2000", "--conflict", "2"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_NE(result.out.find("Saturation: 0.5 operations per cycle are accepted, 64 bytes per cycle."),
              std::string::npos)
        << result.out;
    std::istringstream rows(text("curve.csv"));
    std::string line;
    std::getline(rows, line);
    EXPECT_EQ(line, "load,offered,accepted,bytes_per_cycle,mean,p50,p99,max,expected_mean,saturated");
    std::size_t count = 0;
    while (std::getline(rows, line)) ++count;
    EXPECT_EQ(count, report().at("curve").at("points").as_array().size());
    EXPECT_EQ(count, 6U); // near 0, 25, 50, 75, 98 and 110 %
    EXPECT_NE(text("report.md").find("\nThe mean latency is twice that at"), std::string::npos);
    EXPECT_NE(text("report.md").find("| isbe.banks | 32 |"), std::string::npos);
    const auto page = page_in(folder_.path("out/report.html"));
    EXPECT_EQ(std::string(page.at("of").as_string()).rfind("Machine default; back end at; isbesim ", 0), 0U);
    const auto& chart = page.at("charts").at(0);
    EXPECT_EQ(chart.at("ylabel"), "latency (cycles)");
    // Five loads below saturation, the mean of each as in the report.
    const auto& mean = chart.at("panels").at(0).at("lines").at(1);
    EXPECT_EQ(mean.at("name"), "mean");
    ASSERT_EQ(mean.at("y").as_array().size(), 5U);
    for (std::size_t i = 0; i < 5; ++i)
        EXPECT_EQ(mean.at("y").at(i), report().at("curve").at("points").at(i).at("mean"));
}

TEST_F(traffic_command, the_same_seed_gives_the_same_files)
{
    const std::vector<std::string> words = {"--curve", "--points", "2", "--operations", "500", "--mix", "ald=2,ast=1"};
    ASSERT_EQ(run(words).status, 0);
    const auto first = text("curve.csv");
    ASSERT_EQ(run(words).status, 0);
    EXPECT_EQ(text("curve.csv"), first);
    auto other = words;
    other.insert(other.end(), {"--seed", "2"});
    ASSERT_EQ(run(other).status, 0);
    EXPECT_NE(text("curve.csv"), first);
}

} // namespace
} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
// pe.consumer: the attributes read after the last stage, and their effect on cycles and columns.
#include <algorithm>
#include <cstdio>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/pipeline/derived_scenario.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

/// The rows of a vertices.csv, with only the named columns.
std::string columns_of(const std::string& csv, const std::vector<std::string>& names)
{
    std::istringstream lines(csv);
    std::string line;
    std::vector<std::size_t> places;
    std::string result;
    while (std::getline(lines, line)) {
        std::vector<std::string> cells;
        std::istringstream row(line);
        for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
        if (places.empty())
            for (const auto& name : names)
                places.push_back(static_cast<std::size_t>(std::find(cells.begin(), cells.end(), name) - cells.begin()));
        for (const auto place : places) result += cells.at(place) + ",";
        result += "\n";
    }
    return result;
}

using parameters = std::tuple<std::string, std::string>;

/// Shipped scenarios with every kind of last stage.
class consumer : public testing::TestWithParam<parameters> {
protected:
    struct outcome {
        json::value timing; ///< everything that a capture list could change
        std::string vertices;
    };
    outcome run(const char* rule, const json::value& capture)
    {
        for (const auto* key : {"expect", "expect_order", "expect_ulp", "expect_tolerance"}) scenario.root().erase(key);
        scenario.root()["capture"] = capture;
        const auto result = scenario.run(std::get<1>(GetParam()), {"--set", std::string("pe.consumer=") + rule});
        EXPECT_EQ(result.status, 0) << result.err;
        const auto report = scenario.report();
        EXPECT_EQ(report.at("config").at("pe").at("consumer"), rule);
        EXPECT_NE(std::string(report.at("covers").at("consumer").as_string())
                      .find(std::string(rule) == "written" ? "all attributes" : "captured attributes"),
                  std::string::npos);
        json::object timing;
        for (const auto* key : {"cycles", "latency", "bandwidth", "bank_conflicts", "discarded", "stalls", "occupancy"})
            timing[key] = report.at(key);
        return {timing, scenario.vertices()};
    }
    derived_scenario scenario{std::get<0>(GetParam())};
};

INSTANTIATE_TEST_SUITE_P(
    shipped, consumer,
    testing::Combine(testing::Values("vs_sixteen_vectors", "gs_amplify_once", "gs_fast", "gs_passthrough",
                                     "gs_passthrough_layer", "tess_points", "mesh_terrain", "task_mesh_primitives"),
                     testing::Values("lt", "at")),
    [](const auto& chosen) { return std::get<0>(chosen.param) + "_" + std::get<1>(chosen.param); });

TEST_P(consumer, PIPE_01_written_makes_cycles_independent_of_the_capture_list)
{
    const json::array one{"0x70"};
    const json::array others{"0x7c", "0x74", "0x90", "0x200"}; // 0x200 is unwritten
    json::array every;
    for (unsigned address = 0x60; address < 0x280; address += 4) {
        char text[8];
        std::snprintf(text, sizeof text, "0x%x", address);
        every.emplace_back(text);
    }
    const auto all = run("written", every);
    for (const auto& list : {one, others}) {
        const auto some = run("written", list);
        EXPECT_EQ(some.timing, all.timing);
        std::vector<std::string> names{"stream", "primitive", "vertex"};
        for (const auto& address : list) names.emplace_back(address.as_string());
        EXPECT_EQ(columns_of(some.vertices, names), columns_of(all.vertices, names));
        // Reading fewer attributes gives the same words.
        EXPECT_EQ(run("captured", list).vertices, some.vertices);
    }
}

TEST_P(consumer, PIPE_01_captured_is_the_default_and_reads_the_listed_attributes)
{
    const auto few = run("captured", json::array{"0x200"}).timing; // unwritten
    const auto more = run("captured", json::array{"0x70", "0x80"}).timing;
    const auto bytes = [](const json::value& timing) {
        return timing.at("bandwidth").at("read").at("bytes").to_number<double>();
    };
    const auto& name = std::get<0>(GetParam());
    EXPECT_LT(bytes(few), bytes(more)) << name;
    EXPECT_LE(bytes(more), bytes(run("written", json::array{"0x70"}).timing)) << name;
}

} // namespace
} // namespace isbesim::testbench

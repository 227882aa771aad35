// SPDX-License-Identifier: Apache-2.0
// pe.consumer: the attributes read after the last stage, and their effect on cycles and columns.
#include <algorithm>
#include <cstdio>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/pipeline/derived_scenario.h"
#include "tlm/float_bits.h"

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
                      .find(std::string(rule) == "written"    ? "all attributes"
                            : std::string(rule) == "captured" ? "captured attributes"
                                                              : "positions"),
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

class rasteriser : public consumer {};

INSTANTIATE_TEST_SUITE_P(geometry_without_state, rasteriser,
                         testing::Combine(testing::Values("gs_fast", "gs_passthrough_layer"),
                                          testing::Values("lt", "at")),
                         [](const auto& chosen) {
                             return std::get<0>(chosen.param) + "_" + std::get<1>(chosen.param);
                         });

// Two triangles, the second beyond x = w. The fast program makes their first vertices points. Each vertex and each
// point has one word besides its position.
TEST_P(rasteriser, PIPE_01_reads_late_attributes_of_kept_vertices)
{
    const bool fast = std::get<0>(GetParam()) == "gs_fast";
    if (fast)
        scenario.set_stage("geometry",
                           "S2R R0, SR_INVOCATION_INFO ;\nPRMT R8, R0, 0x4442, RZ ;\nPRMT R9, R0, 0x4440, RZ ;\n"
                           "XMAD R1, R8, R9, RZ ;\nISBERD R1, [R1] ;\nALD.128 R4, a[0x70], R1 ;\n"
                           "AST.128 a[0x70], R4, R9 ;\nAST a[0x80], R4, R9 ;\nEXIT ;\n",
                           json::parse(R"({"imap": ["0x70..0x7c"], "omap": ["0x70..0x80"], "stream_out_mask": 1,
                                           "output_topology": "points", "max_output_vertex_count": 1})"));
    scenario.draw()["topology"] = "triangles";
    scenario.draw()["vertex_count"] = 6;
    json::array words;
    for (const float x : {0.0F, 0.5F, 0.0F, 5.0F, 5.5F, 5.0F})
        for (const float each : {x, words.size() == 8 ? 0.5F : 0.0F, 0.0F, 1.0F}) words.push_back(to_bits(each));
    scenario.root()["attributes"] = {{"0x80", {{"components", 4}, {"words", words}}}};
    const json::array position{"0x70", "0x74", "0x78", "0x7c"};
    const auto bytes = [&](const char* rule) {
        return run(rule, position).timing.at("bandwidth").at("read").at("bytes").to_number<unsigned>();
    };
    const unsigned kept = 4 * (fast ? 1 : 3 + 1), captured = bytes("captured");
    EXPECT_EQ(bytes("rasteriser"), captured + kept);
    EXPECT_EQ(scenario.report().at("output").at("culled_outside"), 1U);
    EXPECT_EQ(bytes("written"), captured + 2 * kept);
}

struct viewport_load {
    const char* name;
    const char* text; ///< null: passthrough
    const char* sph;
    unsigned vertices;
};
class viewport : public testing::TestWithParam<viewport_load> {};

#define GEOMETRY(topology, maximum, streams)                                                                           \
    R"({"imap": ["0x70"], "omap": ["0x70"], "output_topology": ")" topology                                            \
    R"(", "max_output_vertex_count": )" maximum R"(, "stream_out_mask": )" streams "}"

// Five threads; passthrough has lines i, i + 1 for i below 32 and 16 lines 0, 1, in warps of 24.
INSTANTIATE_TEST_SUITE_P(
    of, viewport,
    testing::Values(viewport_load{"short_strips",
                                  "MOV R0, RZ ;\nOUT.EMIT R0, R0, RZ ;\nOUT.EMIT_THEN_CUT R0, R0, RZ ;\n"
                                  "OUT.EMIT R0, R0, RZ ;\nEXIT ;\n",
                                  GEOMETRY("line_strip", "9", "1"), 5 * 2},
                    viewport_load{"other_streams",
                                  "MOV R0, RZ ;\nOUT.EMIT R0, R0, 0x1 ;\nOUT.EMIT R0, R0, RZ ;\nEXIT ;\n",
                                  GEOMETRY("points", "3", "3"), 5},
                    viewport_load{"warps_of_a_batch", nullptr, nullptr, 25 + 10}),
    [](const auto& instance) { return std::string(instance.param.name); });

TEST_P(viewport, takes_each_vertex_of_a_warps_primitives_once)
{
    const auto& load = GetParam();
    derived_scenario scenario(load.text == nullptr ? "gs_passthrough_layer" : "gs_fast");
    scenario.root().erase("expect");
    if (load.text != nullptr) {
        scenario.draw().erase("gs_mode");
        scenario.draw()["topology"] = "points";
        scenario.set_stage("geometry", load.text, json::parse(load.sph));
    } else {
        json::array indices, words;
        for (unsigned line = 0; line < 48; ++line)
            for (const auto end : {line, line + 1}) indices.push_back(line < 32 ? end % 32 : end - line);
        for (unsigned i = 0; i < 4 * 32; ++i) words.push_back(i);
        scenario.root()["draw"] = {{"topology", "lines"}, {"vertex_count", indices.size()}, {"indices", indices}};
        scenario.root()["attributes"] = {{"0x80", {{"components", 4}, {"words", words}}}};
    }
    ASSERT_EQ(scenario.run("at", {"--set", "pe.vertices_per_cycle=0.25"}).status, 0);
    EXPECT_EQ(scenario.report().at("stacks").at("pe.viewport").at("busy"), 4 * load.vertices);
}

} // namespace
} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
// SM75 programs read and change the output MAP of their stage (HARDWARE.md D.4), and share spaces (header bit 25).
#include <gtest/gtest.h>

#include "tests/pipeline/derived_scenario.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

class output_map_programs : public testing::TestWithParam<std::string> {
protected:
    /// A draw of vertices whose attribute 0x80 is their number.
    void start(const std::string& topology, unsigned vertices)
    {
        auto& root = scenario.root();
        root = {{"arch", "sm75"}, {"stages", json::object{}}};
        json::array words;
        for (unsigned i = 0; i < vertices; ++i) words.push_back(i);
        root["attributes"] = {{"0x80", {{"components", 1}, {"words", words}}}};
        root["draw"] = {{"topology", topology}, {"vertex_count", vertices}};
    }
    std::string run(const std::vector<std::string>& options = {})
    {
        const auto result = scenario.run(GetParam(), options);
        EXPECT_EQ(result.status, 0) << result.err;
        return scenario.vertices();
    }
    std::string warnings() { return json::serialize(scenario.report().at("warnings")); }

    derived_scenario scenario{"sm75_vs_branches"};
};
INSTANTIATE_TEST_SUITE_P(on, output_map_programs, testing::Values("lt", "at"),
                         [](const auto& chosen) { return chosen.param; });

// The geometry thread's vertex 0 is the vertex that the vertex program substituted.
TEST_P(output_map_programs, ISBE_06_ISBE_07_a_program_replaces_count_and_indices)
{
    start("triangles", 3);
    scenario.root()["capture"] = {"0x80", "0x84", "0x88"};
    scenario.set_stage("vertex",
                       "ALD R0, a[0x80] ;\nISBERD.O.32 R1, [RZ] ;\nMOV R2, 0x3 ;\nMOV R3, 0x63 ;\n"
                       "ISBEWR.O.32 [R2], R3 ;\nMOV R4, 0x4 ;\nMOV R5, 0x2 ;\nISBEWR.O [R4], R5 ;\n"
                       "ISBERD.O.32 R6, [RZ] ;\nAST a[0x80], R0 ;\nAST a[0x84], R1 ;\nAST a[0x88], R6 ;\nEXIT ;\n",
                       {{"imap", {"0x80"}}, {"omap", {"0x80", "0x84", "0x88"}}});
    scenario.set_stage("geometry",
                       "MOV R12, RZ ;\nISBERD R3, [RZ] ;\nALD R4, a[0x80], R3 ;\nALD R5, a[0x84], R3 ;\n"
                       "ALD R6, a[0x88], R3 ;\nAST a[0x80], R4, R12 ;\nAST a[0x84], R5, R12 ;\n"
                       "AST a[0x88], R6, R12 ;\nOUT.EMIT R12, R12, RZ ;\nOUT.FINAL RZ, R12, RZ ;\nEXIT ;\n",
                       {{"imap", {"0x80", "0x84", "0x88"}},
                        {"omap", {"0x80", "0x84", "0x88"}},
                        {"output_topology", "points"},
                        {"max_output_vertex_count", 1},
                        {"stream_out_mask", 1}});
    const std::string header = "stream,primitive,vertex,0x80,0x84,0x88\n0,0,0,";
    EXPECT_EQ(run(), header + "0x00000002,0x00000001,0x00000063\n");
    EXPECT_EQ(run({"--set", "isbe.map_byte_swap=true"}), header + "0x00000002,0x01000000,0x63000000\n");
}

TEST_P(output_map_programs, ISBE_09_lines_of_its_own_are_reported)
{
    start("points", 2);
    scenario.root()["capture"] = json::array{"0x70"};
    scenario.set_stage("vertex", "ALD R0, a[0x80] ;\nAST a[0x70], R0 ;\nEXIT ;\n",
                       {{"imap", {"0x80"}}, {"omap", {"0x70"}}});
    scenario.set_stage("geometry",
                       "ALD R4, a[0x70], RZ ;\nAST a[0x70], R4, RZ ;\nOUT.EMIT R0, RZ, RZ ;\nOUT.FINAL RZ, R0, RZ ;\n"
                       "EXIT ;\n",
                       {{"imap", {"0x70"}},
                        {"omap", {"0x70"}},
                        {"shared_spaces", true},
                        {"output_topology", "points"},
                        {"max_output_vertex_count", 16},
                        {"threads_per_input_primitive", 4},
                        {"stream_out_mask", 1}});
    run();
    EXPECT_EQ(warnings().find("bit 25"), std::string::npos) << warnings();
    // 32 / 16: two of the four threads of a primitive are a warp; four warps in all.
    run({"--set", "pe.gs_output_vertices=32"});
    EXPECT_NE(
        warnings().find("geometry: header bit 25 (shared spaces): the output of a warp has ISBE lines of its own, "
                        "because several warps read the same input\",\"stage\":null,\"pc\":null,\"count\":4"),
        std::string::npos)
        << warnings();
}

} // namespace
} // namespace isbesim::testbench

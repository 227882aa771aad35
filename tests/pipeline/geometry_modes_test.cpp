// SPDX-License-Identifier: Apache-2.0
// Fast and passthrough geometry stages in whole draws (HARDWARE.md E.4).
#include <gtest/gtest.h>

#include "models/attribute/sph.h"
#include "tests/pipeline/derived_scenario.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

json::object passthrough_header()
{
    return {{"geometry_passthrough", 1}, {"output_topology", "points"}, {"max_output_vertex_count", 1}};
}

using parameters = std::tuple<std::string, std::string>;

class geometry_passthrough : public testing::TestWithParam<parameters> {};

INSTANTIATE_TEST_SUITE_P(shipped, geometry_passthrough,
                         testing::Combine(testing::Values("vs_ids", "vs_branches", "vs_output_array",
                                                          "vs_sixteen_vectors", "sm75_vs_branches", "tess_no_ti",
                                                          "tess_patch_readback", "tess_points"),
                                          testing::Values("lt", "at")),
                         [](const testing::TestParamInfo<parameters>& instance) {
                             return std::get<0>(instance.param) + "_" + std::get<1>(instance.param);
                         });

TEST_P(geometry_passthrough, PIPE_06_after_any_stage_changes_nothing)
{
    const auto& [name, backend] = GetParam();
    derived_scenario scenario(name);
    scenario.stages()["geometry"] = json::object{{"sph", passthrough_header()}};
    auto result = scenario.run(backend, {"--strict=traps"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(scenario.report().at("invocations").as_object().count("geometry"), 0U);
    const auto vertices = scenario.vertices();

    scenario.set_stage("geometry", "EXIT ;\n", passthrough_header());
    result = scenario.run(backend, {"--strict=traps"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_GT(scenario.report().at("invocations").at("geometry").to_number<unsigned>(), 0U);
    EXPECT_EQ(scenario.vertices(), vertices) << "a program that does nothing adds nothing";
}

TEST(geometry_modes, PIPE_06_a_passthrough_header_needs_no_program_others_do)
{
    derived_scenario scenario("vs_branches");
    scenario.root().erase("capture");
    scenario.root().erase("expect");
    scenario.stages()["geometry"] = json::object{{"sph", {{"output_topology", "points"}}}};
    expect_wrong_input(scenario, "code");

    // By default the attributes that pass through are output.
    const auto all = [&] {
        EXPECT_EQ(scenario.run("lt").status, 0);
        return scenario.vertices();
    };
    scenario.stages()["geometry"] = json::object{{"sph", passthrough_header()}};
    const auto passed = all();
    scenario.stages().erase("geometry");
    EXPECT_EQ(passed, all());

    scenario.draw()["gs_mode"] = "fast";
    expect_wrong_input(scenario, "geometry");
    scenario.draw()["gs_mode"] = "slow";
    expect_wrong_input(scenario, "expected any or fast");
}

/// A header for points, with every attribute that the programs here store.
json::object points(unsigned maximum)
{
    return {{"imap", {"0x70"}},
            {"omap", {"0x70"}},
            {"output_topology", "points"},
            {"max_output_vertex_count", maximum},
            {"stream_out_mask", 1}};
}

class geometry_draws : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(on, geometry_draws, testing::Values("lt", "at"),
                         [](const auto& chosen) { return chosen.param; });

// The program of the shipped scenario with the state machine: it emits one vertex, the store after the EMIT goes to a
// second vertex, and R0 is not a state at the end.
TEST_P(geometry_draws, OUT_09_PIPE_06_out_does_nothing)
{
    const auto& backend = GetParam();
    derived_scenario scenario("gs_fast");
    ASSERT_EQ(scenario.run(backend, {"--strict=traps"}).status, 0);
    auto report = scenario.report();
    EXPECT_EQ(report.at("instructions").at("out").to_number<unsigned>(), 1U);
    EXPECT_EQ(report.at("output").at("geometry_threads_lost").to_number<unsigned>(), 0U);
    EXPECT_TRUE(report.at("warnings").as_array().empty());

    scenario.root().erase("expect");
    scenario.draw()["gs_mode"] = "any";
    ASSERT_EQ(scenario.run(backend).status, 0);
    report = scenario.report();
    EXPECT_EQ(report.at("output").at("geometry_threads_lost").to_number<unsigned>(), 3U);
    EXPECT_FALSE(report.at("warnings").as_array().empty()) << "gs_state";
}

// Two vertices a thread are declared. The shipped program leaves out the final CUT; this one closes its strip.
TEST_P(geometry_draws, OUT_08_CUT_after_the_last_vertex_discards_nothing)
{
    const auto discarded = [&](const std::string& last) {
        derived_scenario scenario("gs_fast");
        scenario.root().erase("expect");
        scenario.draw()["gs_mode"] = "any";
        scenario.root()["capture"] = json::array{"0x70"};
        scenario.set_stage("geometry",
                           "MOV R0, RZ ;\nMOV32I R2, 0x42 ;\nAST a[0x70], R2, R0 ;\nOUT.EMIT R0, R0, RZ ;\n"
                           "AST a[0x70], R2, R0 ;\n" +
                               last + "EXIT ;\n",
                           points(2));
        EXPECT_EQ(scenario.run(GetParam()).status, 0);
        EXPECT_EQ(warned_of(scenario, "beyond_maximum"),
                  scenario.report().at("discarded").at("gs_overflow").to_number<unsigned>() != 0);
        std::string expected = "stream,primitive,vertex,0x70\n";
        for (unsigned i = 0; i < 6; ++i) expected += "0," + std::to_string(i) + ",0,0x00000042\n";
        EXPECT_EQ(scenario.vertices(), expected);
        return scenario.report().at("discarded").at("gs_overflow").to_number<unsigned>();
    };
    EXPECT_EQ(discarded("OUT.EMIT R0, R0, RZ ;\n"), 0U);
    EXPECT_EQ(discarded("OUT.EMIT R0, R0, RZ ;\nOUT.CUT R0, R0, RZ ;\n"), 0U);
    EXPECT_EQ(discarded("OUT.EMIT_THEN_CUT R0, R0, RZ ;\nOUT.CUT R0, R0, RZ ;\n"), 0U);
    EXPECT_EQ(discarded("OUT.EMIT_THEN_CUT R0, R0, RZ ;\nOUT.EMIT R0, R0, RZ ;\n"), 3U) << "three threads";
}

// HARDWARE.md E.4, column "fast GS".
TEST(geometry_modes, PIPE_06_rules_of_fast_geometry_programs)
{
    for (const auto& a :
         {attempt{"ALD R0, a[0x70], R2 ;", 0}, attempt{"ALD.O R0, a[0x70], R2 ;", 0x0a},
          attempt{"ALD.P R0, a[RZ] ;", 0x0a}, attempt{"ALD.O.P R0, a[RZ] ;", 0x0a}, attempt{"AST a[0x70], R0, R2 ;", 0},
          attempt{"AST.P a[RZ], R0 ;", 0x0a}, attempt{"OUT.EMIT R0, R2, RZ ;", 0}, attempt{"ISBERD R0, [RZ] ;", 0}}) {
        derived_scenario scenario("gs_fast");
        scenario.root().erase("expect");
        scenario.set_stage("geometry", std::string("MOV32I R2, 0x7 ;\n") + a.text + "\nEXIT ;\n", points(1));
        expect_trap(scenario, "geometry", a);
    }
}

// SM75 programs read and change the output MAP of their stage (HARDWARE.md D.4), and share spaces (header bit 25).

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

// VSa and VSb (HARDWARE.md E.4): a copying program before or after the vertex program of a shipped scenario does not
// change the output, whatever stages follow.

/// Byte addresses of all components that the draw supplies.
std::vector<unsigned> supplied(const json::object& root)
{
    std::vector<unsigned> addresses;
    for (const auto& entry : root.at("attributes").as_object()) {
        const auto first = std::stoul(std::string(entry.key()), nullptr, 16);
        const auto* components = entry.value().as_object().if_contains("components");
        const auto count = components == nullptr ? 4U : components->to_number<unsigned>();
        for (unsigned c = 0; c < count; ++c) addresses.push_back(static_cast<unsigned>(first + 4 * c));
    }
    return addresses;
}

/// Byte addresses that the program with this header writes.
std::vector<unsigned> written(const std::string& header_file)
{
    const auto bytes = temporary_folder::read(header_file);
    const auto header = decode_header(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    std::vector<unsigned> addresses;
    for (unsigned id = 0; id < mapped_attribute_ids; ++id)
        if (header.omap.contains(id)) addresses.push_back(4 * id);
    return addresses;
}

class two_vertex_programs : public testing::TestWithParam<parameters> {
protected:
    void expect_the_same(derived_scenario& scenario) const
    {
        const auto result = scenario.run(std::get<1>(GetParam()), {"--strict=traps", "--set", "poison=true"});
        ASSERT_EQ(result.status, 0) << result.err;
        const auto invocations = scenario.report().at("invocations").as_object();
        EXPECT_GT(invocations.at("vertex").to_number<unsigned>(), 0U);
        EXPECT_EQ(invocations.at("vertex_a"), invocations.at("vertex")) << "a thread of each program per vertex";
    }
};

INSTANTIATE_TEST_SUITE_P(shipped, two_vertex_programs,
                         testing::Combine(testing::Values("vs_ids", "vs_sixteen_vectors", "sm75_vs_branches",
                                                          "gs_adjacency", "gs_per_instance", "sm75_gs_streams",
                                                          "tess_patch_readback", "tess_no_ti", "tess_gs_isolines"),
                                          testing::Values("lt", "at")),
                         [](const testing::TestParamInfo<parameters>& instance) {
                             return std::get<0>(instance.param) + "_" + std::get<1>(instance.param);
                         });

TEST_P(two_vertex_programs, PIPE_01_a_copying_VSa_before_the_program_changes_nothing)
{
    derived_scenario scenario(std::get<0>(GetParam()));
    const auto addresses = supplied(scenario.root());
    scenario.set_stage("vertex_a", copy_attributes(addresses), map_of(addresses));
    expect_the_same(scenario);
}

TEST_P(two_vertex_programs, PIPE_01_copying_VSb_after_the_program_changes_nothing)
{
    derived_scenario scenario(std::get<0>(GetParam()));
    const auto addresses = written(scenario.stages().at("vertex").at("sph").as_string().c_str());
    scenario.stages()["vertex_a"] = scenario.stages().at("vertex");
    scenario.set_stage("vertex", copy_attributes(addresses), map_of(addresses));
    expect_the_same(scenario);
}

// HARDWARE.md E.1 between the two programs: attributes that VSa does not output read as their defaults, attributes that
// VSb's map lacks are discarded, and the ids are generated unless VSa writes them.
TEST(two_vertex_programs_linked, PIPE_01_maps_and_generated_ids)
{
    for (const auto* backend : {"lt", "at"}) {
        derived_scenario scenario("vs_two_programs");
        scenario.root().erase("expect");
        scenario.set_stage("vertex_a",
                           "ALD.64 R0, a[0x80] ;\nMOV32I R4, 0x55 ;\n"
                           "AST.64 a[0x80], R0 ;\nAST a[0x90], R4 ;\nAST a[0x2fc], R4 ;\nEXIT ;\n",
                           {{"imap", {"0x80", "0x84"}}, {"omap", {"0x80", "0x84", "0x90", "0x2fc"}}});
        scenario.set_stage("vertex",
                           "ALD.128 R0, a[0x80] ;\nALD R2, a[0x2fc] ;\nALD R4, a[0x2f8] ;\nALD R5, a[0x90] ;\n"
                           "AST.128 a[0x70], R0 ;\nAST.64 a[0x80], R4 ;\nEXIT ;\n",
                           {{"imap", {"0x80", "0x88", "0x8c", "0x2f8", "0x2fc"}}, {"omap", {"0x70..0x84"}}});
        scenario.draw()["instance_count"] = 2;
        scenario.root()["capture"] = {"0x74", "0x78", "0x7c", "0x80", "0x84"};
        ASSERT_EQ(scenario.run(backend, {"--strict=traps"}).status, 0);
        // y: VSb's IMAP lacks 0x84. z: VSa's "vertex id". w and the last: not passed on, so the defaults.
        std::string expected = "stream,primitive,vertex,0x74,0x78,0x7c,0x80,0x84\n";
        for (unsigned primitive = 0; primitive < 4; ++primitive)
            for (unsigned vertex = 0; vertex < 2; ++vertex)
                expected += "0," + std::to_string(primitive) + "," + std::to_string(vertex) +
                            ",0x00000000,0x00000055,0x3f800000,0x0000000" + (primitive < 2 ? "0" : "1") +
                            ",0x00000000\n";
        EXPECT_EQ(scenario.vertices(), expected) << backend;
    }
}

// HARDWARE.md E.4, columns VSa and VSb.
TEST(two_vertex_programs_linked, PIPE_01_rules_of_VSa)
{
    for (const auto& a : {attempt{"ALD.O R0, a[0x80], RZ ;", 0}, attempt{"ALD R0, a[0x80], R2 ;", 0x09},
                          attempt{"ALD.P R0, a[RZ] ;", 0x0a}, attempt{"AST.P a[RZ], R0 ;", 0x0a},
                          attempt{"OUT.EMIT R0, R0, RZ ;", 0x0a}}) {
        derived_scenario scenario("vs_two_programs");
        scenario.root().erase("expect");
        scenario.set_stage("vertex_a", std::string(a.text) + "\nEXIT ;\n", map_of({0x80, 0x84}));
        expect_trap(scenario, "vertex_a", a);
    }
}

} // namespace
} // namespace isbesim::testbench

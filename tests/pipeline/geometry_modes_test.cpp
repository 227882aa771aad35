// SPDX-License-Identifier: Apache-2.0
// Fast and passthrough geometry stages in whole draws (HARDWARE.md E.4).
#include <gtest/gtest.h>

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

} // namespace
} // namespace isbesim::testbench

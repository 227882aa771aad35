// SPDX-License-Identifier: Apache-2.0
// VSa and VSb (HARDWARE.md E.4): a copying program before or after the vertex program of a shipped scenario does not
// change the output, whatever stages follow.
#include <gtest/gtest.h>

#include "models/attribute/sph.h"
#include "tests/pipeline/derived_scenario.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

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

using parameters = std::tuple<std::string, std::string>;

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

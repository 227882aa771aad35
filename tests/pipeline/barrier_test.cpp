// SPDX-License-Identifier: Apache-2.0
// BAR in a tess init program whose lanes reach it on different paths (conformance PIPE-04).
#include <cstdio>

#include <gtest/gtest.h>

#include "tests/pipeline/derived_scenario.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

constexpr unsigned patches = 23; // of three vertices: ten in a warp
constexpr const char* copy_vertex = "ALD R0, a[0x80], RZ ;\nAST a[0x70], R0, RZ ;\nEXIT ;\n";

/// A patch's threads store the vertex word of the next thread in 0x84, all in the first vertex's row.
constexpr const char* gather_neighbours = R"(
    PRMT R3, R2, 0x4440, RZ ;
    PRMT R4, R2, 0x4442, RZ ;
    ISBERD R5, [RZ] ;
    IADD3 R6, RZ, 0x1, RZ ;
    ISBERD R6, [R6] ;
    IADD3 R7, RZ, 0x2, RZ ;
    ISBERD R7, [R7] ;
    ALD R8, a[0x84], R5 ;
    ALD R9, a[0x84], R6 ;
    ALD R10, a[0x84], R7 ;
    AST a[0x70], R8 ;
    AST a[0x74], R9 ;
    AST a[0x78], R10 ;
    EXIT ;
)";

/// Patches of three vertices, word n of vertex n, one triangle each.
void patches_of_three(derived_scenario& scenario, const std::string& arch, const std::string& tess_init,
                      const std::string& tess)
{
    auto& root = scenario.root();
    root.erase("expect");
    for (const auto* key : {"expect_order", "expect_tolerance", "expect_ulp", "constants", "stage_constants"})
        root.erase(key);
    root["arch"] = arch;
    json::array words;
    for (unsigned v = 0; v < 3 * patches; ++v) words.push_back(v + 1);
    root["attributes"] = {{"0x80", {{"components", 1}, {"words", words}}}};
    root["capture"] = {"0x70", "0x74", "0x78"};
    root["draw"] = {{"topology", "patches"},
                    {"vertex_count", 3 * patches},
                    {"patch_vertices", 3},
                    {"tessellation", {{"domain", "triangles"}, {"spacing", "equal"}, {"output", "triangles_ccw"}}}};
    scenario.set_stage("vertex", copy_vertex, {{"imap", {"0x80"}}, {"omap", {"0x70"}}});
    scenario.set_stage("tess_init", tess_init,
                       {{"imap", {"0x70"}},
                        {"omap", {"0x80", "0x84"}},
                        {"store_req_start", 0x20},
                        {"store_req_end", 0x21},
                        {"threads_per_input_primitive", 3},
                        {"per_patch_attribute_count", 6}});
    scenario.set_stage("tess", tess, {{"imap", {"0x84"}}, {"omap", {"0x70..0x78"}}});
}

/// Every vertex of patch p holds the words of its vertices 1, 2, 0.
std::string expected()
{
    std::string text = "stream,primitive,vertex,0x70,0x74,0x78\n";
    for (unsigned p = 0; p < patches; ++p)
        for (unsigned i = 0; i < 3; ++i) {
            char row[80];
            std::snprintf(row, sizeof row, "0,%u,%u,0x%08x,0x%08x,0x%08x\n", p, i, 3 * p + 2, 3 * p + 3, 3 * p + 1);
            text += row;
        }
    return text;
}

// Thread 1 of each patch stores after the others have reached the BAR: they must not continue before it arrives.
constexpr const char* turing_two_ways = R"(
    S2R R0, SR_INVOCATION_ID ;
    S2R R1, SR_LANEID ;
    S2R R2, SR_INVOCATION_INFO ;
    PRMT R3, R2, 0x4440, RZ ;
    PRMT R4, R2, 0x4442, RZ ;
    IMAD R5, R3, R4, R0 ;
    ISBERD R6, [R5] ;
    ALD R7, a[0x70], R6 ;
    MOV R11, 0x3f800000 ;
    AST.P a[RZ+0x0], R11 ;
    AST.P a[RZ+0x4], R11 ;
    AST.P a[RZ+0x8], R11 ;
    AST.P a[RZ+0x10], R11 ;
    ISETP.EQ.AND P0, PT, R0, 0x1, PT ;
    @P0 BRA late ;
    AST a[0x80], R7 ;
    meet: BAR.SYNC 0x0 ;
    IADD3 R9, R0, 0x1, RZ ;
    ISETP.EQ.AND P1, PT, R9, 0x3, PT ;
    SEL R9, RZ, R9, P1 ;
    IADD3 R8, R1, -R0, R9 ;
    ALD.O R10, a[0x80], R8 ;
    AST a[0x84], R10 ;
    EXIT ;
    late: AST a[0x80], R7 ;
    BRA meet ;
)";

class barrier : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(on, barrier, testing::Values("lt", "at"), [](const auto& chosen) { return chosen.param; });

TEST_P(barrier, PIPE_04_turing_lanes_of_two_ways_meet_at_bar)
{
    const auto& backend = GetParam();
    derived_scenario scenario("tess_no_ti");
    patches_of_three(scenario, "sm75", turing_two_ways, gather_neighbours);
    const auto result = scenario.run(backend, {"--strict=traps", "--set", "poison=true"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(scenario.vertices(), expected()) << backend;
    EXPECT_EQ(scenario.report().at("invocations").at("tess_init").to_number<unsigned>(), 3 * patches);
}

/// The same for Maxwell, with the part after the load as given.
std::string maxwell(const std::string& middle)
{
    return R"(
        S2R R0, SR_INVOCATION_ID ;
        S2R R1, SR_LANEID ;
        S2R R2, SR_INVOCATION_INFO ;
        PRMT R3, R2, 0x4440, RZ ;
        PRMT R4, R2, 0x4442, RZ ;
        XMAD R5, R3, R4, R0 ;
        ISBERD R6, [R5] ;
        ALD R7, a[0x70], R6 ;
        MOV32I R11, 0x3f800000 ;
        AST.P a[RZ+0x0], R11 ;
        AST.P a[RZ+0x4], R11 ;
        AST.P a[RZ+0x8], R11 ;
        AST.P a[RZ+0x10], R11 ;
        ISETP.EQ.AND P0, PT, R0, 0x1, PT ;
    )" + middle +
           R"(
        IADD R9, R0, 0x1 ;
        ISETP.EQ.AND P1, PT, R9, 0x3, PT ;
        SEL R9, RZ, R9, P1 ;
        IADD R8, R1, -R0 ;
        IADD R8, R8, R9 ;
        ALD.O R10, a[0x80], R8 ;
        AST a[0x84], R10 ;
        EXIT ;
    )";
}

const std::string maxwell_gather = [] {
    std::string text = gather_neighbours;
    for (const auto* k : {"6", "7"}) {
        const std::string opening = std::string("IADD3 R") + k + ", RZ, ";
        const auto position = text.find(opening);
        text.replace(position, text.find(';', position) - position,
                     std::string("MOV32I R") + k + (k[0] == '6' ? ", 0x1 " : ", 0x2 "));
    }
    return text;
}();

// The compiler's code: the lanes converge, then comes the barrier. And a BAR inside of a branch, which does not wait on
// this architecture and causes a warning.
TEST_P(barrier, PIPE_04_maxwell_meets_before_bar_or_is_a_warning)
{
    const auto& backend = GetParam();
    derived_scenario met("tess_no_ti");
    patches_of_three(met, "sm50", maxwell(R"(
        SSY join ;
        @P0 BRA late ;
        AST a[0x80], R7 ;
        SYNC ;
        late: AST a[0x80], R7 ;
        SYNC ;
        join: BAR.SYNC 0x0 ;)"),
                     maxwell_gather);
    auto result = met.run(backend, {"--strict=traps", "--set", "poison=true"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(met.vertices(), expected()) << backend;
    EXPECT_EQ(json::serialize(met.report().at("warnings")).find("BAR"), std::string::npos);

    derived_scenario split("tess_no_ti");
    patches_of_three(split, "sm50", maxwell(R"(
        SSY join ;
        @P0 BRA late ;
        AST a[0x80], R7 ;
        BAR.SYNC 0x0 ;
        SYNC ;
        late: AST a[0x80], R7 ;
        BAR.SYNC 0x0 ;
        SYNC ;
        join: NOP ;)"),
                     maxwell_gather);
    result = split.run(backend, {"--strict=traps"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(split.vertices(), expected()) << "the reads are after the join";
    EXPECT_NE(json::serialize(split.report().at("warnings")).find("BAR by a part of the warp's lanes"),
              std::string::npos);
}

} // namespace
} // namespace isbesim::testbench

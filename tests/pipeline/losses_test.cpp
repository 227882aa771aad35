// SPDX-License-Identifier: Apache-2.0
// What a program loses has a figure and a warning. Expected numbers: threads times what each of them loses.
#include <algorithm>

#include <gtest/gtest.h>

#include "models/pe/stages/draw_counters.h"
#include "tests/pipeline/derived_scenario.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

struct loss {
    const char* name;
    const char* scenario;
    const char* stage; ///< null: the scenario as it is
    const char* text;
    const char* sph;
    std::vector<std::pair<const char*, std::uint64_t>> figures; ///< those of losses that are not 0
    std::vector<std::string> kinds;                             ///< of warnings, sorted
};
void PrintTo(const loss& one, std::ostream* out)
{
    *out << one.name;
}

// Five threads, which are the lanes of one warp.
#define POINTS R"("imap": ["0x70"], "omap": ["0x70"], "output_topology": "points")"
#define LINES R"("imap": ["0x70"], "omap": ["0x70"], "output_topology": "line_strip", "max_output_vertex_count": 9)"
#define VERTEX R"({"imap": ["0x80..0x8c"], "omap": ["0x70"]})"
// Two patches of four threads. Levels of 1 keep the patches.
#define PATCH                                                                                                          \
    R"({"imap": ["0x70"], "omap": ["0x70"], "per_patch_attribute_count": 16, "threads_per_input_primitive": 4})"
#define LEVELS                                                                                                         \
    "MOV32I R0, 0x3f800000 ;\nMOV R1, R0 ;\nMOV R2, R0 ;\nMOV R3, R0 ;\n"                                              \
    "AST.P.128 a[0x0], R0 ;\nAST.P.64 a[0x10], R0 ;\n"

const loss losses[] = {
    {"nothing",
     "gs_fast",
     "geometry",
     "MOV R0, RZ ;\nOUT.EMIT R0, R0, RZ ;\nOUT.CUT R0, R0, RZ ;\nEXIT ;\n",
     "{" POINTS R"(, "max_output_vertex_count": 1})",
     {},
     {}},
    {"no_room",
     "gs_fast",
     "geometry",
     "MOV R0, RZ ;\nAST a[0x70], R0, R0 ;\nOUT.EMIT R0, R0, RZ ;\nEXIT ;\n",
     "{" POINTS "}",
     {{"discarded.gs_overflow", 10}},
     {"beyond_maximum", "beyond_maximum", "no_vertex"}},
    {"beyond_the_maximum",
     "gs_fast",
     "geometry",
     "MOV R0, RZ ;\nOUT.EMIT R0, R0, RZ ;\nOUT.EMIT R0, R0, RZ ;\nEXIT ;\n",
     "{" POINTS R"(, "max_output_vertex_count": 1})",
     {{"discarded.gs_overflow", 5}},
     {"beyond_maximum"}},
    {"off_stream",
     "gs_fast",
     "geometry",
     "MOV R0, RZ ;\nOUT.EMIT R0, R0, 0x1 ;\nOUT.EMIT R0, R0, RZ ;\nOUT.EMIT R0, R0, 0x7 ;\nEXIT ;\n",
     "{" POINTS R"(, "max_output_vertex_count": 3})",
     {{"output.vertices_off_stream", 10}},
     {"vertices_off_stream"}},
    {"short_at_the_end",
     "gs_fast",
     "geometry",
     "MOV R0, RZ ;\nOUT.EMIT R0, R0, RZ ;\nOUT.EMIT_THEN_CUT R0, R0, RZ ;\nOUT.EMIT R0, R0, RZ ;\nEXIT ;\n",
     "{" LINES "}",
     {{"output.short_strip_vertices", 5}},
     {"short_strip_vertices"}},
    {"short_at_a_stream_that_is_off",
     "gs_fast",
     "geometry",
     "MOV R0, RZ ;\nOUT.EMIT R0, R0, RZ ;\nOUT.EMIT R0, R0, 0x1 ;\nOUT.EMIT_THEN_CUT R0, R0, RZ ;\nEXIT ;\n",
     "{" LINES "}",
     {{"output.vertices_off_stream", 5}, {"output.short_strip_vertices", 10}},
     {"short_strip_vertices", "vertices_off_stream"}},
    {"no_state",
     "gs_fast",
     "geometry",
     "MOV32I R2, 0xbad ;\nMOV R0, RZ ;\nAST a[0x70], R2, R2 ;\nOUT.EMIT R3, R2, RZ ;\nEXIT ;\n",
     "{" POINTS R"(, "max_output_vertex_count": 1})",
     {{"discarded.bad_register", 10}},
     {"gs_state", "gs_state"}},
    {"attribute_out_of_range",
     "gs_fast",
     "vertex",
     "MOV32I R1, 0x400 ;\nAL2P.O R2, R1, 0x0 ;\nAST.PHYS a[R2], R1 ;\nEXIT ;\n",
     VERTEX,
     {{"discarded.out_of_range", 5}},
     {"attribute_range"}},
    {"attribute_beside_the_map",
     "gs_fast",
     "vertex",
     "MOV32I R1, 0x80 ;\nAL2P.O R2, R1, 0x0 ;\nAST.PHYS a[R2], R1 ;\nEXIT ;\n",
     VERTEX,
     {{"discarded.bmap", 5}},
     {"no_output"}},
    {"attribute_of_no_AL2P",
     "gs_fast",
     "vertex",
     "MOV32I R1, 0x80 ;\nAST.PHYS a[R1], R1 ;\nEXIT ;\n",
     VERTEX,
     {{"discarded.bad_register", 5}},
     {"not_al2p"}},
    {"patch_values",
     "tess_patch_readback",
     "tess_init",
     LEVELS "S2R R0, SR_INVOCATION_ID ;\nAST.P a[0x20], R0 ;\nEXIT ;\n",
     PATCH,
     {{"discarded.patch_conflict", 18}},
     {"write_conflict"}},
    {"patch_value",
     "tess_patch_readback",
     "tess_init",
     LEVELS "AST.P a[0x20], R0 ;\nEXIT ;\n",
     PATCH,
     {{"discarded.patch_conflict", 18}},
     {}},
    {"patches",
     "tess_patch_readback",
     "tess_init",
     LEVELS "AST.P a[0x4], RZ ;\nEXIT ;\n",
     PATCH,
     {{"discarded.patch_conflict", 18}, {"output.culled_patches", 2}},
     {"culled_patches"}},
    // Counts of 7 and 2^32 - 1 where 4 are the maximum; two indices of 4 and above.
    {"mesh_primitives",
     "mesh_limits",
     nullptr,
     nullptr,
     nullptr,
     {{"output.mesh_primitives_above_maximum", 3 + 0xffffffffULL - 4}, {"output.mesh_primitives_without_vertex", 2}},
     {"mesh_primitives_above_maximum", "mesh_primitives_without_vertex"}},
};

using loss_on_backend = std::tuple<loss, std::string>;
class losses_on : public testing::TestWithParam<loss_on_backend> {};
INSTANTIATE_TEST_SUITE_P(every, losses_on, testing::Combine(testing::ValuesIn(losses), testing::Values("lt", "at")),
                         [](const testing::TestParamInfo<loss_on_backend>& instance) {
                             return std::string(std::get<0>(instance.param).name) + "_" + std::get<1>(instance.param);
                         });

TEST_P(losses_on, have_a_figure_and_a_warning)
{
    const auto& [lost, backend] = GetParam();
    derived_scenario scenario(lost.scenario);
    for (const auto* key : {"expect", "expect_order"}) scenario.root().erase(key);
    if (lost.stage != nullptr) {
        const std::string stage = lost.stage;
        scenario.set_stage("vertex", "EXIT ;\n", json::parse(VERTEX));
        if (stage != "tess_init") {
            scenario.draw().erase("gs_mode");
            scenario.draw()["topology"] = "points";
            scenario.stages().erase("geometry");
        } else {
            scenario.set_stage("tess", "EXIT ;\n", map_of({0x70}));
        }
        scenario.set_stage(stage, lost.text, json::parse(lost.sph));
    }
    ASSERT_EQ(scenario.run(backend).status, 0);
    const auto report = scenario.report();
    const auto& output = report.at("output").as_object();
    std::vector<std::pair<std::string, std::uint64_t>> found;
    const auto add = [&](const std::string& key, const json::value& value) {
        if (const auto count = value.to_number<std::uint64_t>(); count != 0) found.emplace_back(key, count);
    };
    for (const auto& [key, value] : report.at("discarded").as_object()) add("discarded." + std::string(key), value);
    for (const auto& row : draw_loss_rows)
        if (const auto* value = output.if_contains(row.name)) add(std::string("output.") + row.name, *value);
    EXPECT_EQ(found, (std::vector<std::pair<std::string, std::uint64_t>>(lost.figures.begin(), lost.figures.end())));
    std::vector<std::string> kinds;
    for (const auto& warning : report.at("warnings").as_array()) {
        const std::string kind(warning.at("kind").as_string());
        if (kind != "draw_setting" && kind != "missing_attribute" && kind != "unwritten_capture") kinds.push_back(kind);
    }
    std::sort(kinds.begin(), kinds.end());
    EXPECT_EQ(kinds, lost.kinds) << json::serialize(report.at("warnings"));
}

} // namespace
} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
// Rows of the conformance list that only a whole draw shows, on both timed models.
#include <cstdio>
#include <cstring>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/pipeline/derived_scenario.h"
#include "tlm/float_bits.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

/// Words of the rows, in order.
std::vector<std::vector<std::uint32_t>> rows_of(const std::string& csv)
{
    std::vector<std::vector<std::uint32_t>> rows;
    std::istringstream lines(csv);
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
        rows.emplace_back();
        for (auto position = line.find("0x"); position != std::string::npos; position = line.find("0x", position + 1))
            rows.back().push_back(static_cast<std::uint32_t>(std::stoul(line.substr(position, 10), nullptr, 16)));
    }
    return rows;
}

class whole_draw : public testing::TestWithParam<std::string> {
protected:
    /// A draw of `vertices` whose attribute 0x80 is 0, 1, 2, …, copied to 0x70 by the vertex program.
    void count_vertices(unsigned vertices, const std::string& topology)
    {
        auto& root = scenario.root();
        root = {{"arch", "sm50"}, {"stages", json::object{}}};
        json::array words(vertices);
        std::iota(words.begin(), words.end(), 0U);
        root["attributes"] = {{"0x80", {{"components", 1}, {"words", words}}}};
        root["draw"] = {{"topology", topology}, {"vertex_count", vertices}};
        root["capture"] = json::array{"0x70"};
        scenario.set_stage("vertex", "ALD R0, a[0x80], RZ ;\nAST a[0x70], R0, RZ ;\nEXIT ;\n",
                           {{"imap", {"0x80"}}, {"omap", {"0x70"}}});
    }
    void expect_done(std::vector<std::string> options = {})
    {
        options.emplace_back("--strict=traps");
        const auto result = scenario.run(GetParam(), options);
        ASSERT_EQ(result.status, 0) << result.err;
    }
    std::vector<std::uint32_t> column()
    {
        std::vector<std::uint32_t> words;
        for (const auto& row : rows_of(scenario.vertices())) words.push_back(row.at(0));
        return words;
    }

    derived_scenario scenario{"vs_text"};
};

INSTANTIATE_TEST_SUITE_P(on, whole_draw, testing::Values("lt", "at"), [](const auto& chosen) { return chosen.param; });

TEST_P(whole_draw, ALD_15_TS_reads_the_levels_of_the_draw)
{
    count_vertices(3, "patches");
    scenario.draw()["patch_vertices"] = 3;
    scenario.draw()["tessellation"] = {{"domain", "triangles"},
                                       {"spacing", "equal"},
                                       {"output", "points"},
                                       {"default_outer", {1, 1, 1, 9}},
                                       {"default_inner", {1, 0.5}}};
    scenario.set_stage("tess",
                       "ALD.P.128 R0, a[RZ+0x0] ;\nALD.P.64 R4, a[RZ+0x10] ;\nALD.P R6, a[RZ+0x18] ;\n"
                       "AST.128 a[0x80], R0 ;\nAST.64 a[0x90], R4 ;\nAST a[0x98], R6 ;\nEXIT ;\n",
                       {{"omap", {"0x80..0x98"}}});
    scenario.root()["capture"] = {"0x80", "0x84", "0x88", "0x8c", "0x90", "0x94", "0x98"};
    expect_done();
    const auto rows = rows_of(scenario.vertices());
    ASSERT_EQ(rows.size(), 3U) << "levels of 1: the corners";
    for (const auto& row : rows)
        EXPECT_EQ(row, (std::vector<std::uint32_t>{0x3f800000, 0x3f800000, 0x3f800000, 0x41100000, 0x3f800000,
                                                   0x3f000000, 0}))
            << "the patch has six words";
}

TEST_P(whole_draw, ALD_19_first_stage_reads_the_draws_attributes)
{
    count_vertices(2, "points");
    scenario.set_stage("vertex", "ALD.128 R0, a[0x80], RZ ;\nAST.128 a[0x70], R0, RZ ;\nEXIT ;\n",
                       {{"imap", {"0x80..0x8c"}}, {"omap", {"0x70..0x7c"}}});
    scenario.root()["capture"] = {"0x70", "0x74", "0x78", "0x7c"};
    expect_done({"--set", "poison=true"});
    EXPECT_EQ(rows_of(scenario.vertices()),
              (std::vector<std::vector<std::uint32_t>>{{0, 0, 0, 0x3f800000}, {1, 0, 0, 0x3f800000}}));
}

TEST_P(whole_draw, ISBE_08_handles_name_the_vertices_of_the_primitive)
{
    count_vertices(40, "triangle_fan");
    // Vertex n of its primitive, n = 0, 1, 2, one output vertex each.
    std::string text = "S2R R0, SR_INVOCATION_INFO ;\nPRMT R8, R0, 0x4442, RZ ;\nPRMT R9, R0, 0x4440, RZ ;\n"
                       "XMAD R1, R8, R9, RZ ;\nMOV R12, RZ ;\n";
    for (unsigned v = 0; v < 3; ++v)
        text += "ISBERD R2, [R1] ;\nALD R4, a[0x70], R2 ;\nAST a[0x70], R4, R12 ;\nOUT.EMIT_THEN_CUT R12, R12, RZ ;\n"
                "IADD R1, R1, 0x1 ;\n";
    scenario.set_stage("geometry", text + "MOV R0, R12 ;\nEXIT ;\n",
                       {{"imap", {"0x70"}},
                        {"omap", {"0x70"}},
                        {"output_topology", "points"},
                        {"max_output_vertex_count", 3},
                        {"stream_out_mask", 1}});
    expect_done();
    std::vector<std::uint32_t> expected;
    for (unsigned i = 1; i + 1 < 40; ++i) expected.insert(expected.end(), {0, i, i + 1});
    EXPECT_EQ(column(), expected);
}

// One of each kind of opcode: comparison, divergent branch, shift, addition, conversion, fused multiply-add, local
// memory, selection, logic. x = 16 n for n < 8, n - 8 otherwise; x^2 + x as a float, and x with its low bits inverted.
TEST_P(whole_draw, ISA_03_a_program_of_every_kind_of_opcode)
{
    count_vertices(40, "points");
    scenario.set_stage("vertex",
                       "ALD R0, a[0x80] ;\nISETP.LT.AND P0, PT, R0, 0x8, PT ;\nSSY meet ;\n@P0 BRA small ;\n"
                       "IADD R1, R0, -0x8 ;\nSYNC ;\nsmall: SHL R1, R0, 0x4 ;\nSYNC ;\n"
                       "meet: I2F.F32.U32 R2, R1 ;\nFFMA R4, R2, R2, R2 ;\nSTL [0x4], R1 ;\nLDL R6, [0x4] ;\n"
                       "SEL R7, R1, R6, P0 ;\nLOP.XOR R5, R7, 0xff ;\nAST.64 a[0x70], R4 ;\nEXIT ;\n",
                       {{"imap", {"0x80"}}, {"omap", {"0x70", "0x74"}}, {"local_memory_low_size", 16}});
    scenario.root()["capture"] = {"0x70", "0x74"};
    expect_done();
    const auto rows = rows_of(scenario.vertices());
    ASSERT_EQ(rows.size(), 40U);
    for (unsigned n = 0; n < 40; ++n) {
        const unsigned x = n < 8 ? 16 * n : n - 8;
        EXPECT_EQ(to_float(rows[n].at(0)), static_cast<float>(x * x + x)) << n;
        EXPECT_EQ(rows[n].at(1), x ^ 0xffU) << n;
    }
}

// Several warps; an instance emits the vertex of its primitive and its own number.
TEST_P(whole_draw, OUT_12_output_comes_by_primitive_then_instance)
{
    constexpr unsigned primitives = 40, instances = 3;
    count_vertices(primitives, "points");
    scenario.set_stage("geometry",
                       "S2R R0, SR_INVOCATION_INFO ;\nPRMT R8, R0, 0x4442, RZ ;\nPRMT R9, R0, 0x4440, RZ ;\n"
                       "XMAD R1, R8, R9, RZ ;\nMOV R12, RZ ;\nISBERD R2, [R1] ;\nALD R4, a[0x70], R2 ;\n"
                       "S2R R5, SR_INVOCATION_ID ;\nAST a[0x70], R4, R12 ;\nAST a[0x80], R5, R12 ;\n"
                       "OUT.EMIT_THEN_CUT R12, R12, RZ ;\nMOV R0, R12 ;\nEXIT ;\n",
                       {{"imap", {"0x70"}},
                        {"omap", {"0x70", "0x80"}},
                        {"output_topology", "points"},
                        {"max_output_vertex_count", 1},
                        {"threads_per_input_primitive", instances},
                        {"stream_out_mask", 1}});
    scenario.root()["capture"] = {"0x70", "0x80"};
    expect_done();
    std::vector<std::vector<std::uint32_t>> expected;
    for (unsigned p = 0; p < primitives; ++p)
        for (unsigned i = 0; i < instances; ++i) expected.push_back({p, i});
    EXPECT_EQ(rows_of(scenario.vertices()), expected);
}

// Five vertices, a cut, four vertices: 0 1 2 3 4, 5 6 7 8.
TEST_P(whole_draw, OUT_11_strips_become_primitives_in_order)
{
    using list = std::vector<std::uint32_t>;
    const std::map<std::string, list> expected = {{"points", {0, 1, 2, 3, 4, 5, 6, 7, 8}},
                                                  {"line_strip", {0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 6, 7, 7, 8}},
                                                  {"triangle_strip", {0, 1, 2, 2, 1, 3, 2, 3, 4, 5, 6, 7, 7, 6, 8}}};
    for (const auto& [topology, one] : expected) {
        count_vertices(2, "points");
        std::string text = "MOV R12, RZ ;\n";
        for (unsigned v = 0; v < 9; ++v)
            text += "MOV32I R4, " + std::to_string(v) + " ;\nAST a[0x70], R4, R12 ;\n" +
                    (v == 4 ? "OUT.EMIT_THEN_CUT" : "OUT.EMIT") + " R12, R12, RZ ;\n";
        scenario.set_stage("geometry", text + "MOV R0, R12 ;\nEXIT ;\n",
                           {{"omap", {"0x70"}},
                            {"output_topology", topology},
                            {"max_output_vertex_count", 9},
                            {"stream_out_mask", 1}});
        expect_done();
        auto both = one; // two input points
        both.insert(both.end(), one.begin(), one.end());
        EXPECT_EQ(column(), both) << topology;
    }
}

unsigned vertex_threads(const derived_scenario& scenario)
{
    return scenario.report().at("invocations").at("vertex").to_number<unsigned>();
}

// 3 * ceil(N / 96) for the index list 0 1 2 0 1 2 ..., and the effect of the two keys.
TEST_P(whole_draw, PIPE_09_batches_end_at_their_limits)
{
    for (const unsigned count : {96U, 99U, 192U, 300U}) {
        count_vertices(3, "triangles");
        json::array indices(count);
        for (unsigned i = 0; i < count; ++i) indices[i] = i % 3;
        scenario.draw()["indices"] = indices;
        scenario.draw().erase("vertex_count");
        expect_done();
        EXPECT_EQ(vertex_threads(scenario), 3 * ((count + 95) / 96)) << count;
        expect_done({"--set", "pe.batch_indices=24"});
        EXPECT_EQ(vertex_threads(scenario), 3 * ((count + 23) / 24)) << count;
        EXPECT_EQ(column().size(), count);
    }
    // A strip of 62 vertices: a batch of n vertices holds n - 2 triangles and shares two vertices with the next.
    count_vertices(62, "triangle_strip");
    expect_done();
    EXPECT_EQ(vertex_threads(scenario), 64U) << "two batches of 32";
    expect_done({"--set", "pe.batch_vertices=12"});
    EXPECT_EQ(vertex_threads(scenario), 72U) << "six batches of 12";
}

// A warp whose NOP stalls longer ends later by exactly that; a result that is used too early is reported.
TEST_P(whole_draw, ISA_04_control_words_decide_when_instructions_issue)
{
    count_vertices(4, "points");
    const auto cycles_of = [&](const std::string& stall, const std::string& wait) {
        scenario.set_scheduled_stage("vertex",
                                     "ALD R0, a[0x80] &wr=0 ?stall=2 ;\nNOP " + wait + " ?stall=" + stall +
                                         " ;\nAST a[0x70], R0 &rd=1 ?stall=2 ;\nEXIT &req=0x02 ?stall=15 ;\n",
                                     {{"imap", {"0x80"}}, {"omap", {"0x70"}}});
        expect_done();
        return scenario.report().at("cycles").to_number<unsigned>();
    };
    const auto warnings = [&] { return json::serialize(scenario.report().at("warnings")); };
    const auto shortest = cycles_of("1", "&req=0x01");
    EXPECT_EQ(warnings(), "[]");
    EXPECT_EQ(column(), (std::vector<std::uint32_t>{0, 1, 2, 3}));
    for (const unsigned stall : {2U, 7U, 15U})
        EXPECT_EQ(cycles_of(std::to_string(stall), "&req=0x01"), shortest + stall - 1);
    EXPECT_LT(cycles_of("1", ""), shortest) << "nobody waits for the load";
    EXPECT_NE(warnings().find("R0 is used or overwritten before its result is ready"), std::string::npos) << warnings();
}

TEST_P(whole_draw, AST_10_levels_that_the_domain_does_not_use_hold_data)
{
    count_vertices(3, "patches");
    scenario.draw()["patch_vertices"] = 3;
    for (const auto* domain : {"triangles", "isolines"}) {
        const std::string output = std::string(domain) == "isolines" ? "lines" : "triangles_ccw";
        scenario.draw()["tessellation"] = {{"domain", domain}, {"spacing", "equal"}, {"output", output}};
        // isolines: two outer levels; triangles: three outer levels and the first inner level.
        const bool lines = output == "lines";
        std::string text = "MOV32I R1, 0x40000000 ;\nMOV32I R2, 0x7fc00000 ;\n"; // 2.0 and a NaN
        for (unsigned slot = 0; slot < 6; ++slot) {
            const bool used = lines ? slot < 2 : slot < 3 || slot == 4;
            char line[64];
            std::snprintf(line, sizeof line, "AST.P a[RZ+0x%x], %s ;\n", 4 * slot, used ? "R1" : "R2");
            text += line;
        }
        scenario.set_stage("tess_init", text + "EXIT ;\n",
                           {{"threads_per_input_primitive", 1}, {"per_patch_attribute_count", 6}});
        scenario.set_stage("tess", "ALD.P R0, a[RZ+0xc] ;\nALD.P R1, a[RZ+0x14] ;\nAST.64 a[0x70], R0 ;\nEXIT ;\n",
                           {{"omap", {"0x70", "0x74"}}});
        scenario.root()["capture"] = {"0x70", "0x74"};
        expect_done();
        const auto rows = rows_of(scenario.vertices());
        // Two lines of two segments; six triangles around the centre.
        EXPECT_EQ(rows.size(), lines ? 2U * 2 * 2 : 6U * 3) << domain;
        for (const auto& row : rows) EXPECT_EQ(row, (std::vector<std::uint32_t>{0x7fc00000, 0x7fc00000}));
    }
}

/// One patch whose TS program streams out its coordinates.
struct division {
    std::string domain, spacing, output;
};
void PrintTo(const division& how, std::ostream* out)
{
    *out << how.domain << '_' << how.spacing << '_' << how.output;
}

class generator : public testing::TestWithParam<std::tuple<division, std::string>> {};

std::vector<division> divisions()
{
    std::vector<division> all;
    for (const auto* domain : {"isolines", "triangles", "quads"})
        for (const auto* spacing : {"equal", "fractional_odd", "fractional_even"})
            for (const auto* output : {"points", "lines", "triangles_cw", "triangles_ccw"}) {
                const bool lines = std::string(domain) == "isolines";
                if (output == std::string("points") || lines == (output == std::string("lines")))
                    all.push_back({domain, spacing, output});
            }
    return all;
}

INSTANTIATE_TEST_SUITE_P(on, generator, testing::Combine(testing::ValuesIn(divisions()), testing::Values("lt", "at")),
                         [](const auto& chosen) {
                             return testing::PrintToString(std::get<0>(chosen.param)) + "_" + std::get<1>(chosen.param);
                         });

// The primitives cover the domain once and all turn one way; levels above 64 are 64.
TEST_P(generator, PIPE_03_the_primitives_tile_the_domain)
{
    const auto& [how, backend] = GetParam();
    derived_scenario scenario("tess_no_ti");
    for (const auto* key : {"expect", "expect_order"}) scenario.root().erase(key);
    scenario.set_stage(
        "tess", "S2R R2, SR_LANEID ;\nALD.O.64 R0, a[0x2f0], R2 ;\nAST.64 a[0x70], R0 ;\nEXIT ;\n",
        {{"omap", {"0x70", "0x74", "0x2f0", "0x2f4"}}, {"store_req_start", 188}, {"store_req_end", 189}});
    scenario.draw()["vertex_count"] = 3;
    scenario.draw()["tessellation"] = {{"domain", how.domain},
                                       {"spacing", how.spacing},
                                       {"output", how.output},
                                       {"default_outer", {3, 100, 5.5, 2}},
                                       {"default_inner", {4.5, 3}}};
    scenario.root()["capture"] = {"0x70", "0x74"};
    const auto result = scenario.run(backend, {"--strict=traps"});
    ASSERT_EQ(result.status, 0) << result.err;
    std::vector<std::pair<float, float>> points;
    for (const auto& row : rows_of(scenario.vertices())) points.emplace_back(to_float(row[0]), to_float(row[1]));
    ASSERT_FALSE(points.empty());
    for (const auto& [u, v] : points) {
        EXPECT_TRUE(u >= 0 && u <= 1 && v >= 0 && v <= 1) << u << ' ' << v;
        EXPECT_LE(u + v, how.domain == "triangles" ? 1.0001F : 2.0F);
    }
    const std::set<std::pair<float, float>> unique(points.begin(), points.end());
    if (how.output == "points") {
        EXPECT_EQ(unique.size(), points.size()) << "every point once";
    } else if (how.output == "lines") {
        // The number of lines is the first level, equally spaced whatever the spacing; 100 segments become 64 (63).
        const unsigned segments = how.spacing == "fractional_odd" ? 63 : 64;
        EXPECT_EQ(points.size(), 3U * segments * 2);
        double length = 0;
        for (std::size_t i = 0; i < points.size(); i += 2) {
            EXPECT_EQ(points[i].second, points[i + 1].second);
            length += points[i + 1].first - points[i].first;
        }
        EXPECT_NEAR(length, 3, 1e-3);
    } else {
        const double whole = how.domain == "quads" ? 1 : 0.5;
        const double turn = how.output == "triangles_ccw" ? 1 : -1;
        double area = 0;
        for (std::size_t i = 0; i < points.size(); i += 3) {
            const auto& [au, av] = points[i];
            const auto& [bu, bv] = points[i + 1];
            const auto& [cu, cv] = points[i + 2];
            const double twice = (double{bu} - au) * (double{cv} - av) - (double{cu} - au) * (double{bv} - av);
            EXPECT_GE(turn * twice, -1e-9) << "a triangle turns the other way";
            area += twice / 2;
        }
        EXPECT_NEAR(turn * area, whole, 1e-3);
    }
}

} // namespace
} // namespace isbesim::testbench

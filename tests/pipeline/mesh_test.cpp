// SPDX-License-Identifier: Apache-2.0
// The shipped task and mesh draws against closed forms of their programs' output, and variants of them: other numbers
// of workgroups, other machines, other headers.
#include <cstdio>
#include <cstring>
#include <utility>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "tests/pipeline/derived_scenario.h"
#include "tests/testbench/report_of.h"
#include "tests/testbench/samples.h"
#include "tests/testbench/temporary_folder.h"
#include "tlm/float_bits.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

using words = std::vector<std::uint32_t>;
/// Primitives; each a list of vertices; each the captured words.
using primitives = std::vector<std::vector<words>>;

std::uint32_t bits(unsigned value)
{
    return to_bits(static_cast<float>(value));
}

/// Four of the seven rows of quads of an 8 x 8 grid, two triangles each.
primitives terrain(unsigned workgroups)
{
    primitives result;
    for (unsigned g = 0; g < workgroups; ++g)
        for (unsigned p = 0; p < 56; ++p) {
            const unsigned corner = p / 2 / 7 * 8 + p / 2 % 7;
            const auto vertex = [&](unsigned v) {
                return words{1000 * g + p,           p % 4, bits(v % 8), bits(v / 8), bits(g), bits(1), 64 * g + v,
                             100 * g + (v + 1) % 32, v};
            };
            if (p % 2 == 0)
                result.push_back({vertex(corner), vertex(corner + 1), vertex(corner + 8)});
            else
                result.push_back({vertex(corner + 1), vertex(corner + 9), vertex(corner + 8)});
        }
    return result;
}

primitives lines(unsigned workgroups)
{
    primitives result;
    for (unsigned g = 0; g < workgroups; ++g)
        for (unsigned v = 0; v < 256; v += 2)
            result.push_back({{1000 * g + v, v * v}, {1000 * g + v + 1, (v + 1) * (v + 1)}});
    return result;
}

/// The counts and indices in the constants determine each workgroup's vertices.
primitives limits(unsigned)
{
    const std::vector<std::vector<unsigned>> kept = {{},        {0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3},
                                                     {0, 1, 3}, {},           {0, 1, 3}};
    primitives result;
    for (unsigned g = 0; g < kept.size(); ++g)
        for (const auto v : kept[g]) result.push_back({{16 * g + v}});
    return result;
}

primitives hazard(unsigned workgroups)
{
    primitives result;
    for (unsigned g = 0; g < workgroups; ++g)
        for (unsigned v = 0; v < 2; ++v) result.push_back({{0x500 + v, 0x500}});
    return result;
}

primitives payloads(unsigned tasks)
{
    primitives result;
    for (unsigned g = 0; g < tasks; ++g) {
        words payload;
        for (unsigned w = 0; w < 32; ++w) payload.push_back(1000 * g + w);
        for (unsigned t = 0; t < 32; ++t) payload.push_back(1000 * g + (31 - t) * (31 - t));
        const unsigned x = g, y = 2, z = 1 + g / 2;
        for (unsigned i = 0; i < x * y * z; ++i) {
            std::vector<words> triangle;
            for (unsigned v = 0; v < 3; ++v)
                triangle.push_back({payload[(3 * i + v) % 64], payload[32 + v], i, 10000 * x + 100 * y + z});
            result.push_back(triangle);
        }
    }
    return result;
}

primitives points(unsigned tasks)
{
    primitives result;
    for (unsigned g = 0; g < tasks; ++g)
        for (unsigned i = 0; i < 40; ++i)
            for (unsigned p = 0; p < i % 5; ++p) result.push_back({{100 * i + p, g * g + 7 + 1000 * p}});
    return result;
}

struct sample {
    const char* name;
    unsigned workgroups;
    const char* columns;
    primitives (*make)(unsigned);
};
void PrintTo(const sample& draw, std::ostream* out)
{
    *out << draw.name;
}
constexpr sample sample_draws[] = {
    {"mesh_terrain", 2, "0x60,0x64,0x70,0x74,0x78,0x7c,0x80,0x84,0x88", terrain},
    {"mesh_lines", 2, "0x80,0x84", lines},
    {"mesh_limits", 7, "0x70", limits},
    {"mesh_shared_hazard", 2, "0x70,0x74", hazard},
    {"task_mesh_payload", 5, "0x70,0x74,0x78,0x7c", payloads},
    {"task_mesh_primitives", 2, "0x80,0x90", points},
};

std::string csv(const std::string& columns, const primitives& rows)
{
    std::string text = "stream,primitive,vertex," + columns + "\n";
    for (std::size_t p = 0; p < rows.size(); ++p)
        for (std::size_t v = 0; v < rows[p].size(); ++v) {
            text += "0," + std::to_string(p) + "," + std::to_string(v);
            for (const auto value : rows[p][v]) {
                char word[16];
                std::snprintf(word, sizeof word, ",0x%08x", value);
                text += word;
            }
            text += "\n";
        }
    return text;
}

std::string csv(const sample& draw, unsigned workgroups)
{
    return csv(draw.columns, draw.make(workgroups));
}

class mesh_draws : public testing::TestWithParam<std::tuple<sample, std::string>> {
protected:
    mesh_draws() { scenario_.root().erase("expect"); }
    void run(std::vector<std::string> options = {})
    {
        options.emplace_back("--strict=traps");
        const auto result = scenario_.run(std::get<std::string>(GetParam()), options);
        EXPECT_EQ(result.status, 0) << result.err;
    }
    const sample& shipped() const { return std::get<sample>(GetParam()); }

    derived_scenario scenario_{shipped().name};
};

INSTANTIATE_TEST_SUITE_P(shipped, mesh_draws,
                         testing::Combine(testing::ValuesIn(sample_draws),
                                          testing::Values("lt", "at", "rtl", "lockstep")),
                         [](const auto& instance) {
                             return std::string(std::get<0>(instance.param).name) + "_" + std::get<1>(instance.param);
                         });

/// Warp instructions that read an input after it was overwritten.
unsigned late_reads(const json::object& report)
{
    unsigned found = 0;
    for (const auto& warning : report.at("warnings").as_array())
        if (warning.at("text").as_string().find("overwrote it") != json::string::npos)
            found += warning.at("count").to_number<unsigned>();
    return found;
}

// Every workgroup writes before the next workgroup with the same lines reads: no index may be another workgroup's.
TEST_P(mesh_draws, PIPE_05_any_number_of_workgroups)
{
    if (shipped().make == limits) { // its constants are for seven workgroups
        run();
        EXPECT_EQ(scenario_.vertices(), csv(shipped(), 7));
        return;
    }
    for (const unsigned workgroups : {0U, 1U, 40U}) {
        // Task g of task_mesh_payload launches g * 2 * (1 + g / 2).
        const auto count = shipped().make == payloads ? workgroups / 4 : workgroups;
        scenario_.draw().at("group_count") = count;
        run();
        EXPECT_EQ(scenario_.vertices(), csv(shipped(), count)) << count;
        EXPECT_EQ(scenario_.report().at("output").at("primitives_in").to_number<unsigned>(), count);
    }
}

TEST_P(mesh_draws, PIPE_05_ISBE_09_ISBE_11_shared_and_separate_spaces)
{
    const auto share = [&](bool shared) {
        for (auto& stage : scenario_.stages()) stage.value().at("sph").as_object()["shared_spaces"] = shared;
    };
    const bool reads_late = shipped().make == hazard;
    share(true);
    run();
    EXPECT_EQ(late_reads(scenario_.report()), reads_late ? 2U : 0U); // one instruction in each workgroup
    EXPECT_EQ(scenario_.vertices(), csv(shipped(), shipped().workgroups));
    share(false);
    run();
    EXPECT_EQ(late_reads(scenario_.report()), 0U);
    const auto vertices = scenario_.vertices();
    if (!reads_late) {
        EXPECT_EQ(vertices, csv(shipped(), shipped().workgroups));
        return;
    }
    // With spaces of its own the index remains.
    EXPECT_NE(vertices.find("0,0,0,0x00000500,0x00000000\n"), std::string::npos) << vertices;
    EXPECT_NE(vertices.find("0,3,0,0x00000501,0x00000001\n"), std::string::npos) << vertices;
}

class mesh_machines : public mesh_draws {};

INSTANTIATE_TEST_SUITE_P(shipped, mesh_machines,
                         testing::Combine(testing::ValuesIn(sample_draws), testing::Values("lt", "at")),
                         [](const auto& instance) {
                             return std::string(std::get<0>(instance.param).name) + "_" + std::get<1>(instance.param);
                         });

TEST_P(mesh_machines, PIPE_05_the_machine_changes_time_never_vertices)
{
    const auto expected = csv(shipped(), shipped().workgroups);
    for (const auto* setting :
         {"sm_count=3", "isbe.ports=1", "isbe.banks=8", "isbe.bank_map=rotate", "isbe.bank_map=xor", "isbe.access=line",
          "isbe.skew=false", "isbe.map_byte_swap=true", "isbe.request_queue_depth=1", "isbe.contexts=1",
          "warps_per_sm=2", "poison=true", "isbe.lines=64", "pe.allocation_policy=best_fit"}) {
        run({"--set", setting});
        EXPECT_EQ(scenario_.vertices(), expected) << setting;
    }
}

TEST(mesh_reports, PIPE_05_the_expectations_are_the_closed_forms)
{
    for (const auto& draw : sample_draws)
        EXPECT_EQ(temporary_folder::read(samples + draw.name + "/expected.csv"),
                  as_expected(draw.name, csv(draw, draw.workgroups)));
}

/// The lines of `draw`'s report about the draw's limits.
json::array limit_warnings(derived_scenario& draw, const char* backend)
{
    draw.root().erase("expect");
    const auto result = draw.run(backend);
    EXPECT_EQ(result.status, 0) << result.err;
    json::array found;
    const auto report = draw.report();
    for (const auto& warning : report.at("warnings").as_array())
        if (warning.at("text").as_string().find("outside of what the draw gives it") != json::string::npos)
            found.push_back(warning);
    return found;
}

// The compiler's programs use every line that the driver's words give them, so one line less is too few.
TEST(mesh_reports, PIPE_05_program_outside_its_limits_gives_one_warning)
{
    for (const auto* backend : {"lt", "at"}) {
        derived_scenario shared("mesh_nak_shared");
        EXPECT_TRUE(limit_warnings(shared, backend).empty());
        shared.draw().at("mesh").at("shared_lines") = 8;
        const auto found = limit_warnings(shared, backend);
        ASSERT_EQ(found.size(), 1U);
        EXPECT_EQ(found[0].at("kind"), "workgroup");
        EXPECT_EQ(found[0].at("stage"), "mesh");
        EXPECT_EQ(found[0].at("text"),
                  "mesh: the program accesses the ISBE outside of what the draw gives it: max_vertices 64, "
                  "max_primitives 62 (method 0x1150), shared_lines 8 (0x1154)");
        EXPECT_GT(found[0].at("count").to_number<unsigned>(), 1U);

        derived_scenario cull("mesh_nak_cull");
        EXPECT_TRUE(limit_warnings(cull, backend).empty());
        for (const auto& [key, fewer] : {std::pair{"shared_lines", 1}, {"max_primitives", 31}, {"max_vertices", 64}}) {
            auto& mesh = cull.draw().at("mesh").as_object();
            const auto before = std::exchange(mesh.at(key), fewer);
            EXPECT_EQ(limit_warnings(cull, backend).size(), 1U) << key;
            mesh.at(key) = before;
        }

        derived_scenario payload("mesh_nak_payload");
        EXPECT_TRUE(limit_warnings(payload, backend).empty());
        payload.draw().at("methods").at("0x1150").at(2) = "0x00401020"; // a line instead of two
        const auto both = limit_warnings(payload, backend);
        ASSERT_EQ(both.size(), 2U);
        EXPECT_EQ(both[0].at("text"), "task: the program accesses the ISBE outside of what the draw gives it: "
                                      "local_lines 1 (method 0x1158)");
        EXPECT_NE(both[1].at("text").as_string().find("the task's output_lines 1 (0x1158)"), json::string::npos);
    }
}

/// Outputs that a mesh program reads back, its own and other threads', and the workgroup's index after a first write:
/// the index itself, or with shared spaces the output that lies over it.
TEST(mesh_outputs, PIPE_05_ISBE_09_a_program_reads_its_own_output_and_its_index_late)
{
    const auto check = [](const char* backend, bool after_task, bool share) {
        const std::string index = after_task ? "ISBERD.ATTR.32 " : "ISBERD.ATTR.SKEW.32 ";
        derived_scenario scenario("task_mesh_primitives");
        scenario.root().erase("expect");
        if (!after_task) {
            scenario.stages().erase("task");
            scenario.draw().erase("task");
        }
        const auto text = index + "R0, [RZ]; " + (after_task ? "ISBERD.ATTR.32 R2, [RZ+0x20]" : "MOV R2, 0x7") +
                          R"(; S2R R1, SR_LANEID; SHF.L.U32 R4, R1, 0x2, RZ;
            IADD3 R6, R1, 0x1, RZ; LOP3.LUT R6, R6, 0x3, RZ, 0xc0, !PT; SHF.L.U32 R7, R6, 0x2, RZ;
            IMAD R5, R0, 0x64, R1; ISBEWR.O.ATTR.SKEW.32 [R4], R5; ISBERD.O.ATTR.SKEW.32 R8, [R7];
            IADD3 R8, R8, R2, RZ; ISBEWR.O.ATTR.SKEW.32 [R4+0x80], R8; ISBERD.O.ATTR.SKEW.32 R9, [R7+0x80];
            IADD3 R3, -R1, 0x3, RZ; ISBEWR.O [R1+0x4], R3; ISBERD.O R10, [R6+0x4];
            MOV R11, 0x4; ISBEWR.O.32 [RZ+0x3], R11; ISBERD.O.32 R11, [RZ]; )" +
                          index + R"(R12, [RZ];
            IMAD R9, R10, 0x10000, R9; IMAD R9, R11, 0x1000000, R9;
            ISBEWR.O.ATTR.SKEW.32 [R4], R9; ISBEWR.O.ATTR.SKEW.32 [R4+0x80], R12; EXIT;)";
        scenario.set_stage("mesh", text,
                           {{"imap", json::array{"0x2fc"}}, {"omap", {"0x80", "0x90"}}, {"shared_spaces", share}});
        const auto result = scenario.run(backend, {"--strict=traps"});
        ASSERT_EQ(result.status, 0) << result.err;

        primitives expected;
        const unsigned groups = after_task ? 80 : 2;
        for (unsigned group = 0; group < groups; ++group) {
            const unsigned number = group % 40, payload = 7 + group / 40; // of task 0 and 1: its square and 7
            for (unsigned p = 0; p < 4; ++p) {
                const unsigned v = 3 - p;
                expected.push_back({{(4U << 24 | (3 - (v + 1) % 4) << 16) + 100 * number + (v + 2) % 4 + payload,
                                     share ? 100 * number : number}});
            }
        }
        EXPECT_EQ(scenario.vertices(), csv("0x80,0x90", expected));
        EXPECT_EQ(late_reads(scenario.report()), share ? groups : 0U);
    };
    for (const auto* backend : {"lt", "at", "rtl", "lockstep"})
        for (const bool after_task : {true, false})
            for (const bool share : {false, true}) {
                SCOPED_TRACE(std::string(backend) + (after_task ? " task" : "") + (share ? " shared" : ""));
                check(backend, after_task, share);
            }
}

TEST(vertex_shared_spaces, ISBE_09_load_after_the_store_is_flagged)
{
    derived_scenario scenario("vs_text");
    scenario.stages().at("vertex").as_object().at("sph").as_object()["shared_spaces"] = true;
    for (const auto* backend : {"lt", "at"}) {
        ASSERT_EQ(scenario.run(backend).status, 0); // loads first: still the expected vertices
        EXPECT_EQ(late_reads(scenario.report()), 0U);
    }
    auto sph = scenario.stages().at("vertex").at("sph");
    scenario.set_stage("vertex", "MOV32I R0, 0x7; AST a[0x70], R0; ALD R1, a[0x80]; AST a[0x74], R1; EXIT;", sph);
    scenario.root().erase("expect");
    for (const auto* backend : {"lt", "at"}) {
        ASSERT_EQ(scenario.run(backend).status, 0);
        EXPECT_EQ(late_reads(scenario.report()), 1U);
        EXPECT_NE(scenario.vertices().find("0,0,0,0x00000007,0x00000007,"), std::string::npos) << scenario.vertices();
    }
}

json::object report_of_sample(const std::string& name)
{
    return report_of({"run", samples + name + "/scenario.json"}, temporary_folder().path("out"));
}

TEST(mesh_reports, PIPE_05_warnings_count_cut_and_dropped_primitives)
{
    const auto report = report_of_sample("mesh_limits");
    // Workgroups 2 and 3 store counts of 7 and 2^32 - 1, above 4; 4 and 6 an index above 3.
    const auto expected = json::parse(R"([
        {"kind": "mesh_primitives_above_maximum", "stage": "mesh", "pc": null, "first_cycle": null, "count": 4294967294,
         "text": "mesh: primitives by which the count exceeds max_primitives: dropped"},
        {"kind": "mesh_primitives_without_vertex", "stage": "mesh", "pc": null, "first_cycle": null, "count": 2,
         "text": "mesh: primitives with a vertex index that is not below max_vertices: dropped"}])");
    EXPECT_EQ(report.at("warnings"), expected);
    EXPECT_EQ(report.at("invocations"), json::parse(R"({"mesh": 28})"));
}

TEST(mesh_reports, PIPE_05_invocations_of_both_stages)
{
    const auto report = report_of_sample("task_mesh_payload");
    // 5 tasks of 32 threads, 0 + 2 + 8 + 12 + 24 workgroups of 3.
    EXPECT_EQ(report.at("invocations"), json::parse(R"({"task": 160, "mesh": 138})"));
    EXPECT_TRUE(report.at("warnings").as_array().empty());
}

/// Every workgroup outputs primitives, and one SM launches the workgroups in the order of the draw.
TEST(mesh_reports, PIPE_05_meshlet_costs_its_warps_cycles)
{
    const auto report = report_of_sample("task_mesh_payload");
    const auto& series = report.at("series");
    std::vector<std::uint64_t> expected, found;
    std::uint64_t sum = 0;
    const auto number = [](const json::value& member) { return member.to_number<std::uint64_t>(); };
    for (const auto& life : series.at("first_warps").as_array())
        if (life.at(2) == "mesh") expected.push_back(number(life.at(4)) - number(life.at(3)));
    for (const auto& each : series.at("meshlets").as_array()) {
        sum += number(each.at(0));
        found.push_back(number(each.at(1)));
    }
    EXPECT_EQ(found.size(), 46U);
    EXPECT_EQ(found, expected);
    EXPECT_EQ(sum, number(report.at("output").at("primitives_out_stream_0")));
}

TEST(mesh_reports, PIPE_05_PIPE_07_a_mesh_larger_than_the_ISBE_is_an_error)
{
    const temporary_folder folder;
    const auto result = run_isbesim({"run", samples + "mesh_terrain/scenario.json", "--quiet", "--set", "isbe.lines=24",
                                     "--out", folder.path("out")});
    EXPECT_EQ(result.status, 2);
    // 14 lines of vertices, 8 of primitives, 1 shared, 3 of MAP.
    EXPECT_NE(result.last_error().find("scenario.json:7:11: a workgroup of this draw needs 26 ISBE lines"),
              std::string::npos)
        << result.last_error();
}

} // namespace
} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
// Scenarios that `pack` writes: the vertices are those of the declarations, whatever strategy, architecture, back end.
#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "test_paths.h"
#include "tests/testbench/process.h"
#include "tests/testbench/report_of.h"
#include "tests/testbench/temporary_folder.h"
#include "tests/varying/text_meaning.h"
#include "tlm/hex.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

const std::string data = ISBESIM_SOURCE_DIR "/tests/data/varying/";
constexpr const char* strategies[] = {"chain", "indirect", "split", "select", "local"};

std::uint32_t hex_of(const json::value& text)
{
    return static_cast<std::uint32_t>(std::stoul(std::string(text.as_string()), nullptr, 16));
}

/// vertices.csv as the programs' texts mean it: nothing of it comes from `pack`.
std::string csv_of(const test::meant_draw& draw, const std::vector<unsigned>& columns)
{
    std::string csv = "stream,primitive,vertex";
    for (const auto address : columns) csv += "," + hex(address, 2);
    csv += "\n";
    for (const auto& row : test::vertices_of(draw)) {
        csv += std::to_string(row.stream) + "," + std::to_string(row.primitive) + "," + std::to_string(row.vertex);
        for (const auto address : columns) csv += "," + hex(row.values.at(address), 8);
        csv += "\n";
    }
    return csv;
}

/// Words of vertex attributes, four a vertex, as scenarios have them.
void take_attributes(const json::object& scenario, test::meant_draw& draw)
{
    std::map<unsigned, std::vector<std::uint32_t>> attributes;
    for (const auto& [address, source] : scenario.at("attributes").as_object())
        for (const auto& each : source.at("words").as_array())
            attributes[static_cast<unsigned>(std::stoul(std::string(address), nullptr, 16))].push_back(
                each.is_string() ? hex_of(each) : each.to_number<std::uint32_t>());
    draw.attribute = [attributes](unsigned vertex, unsigned address) -> std::uint32_t {
        const auto found = attributes.find(address / 16 * 16);
        return found == attributes.end() ? 0 : found->second.at(4 * vertex + address / 4 % 4);
    };
}

class pack_scenario : public testing::TestWithParam<std::string> {
protected:
    /// The vertices of a scenario that `pack` wrote, by its texts and data alone.
    std::string meaning_of(const std::string& packed)
    {
        const auto scenario = json::parse(temporary_folder::read(packed + "/scenario.json")).as_object();
        test::meant_draw draw;
        for (const auto& text : test::text_meaning::programs_of(temporary_folder::read(packed + "/declarations.tgsi")))
            draw.programs.emplace_back(text);
        // Where GENERIC[] went is the allocator's choice.
        auto placed = json::parse(run_isbesim({"pack", packed + "/declarations.tgsi"}).out);
        for (auto& program : draw.programs) {
            std::map<std::pair<std::string, unsigned>, unsigned> first;
            for (const auto& each : placed.at("components").as_array())
                first.try_emplace({std::string(each.at("file").as_string()), each.at("register").to_number<unsigned>()},
                                  hex_of(each.at("address")));
            for (const auto& [where, address] : first) program.choose_place(where.first, where.second, address);
            if (placed.as_object().contains("next")) placed = json::value(placed.at("next"));
        }
        draw.topology = std::string(scenario.at("draw").at("topology").as_string());
        draw.vertex_count = scenario.at("draw").at("vertex_count").to_number<unsigned>();
        if (scenario.contains("attributes"))
            take_attributes(scenario, draw);
        else
            draw.attribute = [](unsigned, unsigned) -> std::uint32_t { return 0; };
        std::map<std::pair<unsigned, unsigned>, std::uint32_t> constants;
        if (scenario.contains("constants"))
            for (const auto& [bank, words] : scenario.at("constants").as_object())
                for (const auto& [offset, value] : words.as_object())
                    constants[{static_cast<unsigned>(std::stoul(std::string(bank))),
                               static_cast<unsigned>(std::stoul(std::string(offset), nullptr, 16))}] =
                        hex_of(value.as_array().at(0));
        draw.constant = [constants](unsigned bank, unsigned offset) -> std::uint32_t {
            const auto found = constants.find({bank, offset});
            return found == constants.end() ? 0 : found->second;
        };
        return csv_of(draw, draw.programs.back().outputs());
    }

    /// Packs and runs under every strategy and architecture; the reports by architecture + strategy.
    std::map<std::string, json::object> run_all(const std::string& file, const std::vector<std::string>& extra = {})
    {
        std::map<std::string, json::object> reports;
        std::string vertices;
        for (const auto* arch : {"sm50", "sm75"})
            for (const auto* strategy : strategies) {
                const auto packed = folder_.path("made"), out = folder_.path("out");
                auto result = run_isbesim(
                    words{"pack", file, "--emit", "scenario", "--arch", arch, "--strategy", strategy, "--out", packed} +
                    extra);
                EXPECT_EQ(result.status, 0) << result.err;
                result = run_isbesim({"run", packed + "/scenario.json", "--isbe", GetParam(), "--out", out,
                                      "--strict=traps", "--check-protocol", "--quiet"});
                EXPECT_EQ(result.status, 0)
                    << strategy << " " << arch << " " << result.err << temporary_folder::read(packed + "/vs.sass");
                const auto csv = temporary_folder::read(out + "/vertices.csv");
                EXPECT_EQ(csv, temporary_folder::read(packed + "/expected.csv"));
                if (vertices.empty()) vertices = meaning_of(packed);
                EXPECT_EQ(csv, vertices) << strategy << " " << arch;
                reports[std::string(arch) + " " + strategy] = report_in(out);
            }
        EXPECT_GT(vertices.size(), 200U);
        return reports;
    }
    temporary_folder folder_;
};

INSTANTIATE_TEST_SUITE_P(on, pack_scenario, testing::Values("lt", "at"),
                         [](const auto& chosen) { return chosen.param; });

std::uint64_t count(const json::object& report, const char* group, const char* key)
{
    return report.at(group).at(key).to_number<std::uint64_t>();
}

TEST_P(pack_scenario, VAR_06_a_vertex_program_under_every_strategy)
{
    const auto reports = run_all(data + "vertex_arrays.tgsi");
    for (const auto* arch : {"sm50 ", "sm75 "}) {
        const auto& chain = reports.at(std::string(arch) + "chain");
        const auto& indirect = reports.at(std::string(arch) + "indirect");
        const auto& split = reports.at(std::string(arch) + "split");
        const auto& local = reports.at(std::string(arch) + "local");
        // Three warps. Run-time stores: one scalar and twice three; every component takes one AL2P and one AST, in the
        // split form for each of the four components that an element can begin at.
        EXPECT_EQ(count(indirect, "instructions", "al2p"), 3U * 7);
        EXPECT_EQ(count(split, "instructions", "al2p"), 3U * 4 * 7);
        EXPECT_EQ(count(reports.at(std::string(arch) + "select"), "instructions", "al2p"), 3U * 4 * 7);
        EXPECT_EQ(count(chain, "instructions", "al2p"), 0U);
        EXPECT_EQ(count(local, "instructions", "al2p"), 0U);
        // The position; 8 scalars in two vectors; 12 from GENERIC[0].y on: 1 + 2 + 4 + 4 + 1.
        EXPECT_EQ(count(local, "instructions", "ast"), 3U * (1 + 2 + 5));
        // The chain compares the index with 8 + 4 + 4 elements; the others check its range and scale it three times,
        // and shift it once.
        EXPECT_EQ(count(chain, "instructions", "other"),
                  count(indirect, "instructions", "other") + 3 * (16 - 3 - 3 - 1));
    }
}

TEST_P(pack_scenario, VAR_04_VAR_06_a_geometry_program_under_every_strategy)
{
    const auto reports = run_all(data + "geometry_arrays.tgsi");
    EXPECT_EQ(count(reports.at("sm75 local"), "invocations", "geometry"), 64U);
}

TEST_P(pack_scenario, a_vertex_outside_the_primitive_reads_zero)
{
    run_all(folder_.write("x.tgsi", "GEOM\nPROPERTY GS_INPUT_PRIMITIVE LINES\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
                                    "IN[][0], POSITION\nIN[][1..4].xy, GENERIC[0].z, ARRAY(1)\nSV[0], PRIMID\n"
                                    "OUT[0], POSITION\nOUT[1].xy, GENERIC[8]\nUARL ADDR[0].x, SV[0].xxxx\n"
                                    "MOV OUT[0], IN[ADDR[0].x-1][0]\nMOV OUT[1].xy, IN(1)[ADDR[0].x-2][ADDR[0].x-1]\n"
                                    "EMIT\nEND\n"));
}

TEST_P(pack_scenario, VAR_06_without_range_checks_indices_inside_the_arrays_do_the_same)
{
    const auto file =
        folder_.write("x.tgsi", "VERT\nDCL IN[0]\nDCL IN[1].x\nDCL OUT[0..3], GENERIC[2], ARRAY(1)\n"
                                "DCL OUT[4], POSITION\nUARL ADDR[0].x, IN[1].xxxx\nMOV OUT[4], IN[0]\n"
                                "MOV OUT[0], IN[0]\nMOV OUT[1], IN[0]\nMOV OUT[2], IN[0]\nMOV OUT[3], IN[0]\n"
                                "MOV OUT(1)[ADDR[0].x-1].yzw, IN[0].wzyx\nEND\n");
    const auto checked = run_all(file), raw = run_all(file, {"--raw"});
    for (const auto* strategy : {"sm50 indirect", "sm50 local", "sm75 split"})
        EXPECT_LT(count(raw.at(strategy), "instructions", "other"),
                  count(checked.at(strategy), "instructions", "other"));
}

TEST_P(pack_scenario, declarations_alone_get_instructions)
{
    for (const auto* text :
         {"OUT[0..7].x, CLIPDIST, ARRAY(1)", "OUT[0..3].x, GENERIC[0]\nOUT[4..5].xy, GENERIC[1]",
          "OUT[0..3].xyz, GENERIC[0].x, ARRAY(1)\nOUT[4..5].xyz, GENERIC[3].x, ARRAY(2)\nOUT[6].xy, GENERIC[4].zw",
          "GEOM\nIN[][0..3].xyz, GENERIC[0].w, ARRAY(1)\nOUT[0], POSITION\nOUT[1..3].xyz, GENERIC[5].y, ARRAY(4)"})
        run_all(folder_.write("x.tgsi", text));
}

/// As the mails write them: no ADDR, TEMP or IMM is declared or written.
TEST_P(pack_scenario, VAR_05_accesses_without_a_program_around_them)
{
    for (const auto* text : {"OUT[0..7].x, CLIPDIST, ARRAY(1)\nMOV OUT(1)[ADDR[0].x-1], IMM[0]",
                             "OUT[0..3].xyzw, GENERIC[0], ARRAY(1)\nMOV OUT(array 1)[ADDR[0].x+1].y, IMM[0].xxxx",
                             "OUT[0..3].xyz, GENERIC[0].x\nOUT[4..5].xyz, GENERIC[3].x\nOUT[6].xy, GENERIC[4].zw\n"
                             "ADD OUT[5].xyz, TEMP[0], TEMP[1]",
                             "GEOM\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\nIN[][0..3].xy, GENERIC[0], ARRAY(1)\n"
                             "OUT[0], POSITION\n"
                             "MOV OUT[0], IN(1)[1][TEMP[0].y+1].xyxy\nEMIT"})
        run_all(folder_.write("x.tgsi", text));
}

TEST_P(pack_scenario, two_programs_of_one_text)
{
    run_all(folder_.write("x.tgsi", "VERT\nIN[0]\nIN[1].xy\nOUT[0], POSITION\nOUT[1..4].xy, GENERIC[0].z, ARRAY(1)\n"
                                    "UARL ADDR[0].x, IN[1].xxxx\nMOV OUT[0], IN[0]\nMOV OUT(1)[ADDR[0].x], IN[0].zwxy\n"
                                    "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
                                    "IN[][0], POSITION\nIN[][1..4].xy, GENERIC[0].z, ARRAY(1)\nSV[0], PRIMID\n"
                                    "OUT[0..1], GENERIC[8], ARRAY(3)\nIMM UINT32 {1, 3}\n"
                                    "AND TEMP[0].xy, SV[0].xxxx, IMM[0].xyxy\nUARL ADDR[0].xy, TEMP[0].xyyy\n"
                                    "MOV OUT(3)[ADDR[0].x], IN(1)[0][ADDR[0].y].yxyx\nEMIT IMM[0].xxxx\n"
                                    "MOV OUT[1], IN[0][0]\nEMIT\nEND\n"));
}

} // namespace
} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
// Scenarios that are read with warnings.

#include "tests/testbench/scenario_file.h"

namespace isbesim::testbench {
namespace {

/// "kind: text" of every warning, the folder's name left out.
std::vector<std::string> warnings_of(const scenario& loaded, const std::string& folder)
{
    std::vector<std::string> result;
    for (const auto& each : loaded.warnings)
        result.push_back(each.kind + ": " +
                         (each.text.rfind(folder, 0) == 0 ? each.text.substr(folder.size()) : each.text));
    return result;
}

/// A scenario of the vertex program vs.sass with its header; `rest`: the keys after the stages.
std::string vertex_scenario(const std::string& sph, const std::string& rest)
{
    return "{\"arch\": \"sm50\", \"stages\": {\"vertex\": {\"code\": \"vs.sass\", \"sph\": " + sph + "}},\n" + rest +
           "}";
}

using lines = std::vector<std::string>;

TEST_F(scenario_file, loaded_attribute_without_data_gives_a_warning)
{
    folder_.write("vs.sass",
                  "ALD.128 R0, a[0x80] ;\nALD.64 R4, a[0x90] ;\nALD R8, a[0x2fc] ;\nAST a[0x70], R0 ;\nEXIT ;\n");
    const std::string sph = "{\"imap\": [\"0x80..0x94\", \"0xa0\", \"0x2fc\"], \"omap\": [\"0x70\"]}";
    const std::string draw = "\"draw\": {\"topology\": \"points\", \"vertex_count\": 1}";
    EXPECT_EQ(
        warnings_of(load(vertex_scenario(sph, draw)), folder_.path()),
        lines{"missing_attribute: s.json:2:1: the program of stage 'vertex' loads attributes 0x80 to 0x94, of which "
              "the scenario has no data: it gets their defaults"})
        << "neither 0xa0, which the program does not load, nor the vertex id";
    // Missing components of a given attribute get their defaults, as in every graphics API.
    EXPECT_EQ(
        warnings_of(
            load(vertex_scenario(sph, draw + ",\n\"attributes\": {\"0x84\": {\"components\": 1, \"words\": [1]}}")),
            folder_.path()),
        lines{"missing_attribute: s.json:3:1: the program of stage 'vertex' loads attributes 0x90 to 0x94, of which "
              "the scenario has no data: it gets their defaults"});
    const auto whole =
        load(vertex_scenario(sph, draw + ", \"attributes\": {\"0x80\": {\"words\": [1,2,3,4]}, \"0x90\": "
                                         "{\"components\": 2, \"words\": [1.0, 2.0]}}"));
    EXPECT_EQ(warnings_of(whole, folder_.path()), lines{});
    EXPECT_EQ(whole.draw.attributes.at(0x90).words, (std::vector<word>{0x3f800000U, 0x40000000U}));
    // By an address in a register: whatever the map has.
    folder_.write("vs.sass", "AL2P R1, RZ, 0x80 ;\nALD.PHYS R0, a[R1] ;\nAST a[0x70], R0 ;\nEXIT ;\n");
    EXPECT_EQ(warnings_of(load(vertex_scenario("{\"imap\": [\"0xa0\"], \"omap\": [\"0x70\"]}", draw)), folder_.path())
                  .at(0)
                  .substr(0, 82),
              "missing_attribute: s.json:2:1: the program of stage 'vertex' loads attributes 0xa0");
}

TEST_F(scenario_file, absent_constants_give_warnings_by_name_or_place)
{
    folder_.write("vs.sass", "MOV R0, c[0x0][0x40] ;\nLDC.64 R2, c[0x0][RZ+0x48] ;\nLDC R4, c[0x2][R0+0x10] ;\n"
                             "MOV R5, c[0x3][0x0] ;\nAST a[0x70], R0 ;\nEXIT ;\n");
    const std::string sph = "{\"omap\": [\"0x70\"]}";
    const std::string draw = "\"draw\": {\"topology\": \"points\", \"vertex_count\": 1}";
    const auto warning_of = [&](const std::string& rest) {
        return warnings_of(load(vertex_scenario(sph, draw + rest)), folder_.path());
    };
    EXPECT_EQ(
        warning_of(", \"constants\": {\"3\": {\"0x0\": [0]}}"),
        lines{"no_constants: s.json:1:29: the program of stage 'vertex' reads constants c[0x0][0x40..0x50], c[0x2], "
              "of which the scenario has none: they are 0"});
    const auto entry = [](const std::string& name, const std::string& type, unsigned offset, const std::string& rest) {
        return "\"" + name + "\": {\"type\": \"" + type + "\", \"places\": [{\"stage\": \"vertex\", \"bank\": 0, " +
               "\"offset\": " + std::to_string(offset) + "}]" + rest + "}";
    };
    // The program reads 0x40 and the words from 0x48 on; uniforms elsewhere need no value.
    const std::string uniforms = ",\n\"constants\": {\"2\": {\"0x0\": [0]}, \"3\": {\"0x0\": [0]}}, \"uniforms\": {" +
                                 entry("idle", "vec4", 0x30, "") + ", " + entry("between", "int", 0x44, "") + ", ";
    EXPECT_EQ(warning_of(uniforms + entry("a", "mat2", 0x38, "") + ", " + entry("b", "float", 0x4c, "") + "}"),
              lines{"no_value: s.json:3:54: the programs read a (mat2), b (float), of which the scenario has no value: "
                    "numbers are 0, textures what they were compiled with"});
    const auto loaded = load(vertex_scenario(
        sph, draw + uniforms + entry("a", "dvec2", 0x3c, ", \"value\": [1.5, -2]") + ", " +
                 entry("b", "bvec3", 0x4c, ", \"count\": 2, \"array_stride\": 16, \"value\": [true, 0, 1]") + "}"));
    EXPECT_EQ(warnings_of(loaded, folder_.path()), lines{});
    const std::vector<word> expected = {0, 0x3ff80000, 0, 0xc0000000, ~0U, 0, ~0U};
    const auto& bank = loaded.draw.stages.at(stage::vertex).constants[0];
    EXPECT_EQ((std::vector<word>{bank.begin() + 15, bank.end()}), expected);
}

TEST_F(scenario_file, wrong_uniform_is_refused_at_its_place)
{
    folder_.write("vs.sass", "MOV R0, c[0x0][0x40] ;\nAST a[0x70], R0 ;\nEXIT ;\n");
    const struct {
        const char* entry;
        const char* error;
    } cases[] = {
        {"\"type\": \"vec2\", \"value\": [1, 2]", "uniform 'u' has no 'places', expected one"},
        {"\"type\": \"vec2\", \"places\": [], \"value\": [1, 2]", "uniform 'u' has no place in this draw"},
        {"\"type\": \"vec2\", \"places\": [{\"address\": 16}], \"value\": [1, 2]",
         "uniform 'u' is at 0x10, which no buffer of 'memory' holds"},
        {"\"type\": \"vec2\", \"places\": [{\"stage\": \"geometry\", \"bank\": 0, \"offset\": 0}]",
         "a place of uniform 'u' is in stage \"geometry\", expected a stage of this draw"},
        {"\"type\": \"vec2\", \"places\": [{\"stage\": \"vertex\", \"bank\": 32, \"offset\": 0}]", "bank is 32"},
        {"\"type\": \"vec2\", \"places\": [{\"stage\": \"vertex\", \"bank\": 0, \"offset\": 65532}], \"value\": [1, 2]",
         "uniform 'u' runs past the end of constant bank 0"},
        {"\"type\": \"vec2\", \"places\": [{\"stage\": \"vertex\", \"bank\": 0, \"offset\": 2}]",
         "offset is 0x2, expected"},
        {"\"type\": \"vec2\", \"places\": [{\"address\": 16, \"bank\": 0}]", "'bank' beside 'address'"},
        {"\"type\": \"vec2\", \"matrix_stride\": 6, \"places\": []", "matrix_stride is 6, expected a multiple of 4"},
        {"\"type\": \"vec5\", \"places\": [], \"value\": [1]", "value"},
    };
    for (const auto& each : cases) {
        const auto message =
            error(vertex_scenario("{\"omap\": [\"0x70\"]}",
                                  "\"draw\": {\"topology\": \"points\", \"vertex_count\": 1}, \"uniforms\": {\"u\": {" +
                                      std::string(each.entry) + "}}"));
        EXPECT_NE(message.find(each.error), message.npos) << message;
    }
}

TEST_F(scenario_file, programs_that_leave_their_maps_give_warnings)
{
    folder_.write("vs.sass", "ALD R0, a[0x84] ;\nAST.64 a[0x78], R0 ;\nEXIT ;\n");
    const auto loaded = load(vertex_scenario("{\"imap\": [\"0x80\"], \"omap\": [\"0x7c\"]}",
                                             "\"draw\": {\"topology\": \"points\", \"vertex_count\": 1}"));
    EXPECT_EQ(
        warnings_of(loaded, folder_.path()),
        (lines{"beside_imap: s.json:1:29: the program of stage 'vertex' loads attributes 0x84, which the imap of its "
               "header lacks: it gets their defaults",
               "beside_omap: s.json:1:29: the program of stage 'vertex' stores attributes 0x78, which the omap of its "
               "header lacks: they are dropped"}));
    EXPECT_EQ(loaded.warnings[0].stage, "vertex");
}

// HARDWARE.md E.6, E2: the AST page's own example is legal and stores R0 to R3.
TEST_F(scenario_file, dropped_low_bits_of_registers_give_warnings_with_their_place)
{
    folder_.write("vs.sass", "ALD.128 R4, a[0x80] ;\n  AST.128 a[64],   R1 ;\nAST.64 a[0x70], R3 ;\nEXIT ;\n");
    const auto content = vertex_scenario("{\"imap\": [\"0x80..0x8c\"], \"omap\": [\"0x40..0x4c\", \"0x70..0x74\"]}",
                                         "\"draw\": {\"topology\": \"points\", \"vertex_count\": 1},"
                                         "\"attributes\": {\"0x80\": {\"words\": [1,2,3,4]}}");
    EXPECT_EQ(
        warnings_of(load(content), folder_.path()),
        (lines{"misaligned_register: vs.sass:2:20: AST of 4 words with R1: the hardware drops the low bits of the "
               "register, it takes R0 to R3",
               "misaligned_register: vs.sass:3:17: AST of 2 words with R3: the hardware drops the low bits of the "
               "register, it takes R2 to R3"}));
    EXPECT_EQ(load(content).warnings[0].pc, 0x10U);
}

TEST_F(scenario_file, captures_that_stay_empty_give_warnings)
{
    const auto capture = [&](const std::string& what, const std::string& stages, const std::string& draw = "points") {
        return warnings_of(
            load("{\"arch\": \"sm50\", \"stages\": " + stages + ",\n\"draw\": {\"topology\": \"" + draw +
                 "\", \"vertex_count\": 3}, \"attributes\": {\"0x80\": {\"words\": [1, 2, 3, 4], \"repeat\": "
                 "true}, \"0x90\": {\"words\": [1, 2, 3, 4], \"repeat\": true}},\n\"capture\": " +
                 what + "}"),
            folder_.path());
    };
    const std::string vertex = "{\"vertex\": {\"code\": \"vs.code.bin\", \"sph\": \"vs.sph.bin\"}";
    const auto geometry = [&](const std::string& fields) {
        return vertex +
               ", \"geometry\": {\"code\": \"gs.code.bin\", \"sph\": {\"imap\": [\"0x70..0x94\"], \"omap\": "
               "[\"0x70..0x8c\"], \"output_topology\": \"triangle_strip\"" +
               fields + "}}}";
    };
    EXPECT_EQ(capture("[\"0x70\"]", vertex + "}"), lines{});
    EXPECT_EQ(
        capture("[\"0x70\", \"0x2c0\", \"0x2c4\"]", vertex + "}"),
        lines{"unwritten_capture: s.json:3:1: attributes 0x2c0 to 0x2c4 are captured, but the last stage's header "
              "does not write them: the columns hold their defaults"});
    EXPECT_EQ(capture("{\"0\": [\"0x70\"], \"1\": [\"0x70\"]}", vertex + "}").at(0).substr(0, 58),
              "no_stream: s.json:3:1: stream 1 is captured, but the last ");
    // In a header of named fields the mask defaults to stream 0: otherwise there would be no vertices.
    EXPECT_EQ(capture("[\"0x70\"]", geometry(", \"max_output_vertex_count\": 3"), "triangles"), lines{});
    EXPECT_EQ(capture("[\"0x70\"]", geometry(", \"max_output_vertex_count\": 3, \"stream_out_mask\": 2"), "triangles"),
              lines{"no_stream: s.json:3:1: stream 0 is captured, but stream_out_mask of the geometry header leaves it "
                    "out: vertices.csv gets no rows of it"});
    for (const auto* none : {"", ", \"max_output_vertex_count\": 0"}) {
        const auto warned = capture("[\"0x70\"]", geometry(none), "triangles").at(0);
        EXPECT_EQ(warned.substr(0, 70), "no_vertex: s.json:1:85: max_output_vertex_count of the geometry header");
        EXPECT_NE(warned.find("room for no vertex"), std::string::npos) << warned;
    }
}

TEST_F(scenario_file, keys_without_effect_give_warnings)
{
    const auto warned = [&](const std::string& draw, const std::string& rest = "") {
        return warnings_of(load(text(draw,
                                     "{\"0x80\": {\"words\": [1, 2, 3, 4], \"repeat\": true}, \"0x90\": {\"words\": "
                                     "[1, 2, 3, 4], \"repeat\": true}}",
                                     rest)),
                           folder_.path());
    };
    EXPECT_EQ(warned(three_points), lines{});
    EXPECT_EQ(warned("{\"topology\": \"points\", \"vertex_count\": 3,\n\"restart_index\": 1}"),
              lines{"no_effect: s.json:3:1: restart_index has no effect: the draw has no indices"});
    EXPECT_EQ(warned("{\"topology\": \"points\", \"vertex_count\": 3,\n\"index_bytes\": 2}"),
              lines{"no_effect: s.json:3:1: index_bytes has no effect: the draw has no indices"});
    EXPECT_EQ(warned("{\"topology\": \"points\", \"vertex_count\": 3, \"restart_index\": null}"), lines{});
    EXPECT_EQ(warned("{\"topology\": \"points\", \"vertex_count\": 3,\n\"patch_vertices\": 3}"),
              lines{"no_effect: s.json:3:1: patch_vertices has no effect: the topology is points, not patches"});
    EXPECT_EQ(
        warned(three_points, ",\n\"expect_ulp\": 1"),
        lines{"no_effect: s.json:4:1: expect_ulp has no effect: there is no 'expect' to compare the vertices with"});
    EXPECT_EQ(warned("{\"topology\": \"points\", \"vertex_count\": 0}"),
              lines{"nothing_drawn: s.json:2:9: the draw has no vertices"});
    EXPECT_EQ(warned("{\"topology\": \"points\", \"vertex_count\": 3, \"instance_count\": 0}"),
              lines{"nothing_drawn: s.json:2:9: the draw has no instances"});
}

TEST_F(scenario_file, a_header_of_the_wrong_size_gives_a_warning)
{
    std::filesystem::copy_file(samples + "sm75_vs_loop/vs.code.bin", folder_.path("turing.bin"));
    const auto loaded =
        load("{\"arch\": \"sm75\", \"stages\": {\"vertex\": {\"code\": \"turing.bin\", \"sph\": \"vs.sph.bin\"}},"
             "\"draw\": {\"topology\": \"points\", \"vertex_count\": 0}}");
    EXPECT_EQ(warnings_of(loaded, folder_.path()).at(0),
              "header_size: s.json:1:69: the header of stage 'vertex' has 80 bytes, those of sm75 programs have 128");
}

} // namespace
} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
#include "testbench/scenario/scenario.h"

#include <array>
#include <cstring>

#include <gtest/gtest.h>

#include "tests/testbench/error_text.h"
#include "tests/testbench/samples.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

/// Scenarios in a folder that holds the programs of a vertex and of a geometry draw.
class scenario_file : public testing::Test {
protected:
    scenario_file()
    {
        for (const auto* name : {"vs.code.bin", "vs.sph.bin", "gs.code.bin", "gs.sph.bin"}) {
            std::filesystem::copy_file(samples + "gs_pass/" + name, folder_.path(name));
        }
    }

    static std::string text(const std::string& draw, const std::string& attributes, const std::string& rest = "")
    {
        return "{\"arch\": \"sm50\", \"stages\": {\"vertex\": {\"code\": \"vs.code.bin\", \"sph\": \"vs.sph.bin\"}},\n"
               "\"draw\": " +
               draw + ",\n\"attributes\": " + attributes + rest + "}";
    }
    scenario load(const std::string& content) { return load_scenario(folder_.write("s.json", content)); }
    /// Error without the folder's name.
    std::string error(const std::string& content)
    {
        auto what = error_text([&] { load(content); });
        const auto prefix = folder_.path();
        if (what.rfind(prefix, 0) == 0) what.erase(0, prefix.size());
        return what;
    }

    static constexpr const char* three_points = "{\"topology\": \"points\", \"vertex_count\": 3}";
    static constexpr const char* three_words =
        "{\"0x80\": {\"components\": 1, \"words\": [\"0x1\", \"0x2\", \"0x3\"]}}";
    temporary_folder folder_;
};

TEST_F(scenario_file, contained_reads_nothing_outside_its_folder)
{
    temporary_folder outside;
    const auto words = std::string("\1\0\0\0\2\0\0\0\3\0\0\0", 12);
    const auto secret = outside.write("secret.bin", words);
    std::filesystem::create_directory(folder_.path("below"));
    folder_.write("below/data.bin", words);
    const auto here = std::filesystem::path(folder_.path("")).parent_path().filename().string();
    std::filesystem::create_symlink(secret, folder_.path("link.bin"));
    std::filesystem::create_symlink(folder_.path("below/data.bin"), folder_.path("inner.bin"));
    std::filesystem::create_directory_symlink(outside.path(""), folder_.path("door"));

    const auto with = [&](const std::string& name, file_access access) {
        const auto file =
            folder_.write("s.json", text(three_points, "{\"0x80\": {\"components\": 1, \"file\": \"" + name + "\"}}"));
        return error_text([&] { load_scenario(file, access); });
    };
    for (const auto& name : std::vector<std::string>{"below/data.bin", "./below/../below/data.bin", "inner.bin",
                                                     "../" + here + "/below/data.bin"}) {
        SCOPED_TRACE(name);
        EXPECT_EQ(with(name, file_access::contained), "");
    }
    // What isn't there is not told from what is: outside neither can be seen.
    for (const auto& name : {secret, outside.path("nothing.bin"), std::string("link.bin"),
                             std::string("door/secret.bin"), std::string("/etc/passwd"), std::string("../x")}) {
        SCOPED_TRACE(name);
        EXPECT_NE(with(name, file_access::contained).find("'" + name + "' is not in the scenario's folder"),
                  std::string::npos);
    }
    EXPECT_EQ(with(secret, file_access::anywhere), "");
    EXPECT_EQ(with("link.bin", file_access::anywhere), "");
}

/// Told before any of them takes its memory: a scenario of some hundred bytes would take 1 TiB.
TEST_F(scenario_file, the_sizes_of_its_buffers_are_bounded_together)
{
    std::string memory = ", \"memory\": [";
    for (unsigned i = 1; i <= 1024; ++i)
        memory += std::string(i == 1 ? "" : ", ") + "{\"address\": \"0x" + std::to_string(i) +
                  "00000000\", \"size\": 1073741824}";
    EXPECT_NE(error(text(three_points, three_words, memory + "]"))
                  .find("the buffers of memory come to 5368709120 bytes with this one, expected at most 4294967296"),
              std::string::npos);
}

/// Every key that names a file.
TEST_F(scenario_file, contained_holds_for_every_key_that_names_a_file)
{
    temporary_folder outside;
    const auto secret = outside.write("secret.bin", std::string(80, '\0'));
    const std::string stages = "\"stages\": {\"vertex\": {\"code\": \"vs.code.bin\", \"sph\": \"vs.sph.bin\"}}";
    const std::string code = "\"stages\": {\"vertex\": {\"code\": \"" + secret + "\", \"sph\": \"vs.sph.bin\"}}";
    const std::string header = "\"stages\": {\"vertex\": {\"code\": \"vs.code.bin\", \"sph\": \"" + secret + "\"}}";
    const std::string memory = ", \"memory\": [{\"address\": \"0x1000\", \"size\": 4096}]";
    for (const auto& [head, rest] : std::vector<std::pair<std::string, std::string>>{
             {code, ""},
             {header, ""},
             {stages, ", \"expect\": \"" + secret + "\""},
             {stages, ", \"memory\": [{\"address\": \"0x1000\", \"file\": \"" + secret + "\"}]"},
             {stages, memory + ", \"expect_memory\": [{\"address\": \"0x1000\", \"file\": \"" + secret + "\"}]"},
             {stages, ", \"library\": {\"address\": \"0x10000\", \"code\": \"" + secret + "\"}"},
         }) {
        SCOPED_TRACE(head + rest);
        const auto file = folder_.write("s.json", "{\"arch\": \"sm50\", " + head + ", \"draw\": " + three_points +
                                                      ", \"attributes\": " + three_words + rest + "}");
        EXPECT_NE(
            error_text([&] { load_scenario(file, file_access::contained); }).find("is not in the scenario's folder"),
            std::string::npos);
    }
}

TEST_F(scenario_file, everything_of_a_draw)
{
    folder_.write("data.bin", std::string("\1\0\0\0\2\0\0\0\3\0\0\x80", 12));
    folder_.write("e.csv", "stream,primitive,vertex\n");
    const auto s = load(
        "{\"arch\": \"sm50\", \"stages\": {\"vertex\": {\"code\": \"vs.code.bin\", \"sph\": \"vs.sph.bin\"},"
        "\"geometry\": {\"code\": \"gs.code.bin\", \"sph\": \"gs.sph.bin\"}},"
        "\"draw\": {\"topology\": \"triangle_strip_adjacency\", \"vertex_count\": 4, \"first_vertex\": 1,"
        "\"instance_count\": 2, \"indices\": [9, 0, 1, 65535, 2], \"restart_index\": 65535},"
        "\"attributes\": {\"0x80\": {\"components\": 1, \"file\": \"data.bin\"},"
        "\"0x90\": {\"components\": 2, \"words\": [1, 2], \"per_instance\": true, \"repeat\": true}},"
        "\"constants\": {\"0\": {\"0x8\": [\"0x5\"]}}, \"stage_constants\": {\"geometry\": {\"17\": {\"0x0\": [7]}}},"
        "\"capture\": {\"0\": [\"0x70\"], \"3\": [\"0x80\", \"0x74\"]}, \"expect\": \"e.csv\", \"expect_ulp\": 4,"
        "\"expect_tolerance\": 0.5, \"expect_order\": \"set\"}");
    const auto& draw = s.draw;
    EXPECT_EQ(draw.arch, isa::architecture::sm50);
    EXPECT_EQ(draw.topology, topology::triangle_strip_adjacency);
    EXPECT_EQ(draw.vertex_count, 4U);
    EXPECT_EQ(draw.first_vertex, 1U);
    EXPECT_EQ(draw.instance_count, 2U);
    EXPECT_TRUE(draw.indexed);
    EXPECT_EQ(draw.indices, (std::vector<std::uint32_t>{9, 0, 1, 65535, 2}));
    EXPECT_EQ(draw.restart_index, 65535U);
    EXPECT_EQ(draw.attributes.at(0x80).words, (std::vector<word>{1, 2, 0x80000003U}));
    EXPECT_TRUE(draw.attributes.at(0x90).per_instance);
    EXPECT_TRUE(draw.attributes.at(0x90).repeat);
    EXPECT_EQ(draw.stages.at(stage::vertex).constants[0], (std::vector<word>{0, 0, 5}));
    EXPECT_TRUE(draw.stages.at(stage::geometry).constants[0].empty());
    EXPECT_EQ(draw.stages.at(stage::geometry).constants[17], (std::vector<word>{7}));
    EXPECT_EQ(draw.capture[0], (std::vector<unsigned>{0x70}));
    EXPECT_EQ(draw.capture[3], (std::vector<unsigned>{0x80, 0x74}));
    EXPECT_EQ(s.expect.ulp, 4U);
    EXPECT_EQ(s.expect.tolerance, 0.5);
    EXPECT_TRUE(s.expect.any_order);
}

TEST_F(scenario_file, capture_defaults_to_the_output_map_of_the_last_stage)
{
    const auto s = load(text(three_points, three_words));
    const auto& omap = s.draw.stages.at(stage::vertex).header.omap;
    ASSERT_GT(omap.count(), 0U);
    EXPECT_EQ(s.draw.capture[0].size(), omap.count());
    for (const auto address : s.draw.capture[0]) EXPECT_TRUE(omap.contains(address / 4));
}

TEST_F(scenario_file, a_header_may_be_words_or_fields)
{
    const auto from_file = load(text(three_points, three_words)).draw.stages.at(stage::vertex).header;
    std::string words;
    for (const auto w : encode_header(from_file)) words += (words.empty() ? "" : ",") + std::to_string(w);
    const auto with_sph = [&](const std::string& sph) {
        return load("{\"arch\": \"sm50\", \"stages\": {\"vertex\": {\"code\": \"vs.code.bin\", \"sph\": " + sph +
                    "}}, \"draw\": " + three_points + "}")
            .draw.stages.at(stage::vertex)
            .header;
    };
    EXPECT_EQ(encode_header(with_sph("[" + words + "]")), encode_header(from_file));
    const auto fields = with_sph("{\"omap\": [\"0x70..0x7c\", \"0x80\"], \"imap\": [\"0x84\"], \"does_fp64\": true,"
                                 "\"output_topology\": \"points\"}");
    EXPECT_EQ(fields.omap.count(), 5U);
    EXPECT_TRUE(fields.omap.contains(0x7c / 4) && fields.omap.contains(0x80 / 4) && fields.imap.contains(0x84 / 4));
    EXPECT_TRUE(fields.does_fp64);
    EXPECT_EQ(fields.version, 3U);
    const auto sph_error = [&](const std::string& sph) { return error_text([&] { with_sph(sph); }); };
    EXPECT_NE(sph_error("{\"omapp\": []}").find("unknown header field 'omapp', expected omap"), std::string::npos);
    EXPECT_NE(sph_error("{\"omap\": [\"0x3c0\"]}").find("is no attribute"), std::string::npos);
    EXPECT_NE(sph_error("{\"omap\": [\"0x84..0x80\"]}"), "");
    EXPECT_NE(sph_error("{\"stream_out_mask\": 16}").find("from 0 to 15"), std::string::npos);
    EXPECT_NE(sph_error("{\"output_topology\": \"quads\"}").find("triangle_strip"), std::string::npos);
    EXPECT_NE(sph_error("{\"shader_type\": \"geometry\"}").find("shader type"), std::string::npos);
    EXPECT_NE(sph_error("[1, 2]"), "");
    EXPECT_NE(sph_error("null"), "");
}

TEST_F(scenario_file, misspelt_keys_are_errors_with_a_place)
{
    EXPECT_EQ(error("{\n \"arch\": \"sm50\", \"stagse\": {}}"),
              "s.json:2:18: unknown key 'stagse' in the scenario, expected stages (the nearest of 18)");
    EXPECT_EQ(error(text("{\"topology\": \"points\",\n \"vertexcount\": 3}", three_words))
                  .rfind("s.json:3:2: unknown key 'vertexcount' in draw, expected vertex_count", 0),
              0U);
    EXPECT_NE(error(text(three_points, "{\"0x80\": {\"component\": 1, \"words\": []}}")).find("expected components"),
              std::string::npos);
    EXPECT_NE(error("{\"arch\": \"sm50\", \"stages\": {\"vertx\": {}}}").find("unknown stage 'vertx', expected vertex"),
              std::string::npos);
    EXPECT_NE(error(text("{\"topology\": \"triangle\", \"vertex_count\": 3}", three_words)).find("triangles"),
              std::string::npos);
}

TEST_F(scenario_file, what_is_missing_or_of_the_wrong_kind)
{
    EXPECT_EQ(error("[]"), "s.json:1:1: the scenario is an array, expected an object");
    EXPECT_EQ(error("{\"stages\": {}}"), "s.json:1:1: the scenario has no 'arch', expected one");
    EXPECT_NE(error("{\"arch\": \"sm20\"}").find("expected sm50, sm75, sm86 or sm89"), std::string::npos);
    EXPECT_NE(error("{\"arch\": \"sm50\", \"stages\": {}, \"draw\": {}}").find("stages has no 'vertex'"),
              std::string::npos);
    EXPECT_NE(error("{\"arch\": \"sm50\", \"stages\": {\"vertex\": {\"code\": \"none.bin\", \"sph\": \"vs.sph.bin\"}}}")
                  .find("s.json:1:48: code 'none.bin' cannot be read"),
              std::string::npos);
    EXPECT_NE(error(text(three_points, three_words, ", \"expect\": \"none.csv\"")).find("expect 'none.csv'"),
              std::string::npos);
    EXPECT_NE(error(text(three_points, three_words, ", \"capture\": [\"0x71\"]")).find("multiple of 4"),
              std::string::npos);
    EXPECT_NE(error(text(three_points, three_words, ", \"capture\": [\"0x70\", \"0x70\"]")).find("captured twice"),
              std::string::npos);
    EXPECT_NE(error(text(three_points, three_words, ", \"capture\": {\"4\": []}")), "");
    EXPECT_NE(error(text(three_points, three_words, ", \"constants\": {\"32\": {}}")).find("0 to 31"),
              std::string::npos);
    EXPECT_NE(error(text(three_points, three_words, ", \"constants\": {\"0\": {\"0xfffc\": [1, 2]}}"))
                  .find("at most 65536 bytes"),
              std::string::npos);
    EXPECT_NE(error(text(three_points, three_words, ", \"stage_constants\": {\"geometry\": {}}"))
                  .find("expected a stage of this draw"),
              std::string::npos);
    EXPECT_NE(error(text(three_points, three_words, ", \"expect_order\": \"any\"")).find("'set' or 'exact'"),
              std::string::npos);
}

TEST_F(scenario_file, constant_banks_up_to_31)
{
    const auto found =
        load(text(three_points, three_words, ", \"constants\": {\"24\": {\"0x8\": [3, 1]}, \"31\": {}}"));
    EXPECT_EQ(found.draw.stages.begin()->second.constants[24], (std::vector<word>{0, 0, 3, 1}));
}

/// Scenarios in a folder with a task and a mesh program.
class mesh_scenario_file : public scenario_file {
protected:
    mesh_scenario_file() { folder_.write("p.sass", "EXIT ;\n"); }
    static constexpr const char* task_stage = "\"task\": {\"code\": \"p.sass\", \"sph\": {}}, ";
    static constexpr const char* fields =
        "\"output_topology\": \"lines\", \"max_vertices\": 256, \"max_primitives\": 1023, \"shared_lines\": 511, "
        "\"threads\": 32, \"per_primitive\": [\"0x68\", \"0x60\"]";
    /// `stages` before the mesh stage, `draw` behind group_count.
    static std::string content(const std::string& stages, const std::string& draw, const std::string& rest = "",
                               const std::string& sph = "{\"omap\": [\"0x68..0x70\"]}")
    {
        return "{\"arch\": \"sm75\", \"stages\": {" + stages + "\"mesh\": {\"code\": \"p.sass\", \"sph\": " + sph +
               "}},\n\"draw\": {\"topology\": \"mesh\", \"group_count\": 7" + draw + "}" + rest + "}";
    }
    static std::string mesh(const std::string& members) { return ",\n\"mesh\": {" + members + "}"; }
};

TEST_F(mesh_scenario_file, PIPE_05_the_fields_of_the_mesh_methods)
{
    const auto alone = load(content("", mesh(fields))).draw;
    EXPECT_EQ(alone.topology, topology::mesh);
    EXPECT_EQ(alone.vertex_count, 7U);
    EXPECT_EQ(alone.mesh.output, mesh_output::lines);
    EXPECT_EQ(alone.mesh.max_vertices, 256U);
    EXPECT_EQ(alone.mesh.max_primitives, 1023U);
    EXPECT_EQ(alone.mesh.shared_lines, 511U);
    EXPECT_EQ(alone.mesh.threads, 32U);
    EXPECT_EQ(alone.mesh.per_primitive, (std::vector<unsigned>{0x68, 0x60}));
    // The default captures vertices' and primitives' attributes, whether the header names the latter or not.
    EXPECT_EQ(alone.capture[0], (std::vector<unsigned>{0x60, 0x68, 0x6c, 0x70}));
    EXPECT_EQ(alone.stages.at(stage::mesh).header.shader_type, shader_type::vertex);

    const auto both =
        load(
            content(task_stage, mesh(fields) + ", \"task\": {\"threads\": 9, \"local_lines\": 5, \"output_lines\": 4}"))
            .draw;
    EXPECT_EQ(both.task.threads, 9U);
    EXPECT_EQ(both.task.local_lines, 5U);
    EXPECT_EQ(both.task.output_lines, 4U);
    EXPECT_EQ(both.stages.at(stage::task).header.shader_type, shader_type::vertex);
    EXPECT_EQ(both.stages.at(stage::mesh).header.shader_type, shader_type::tess);

    const auto defaults = load(content("", mesh("\"output_topology\": \"points\", \"max_vertices\": 1, "
                                                "\"max_primitives\": 1")))
                              .draw.mesh;
    EXPECT_EQ(defaults.threads, 32U);
    EXPECT_EQ(defaults.shared_lines, 0U);
    EXPECT_TRUE(defaults.per_primitive.empty());
}

/// The words that a driver wrote for 64 vertices and 126 triangles, and for a task with two lines of payload.
TEST_F(mesh_scenario_file, PIPE_05_the_words_of_the_mesh_methods)
{
    const auto given = [](const std::string& methods) { return ",\n\"methods\": {" + methods + "}"; };
    const auto alone = load(content("", given(R"("0x1150": ["0x000fc404", "0x02000000"])"))).draw.mesh;
    EXPECT_EQ(alone.output, mesh_output::triangles);
    EXPECT_EQ(alone.max_vertices, 64U);
    EXPECT_EQ(alone.max_primitives, 126U);
    EXPECT_EQ(alone.shared_lines, 0U);
    EXPECT_EQ(alone.threads, 32U);

    const auto both = load(content(task_stage, given(R"("0x1154": ["0x0041ff00", "0x00c04020"],
                                                        "0x1150": ["0x007ff001"])") +
                                                   mesh(R"("per_primitive": ["0x60"])") + ", \"task\": {}"))
                          .draw;
    EXPECT_EQ(both.mesh.output, mesh_output::lines);
    EXPECT_EQ(both.mesh.max_vertices, 256U);
    EXPECT_EQ(both.mesh.max_primitives, 1023U);
    EXPECT_EQ(both.mesh.shared_lines, 511U);
    EXPECT_EQ(both.mesh.threads, 4U);
    EXPECT_EQ(both.mesh.per_primitive, std::vector<unsigned>{0x60});
    EXPECT_EQ(both.task.threads, 32U);
    EXPECT_EQ(both.task.local_lines, 4U);
    EXPECT_EQ(both.task.output_lines, 3U);

    const auto expect = [&](const std::string& stages, const std::string& draw, const std::string& part) {
        EXPECT_NE(error(content(stages, draw)).find(part), std::string::npos) << error(content(stages, draw));
    };
    EXPECT_EQ(error(content("", given(R"("0x1150": ["0x000fc403", "0x02000000"])"))),
              "s.json:3:23: method 0x1150, 0xfc403: topology is 3, expected 0 (points), 1 (lines) or 4 (triangles)");
    expect("", given(R"("0x1150": ["0x000fc404"])"), "methods have no 0x1154, expected its word");
    expect("", given(R"("0x1154": ["0x02000000"])"), "methods have no 0x1150, expected its word");
    expect("", given(R"("0x1150": ["0x000fc004", "0x02000000"])"), "max_vertices is 0, expected 1 to 256");
    expect("", given(R"("0x1150": ["0x000fd014", "0x02000000"])"), "max_vertices is 257, expected 1 to 256");
    expect("", given(R"("0x1150": ["0x00000404", "0x02000000"])"), "max_primitives is 0, expected 1 to 1023");
    expect("", given(R"("0x1150": ["0x008fc404", "0x02000000"])"), "bits 0x800000 belong to no field");
    expect("", given(R"("0x1150": ["0x000fc404", "0x02100000"])"), "threads is 33, expected 1 to 32");
    expect("", given(R"("0x1150": ["0x000fc404", "0x02000000", "0x00802020"])"), "0x1158 without stage 'task'");
    expect("", given(R"("0x1150": ["0x000fc404", "0x02000000"], "0x1154": ["0x0"])"), "0x1154 has two words");
    expect("", given(R"("0x114c": ["0x1"])"), "unknown key '0x114c' in methods");
    expect(task_stage, given(R"("0x1150": ["0x000fc404", "0x02000000"])"), "methods have no 0x1158");
    expect(task_stage, given(R"("0x1150": ["0x000fc404", "0x02000000", "0x00c02020"])"),
           "output_lines is 3, expected 1 to 2");
    expect("", given(R"("0x1150": ["0x000fc404", "0x02000000"])") + mesh("\"threads\": 32"),
           "'threads' beside 'methods', which have it");
}

TEST_F(mesh_scenario_file, PIPE_05_a_header_names_the_attributes_per_primitive)
{
    const std::string sizes = "\"output_topology\": \"points\", \"max_vertices\": 1, \"max_primitives\": 1, ";
    const auto given = [&](const std::string& sph) {
        return content("", mesh(sizes + "\"per_primitive\": {\"sph\": " + sph + "}"));
    };
    const std::string named = "{\"geometry_passthrough\": true, \"omap\": [\"0x60\", \"0xa0..0xa4\"]}";
    const auto from_names = load(given(named)).draw;
    EXPECT_EQ(from_names.mesh.per_primitive, (std::vector<unsigned>{0x60, 0xa0, 0xa4}));
    EXPECT_EQ(from_names.capture[0], (std::vector<unsigned>{0x60, 0x68, 0x6c, 0x70, 0xa0, 0xa4}));
    // The same in a file: attribute id n has bit 400 + n, word 13 begins with bit 416.
    std::array<std::uint32_t, 32> words{};
    words[0] = 1U | 4U << 5 | 4U << 10 | 1U << 24;
    words[2] = 1U << 24; // threads
    words[3] = 1U << 24; // points
    words[4] = 1;        // at most one vertex
    words[13] = 1U << (400 + 0x60 / 4 - 416) | 3U << (400 + 0xa0 / 4 - 416);
    std::string bytes(sizeof words, '\0');
    std::memcpy(bytes.data(), words.data(), bytes.size());
    folder_.write("primitives.sph.bin", bytes);
    EXPECT_EQ(load(given("\"primitives.sph.bin\"")).draw.mesh.per_primitive, from_names.mesh.per_primitive);
    EXPECT_NE(error(given("{\"omap\": [\"0x60\"]}")).find("does not pass its input on"), std::string::npos);
    EXPECT_NE(error(given("[1, 2]")), "");
    words[0] = 1U | 4U << 5 | 1U << 10;
    std::memcpy(bytes.data(), words.data(), bytes.size());
    folder_.write("vertex.sph.bin", bytes);
    EXPECT_NE(error(given("\"vertex.sph.bin\"")).find("expected 4 for the attributes per primitive"),
              std::string::npos);
    EXPECT_NE(error(content("", mesh(sizes + "\"per_primitive\": {}"))).find("per_primitive has no 'sph'"),
              std::string::npos);
}

TEST_F(mesh_scenario_file, PIPE_05_errors_say_where_and_what)
{
    const auto expect = [&](const std::string& text, const std::string& part) {
        EXPECT_NE(error(text).find(part), std::string::npos) << error(text) << " does not say " << part;
    };
    const auto field = [&](const std::string& text) { return content("", mesh(text)); };
    const std::string needed = "\"output_topology\": \"points\", \"max_vertices\": 1, \"max_primitives\": 1, ";
    EXPECT_EQ(error(field("\"output_topology\": \"quads\", \"max_vertices\": 1, \"max_primitives\": 1")),
              "s.json:3:29: unknown output_topology 'quads', expected points, lines or triangles");
    EXPECT_EQ(error(field(needed + "\"thread\": 1")),
              "s.json:3:79: unknown key 'thread' in mesh, expected threads (the nearest of 7)");
    expect(field("\"output_topology\": \"points\", \"max_primitives\": 1"), "mesh has no 'max_vertices'");
    expect(field("\"output_topology\": \"points\", \"max_vertices\": 1"), "mesh has no 'max_primitives'");
    expect(field("\"max_vertices\": 1, \"max_primitives\": 1"), "mesh has no 'output_topology'");
    expect(field("\"output_topology\": \"points\", \"max_vertices\": 257, \"max_primitives\": 1"), "from 1 to 256");
    expect(field("\"output_topology\": \"points\", \"max_vertices\": 1, \"max_primitives\": 1024"), "from 1 to 1023");
    expect(field(needed + "\"shared_lines\": 512"), "from 0 to 511");
    expect(field(needed + "\"threads\": 33"), "from 1 to 32");
    expect(field(needed + "\"per_primitive\": [\"0x61\"]"), "no attribute of a primitive");
    expect(field(needed + "\"per_primitive\": [\"0x60\", \"0x60\"]"), "named twice");
    expect(content("", ""), "a mesh draw has no 'mesh'");
    expect(content("", mesh(fields) + ", \"vertex_count\": 3"), "unknown key 'vertex_count' in a mesh draw");
    expect(content("", mesh(fields) + ", \"task\": {}"), "'task' without stage 'task'");
    expect(content(task_stage, mesh(fields)), "has no 'task', expected one");
    expect(content(task_stage, mesh(fields) + ", \"task\": {\"local_lines\": 512}"), "from 1 to 511");
    expect(content(task_stage, mesh(fields) + ", \"task\": {\"output_lines\": 2}"), "from 1 to 1");
    expect(content("", mesh(fields), ", \"attributes\": {}"), "'attributes' in a mesh draw");
    expect(content("", mesh(fields), "", "{\"shader_type\": \"tess\"}"), "shader type 3, expected 1 for stage 'mesh'");
    expect(content(task_stage, mesh(fields), "", "{\"shader_type\": \"vertex\"}"), "shader type 1, expected 3");
    EXPECT_EQ(error(content(task_stage, mesh(fields) + ", \"task\": {}", "", "{\"shader_type\": \"tess_init\"}")), "");

    auto text_of_points = content("", mesh(fields));
    text_of_points.replace(text_of_points.find("\"mesh\", \"group"), 6, "\"points\"");
    expect(text_of_points, "expected topology mesh with it");
    expect(text("{\"topology\": \"mesh\", \"group_count\": 3}", three_words), "without stage 'mesh'");
    expect(text("{\"topology\": \"points\", \"vertex_count\": 3, \"group_count\": 1}", three_words),
           "'group_count' without topology mesh");
}

TEST_F(scenario_file, tessellation_state)
{
    std::filesystem::copy_file(samples + "tess_quads_odd/tess.code.bin", folder_.path("ts.code.bin"));
    std::filesystem::copy_file(samples + "tess_quads_odd/tess.sph.bin", folder_.path("ts.sph.bin"));
    const auto draw = [](const std::string& topology, const std::string& tessellation) {
        return "{\"arch\": \"sm50\", \"stages\": {\"vertex\": {\"code\": \"vs.code.bin\", \"sph\": \"vs.sph.bin\"},\n"
               "\"tess\": {\"code\": \"ts.code.bin\", \"sph\": \"ts.sph.bin\"}},\n\"draw\": {\"topology\": \"" +
               topology + "\", \"vertex_count\": 3" + tessellation + "}}";
    };
    const auto state = [&](const std::string& rest) {
        return draw("patches",
                    ", \"tessellation\": {\"domain\": \"quads\", \"spacing\": \"fractional_even\"" + rest + "}");
    };
    const auto read = load(state(", \"output\": \"triangles_cw\", \"default_outer\": [1, 2.5, 3, -4], "
                                 "\"default_inner\": [5, 6]"))
                          .draw.tessellation;
    EXPECT_EQ(read.domain, tess_domain::quads);
    EXPECT_EQ(read.spacing, tess_spacing::fractional_even);
    EXPECT_EQ(read.output, tess_output::triangles_cw);
    EXPECT_EQ(read.defaults.outer, (std::array<float, 4>{1, 2.5F, 3, -4}));
    EXPECT_EQ(read.defaults.inner, (std::array<float, 2>{5, 6}));

    const auto expect = [&](const std::string& content, const std::string& part) {
        EXPECT_NE(error(content).find(part), std::string::npos) << error(content);
    };
    expect(draw("patches", ""), "no 'tessellation', expected one");
    expect(draw("points", ""), "expected patches with stage 'tess'");
    expect(state(", \"output\": \"lines\""), "expected triangles_cw, triangles_ccw or points");
    expect(state(", \"output\": \"triangles\""), "unknown output 'triangles', expected");
    expect(state(", \"output\": \"points\", \"default_outer\": [1]"), "1 levels, expected 4");
    expect(text("{\"topology\": \"patches\", \"vertex_count\": 3}", three_words), "expected stage 'tess'");
    expect(text("{\"topology\": \"points\", \"vertex_count\": 3, \"tessellation\": {}}", three_words),
           "without stage 'tess'");
}

TEST_F(scenario_file, absurd_counts)
{
    for (const auto* draw :
         {"{\"topology\": \"points\", \"vertex_count\": -1}", "{\"topology\": \"points\", \"vertex_count\": 1.5}",
          "{\"topology\": \"points\", \"vertex_count\": 1e300}", "{\"topology\": \"points\", \"vertex_count\": \"3\"}",
          "{\"topology\": \"points\", \"vertex_count\": 18446744073709551615}",
          "{\"topology\": \"points\", \"vertex_count\": 100000, \"instance_count\": 100000}",
          "{\"topology\": \"points\", \"vertex_count\": 3, \"first_vertex\": 18446744073709551614}",
          "{\"topology\": \"points\", \"vertex_count\": 3, \"instance_count\": 4294967295}",
          "{\"topology\": \"points\", \"vertex_count\": 3, \"indices\": [0, 1]}",
          "{\"topology\": \"points\", \"vertex_count\": 3, \"indices\": [0, 1, 4294967296]}",
          "{\"topology\": \"points\"}"}) {
        EXPECT_NE(error(text(draw, "{\"0x80\": {\"words\": [1, 2, 3, 4], \"repeat\": true}}")), "") << draw;
    }
}

TEST_F(scenario_file, attribute_data_must_cover_the_draw)
{
    const auto words = [](const std::string& rest) { return "{\"0x80\": {\"components\": 2, " + rest + "}}"; };
    EXPECT_NE(error(text(three_points, words("\"words\": [1, 2, 3, 4]")))
                  .find("attribute 0x80 has 2 elements but the draw needs 3"),
              std::string::npos);
    EXPECT_EQ(error(text(three_points, words("\"words\": [1, 2, 3, 4], \"repeat\": true"))), "");
    EXPECT_EQ(error(text(three_points, words("\"words\": [1, 2, 3, 4, 5, 6]"))), "");
    EXPECT_NE(error(text(three_points, words("\"words\": [1, 2, 3, 4, 5]"))).find("expected a multiple of 2"),
              std::string::npos);
    EXPECT_NE(error(text(three_points, words("\"words\": [], \"repeat\": true"))), "");
    EXPECT_NE(error(text(three_points, words("\"words\": [1, \"two\"]"))).find("word 1 of attribute 0x80 is \"two\""),
              std::string::npos);
    EXPECT_NE(error(text(three_points, words("\"words\": [1, 2], \"file\": \"vs.sph.bin\""))).find("both"),
              std::string::npos);
    EXPECT_NE(error(text(three_points, "{\"0x80\": {}}")).find("neither"), std::string::npos);
    folder_.write("odd.bin", "12345");
    EXPECT_NE(
        error(text(three_points, "{\"0x80\": {\"file\": \"odd.bin\"}}")).find("odd.bin:1:6: the file has 5 bytes"),
        std::string::npos);
    // Indices count by the largest; the restart index does not count. Instances count for per-instance data.
    const auto indexed = [](const std::string& indices) {
        return "{\"topology\": \"points\", \"restart_index\": 9, \"indices\": " + indices + "}";
    };
    EXPECT_EQ(error(text(indexed("[0, 1, 9, 1]"), words("\"words\": [1, 2, 3, 4]"))), "");
    EXPECT_NE(error(text(indexed("[0, 2, 9, 1]"), words("\"words\": [1, 2, 3, 4]"))), "");
    const auto instances = "{\"topology\": \"points\", \"vertex_count\": 1, \"instance_count\": 3}";
    EXPECT_EQ(error(text(instances, words("\"words\": [1, 2]"))), "");
    EXPECT_NE(error(text(instances, words("\"words\": [1, 2], \"per_instance\": true"))).find("needs 3"),
              std::string::npos);
    EXPECT_NE(
        error(text(three_points, "{\"0x80\": {\"words\": [1,2,3,4], \"repeat\": true}, \"0x8c\": {\"components\": "
                                 "1, \"words\": [1], \"repeat\": true}}"))
            .find("expected no overlap"),
        std::string::npos);
    EXPECT_NE(error(text(three_points, "{\"0x3bc\": {\"words\": [1,2,3,4], \"repeat\": true}}")).find("past 0x3bc"),
              std::string::npos);
    EXPECT_NE(error(text(three_points, "{\"0x82\": {\"words\": [1]}}")), "");
}

TEST_F(scenario_file, programs_and_headers_that_are_cut_off)
{
    const auto header = temporary_folder::read(folder_.path("vs.sph.bin"));
    folder_.write("vs.sph.bin", header.substr(0, 79));
    EXPECT_NE(error(text(three_points, three_words)).find("vs.sph.bin:1:1: "), std::string::npos);
    EXPECT_NE(error(text(three_points, three_words)).find("79"), std::string::npos);
    folder_.write("vs.sph.bin", header);
    const auto code = temporary_folder::read(folder_.path("vs.code.bin"));
    for (const std::size_t size : {0UL, 1UL, 7UL, 8UL, code.size() - 1, code.size() - 4}) {
        folder_.write("vs.code.bin", code.substr(0, size));
        EXPECT_NE(error(text(three_points, three_words)), "") << size;
    }
}

/// "kind: text" of every warning, the folder's name left out.
std::vector<std::string> warnings_of(const scenario& loaded, const std::string& folder)
{
    std::vector<std::string> result;
    for (const auto& each : loaded.warnings)
        result.push_back(each.kind + ": " +
                         (each.text.rfind(folder, 0) == 0 ? each.text.substr(folder.size()) : each.text));
    return result;
}

/// A scenario of a vertex program (text) with its header, and what follows the stages.
std::string vertex_scenario(const std::string& sph, const std::string& rest)
{
    return "{\"arch\": \"sm50\", \"stages\": {\"vertex\": {\"code\": \"vs.sass\", \"sph\": " + sph + "}},\n" + rest +
           "}";
}

using lines = std::vector<std::string>;

TEST_F(scenario_file, an_attribute_that_the_program_loads_and_the_scenario_lacks_is_a_warning)
{
    folder_.write("vs.sass",
                  "ALD.128 R0, a[0x80] ;\nALD.64 R4, a[0x90] ;\nALD R8, a[0x2fc] ;\nAST a[0x70], R0 ;\nEXIT ;\n");
    const std::string sph = "{\"imap\": [\"0x80..0x94\", \"0xa0\", \"0x2fc\"], \"omap\": [\"0x70\"]}";
    const std::string draw = "\"draw\": {\"topology\": \"points\", \"vertex_count\": 1}";
    EXPECT_EQ(
        warnings_of(load(vertex_scenario(sph, draw)), folder_.path()),
        lines{"missing_attribute: s.json:2:1: the program of stage 'vertex' loads attributes 0x80 to 0x94, of which "
              "the scenario has no data: it gets their defaults"})
        << "not 0xa0, which the program does not load, nor the vertex id";
    // Some components are there: the others are filled up, as in every graphics API.
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

TEST_F(scenario_file, programs_that_leave_their_maps_are_warned_of)
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
TEST_F(scenario_file, registers_whose_low_bits_are_dropped_are_warned_of_by_their_place)
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

TEST_F(scenario_file, captures_that_stay_empty_are_warned_of)
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
    // Of a header by names, stream 0 is the default of the mask: without it there would be no vertices at all.
    EXPECT_EQ(capture("[\"0x70\"]", geometry(", \"max_output_vertex_count\": 3"), "triangles"), lines{});
    EXPECT_EQ(capture("[\"0x70\"]", geometry(", \"max_output_vertex_count\": 3, \"stream_out_mask\": 2"), "triangles"),
              lines{"no_stream: s.json:3:1: stream 0 is captured, but stream_out_mask of the geometry header leaves it "
                    "out: vertices.csv gets no rows of it"});
    EXPECT_EQ(capture("[\"0x70\"]", geometry(""), "triangles").at(0).substr(0, 71),
              "one_vertex: s.json:1:85: max_output_vertex_count of the geometry header");
}

TEST_F(scenario_file, keys_without_effect_are_warned_of)
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

TEST_F(scenario_file, a_header_of_another_size_than_the_architecture_has_is_a_warning)
{
    std::filesystem::copy_file(samples + "sm75_vs_loop/vs.code.bin", folder_.path("turing.bin"));
    const auto loaded =
        load("{\"arch\": \"sm75\", \"stages\": {\"vertex\": {\"code\": \"turing.bin\", \"sph\": \"vs.sph.bin\"}},"
             "\"draw\": {\"topology\": \"points\", \"vertex_count\": 0}}");
    EXPECT_EQ(warnings_of(loaded, folder_.path()).at(0),
              "header_size: s.json:1:69: the header of stage 'vertex' has 80 bytes, those of sm75 programs have 128");
}

TEST_F(scenario_file, numbers_that_could_be_read_in_two_ways_are_refused)
{
    for (const auto* address : {"128", "80", "0X", "0x", "0x000000080", " 0x80", "0x80 "}) {
        const std::string quoted = "\"" + std::string(address) + "\"";
        EXPECT_NE(
            error(text(three_points, "{" + quoted + ": {\"words\": [1,2,3,4], \"repeat\": true}}")).find("expected 0x"),
            std::string::npos)
            << address;
        EXPECT_NE(error(text(three_points, three_words, ", \"capture\": [" + quoted + "]")).find("expected 0x"),
                  std::string::npos)
            << address;
        EXPECT_NE(error(text(three_points, three_words, ", \"constants\": {\"0\": {" + quoted + ": [1]}}"))
                      .find("expected 0x"),
                  std::string::npos)
            << address;
        EXPECT_NE(
            error("{\"arch\": \"sm50\", \"stages\": {\"vertex\": {\"code\": \"vs.code.bin\", \"sph\": {\"imap\": [" +
                  quoted + "]}}}}")
                .find("expected an address \"0x80\""),
            std::string::npos)
            << address;
    }
    EXPECT_NE(error(text(three_points, three_words, ", \"constants\": {\"01\": {}}")).find("0 to 31"),
              std::string::npos);
    EXPECT_NE(error(text(three_points, three_words, ", \"constants\": {\"1\": {\"0x0\": [1, 2],\n\"0x4\": [3]}}"))
                  .find("s.json:4:1: offset 0x4 of constant bank 1 has two values"),
              std::string::npos);
    EXPECT_NE(
        error(text(three_points, "{\"0x80\": {\"components\": 1, \"words\": [1, -2, 3]}}")).find("s.json:3:55: word 1"),
        std::string::npos);
}

TEST_F(scenario_file, an_expectation_is_read_before_the_draw_runs)
{
    const auto expect = [&](const std::string& csv) {
        folder_.write("e.csv", csv);
        return error(text(three_points, three_words, ", \"expect\": \"e.csv\""));
    };
    const std::string header = "stream,primitive,vertex,0x70,0x74\n";
    EXPECT_EQ(expect(header + "0,0,0,0x1,0x2\r\n0,1,0,,0x2"), "");
    EXPECT_EQ(expect(""), "e.csv:1:1: the file is empty, expected a header and rows of vertices");
    EXPECT_EQ(expect("stream,vertex,0x70\n").substr(0, 34), "e.csv:1:1: the header is 'stream,v");
    EXPECT_EQ(expect("stream,primitive,vertex,0x70,112\n").substr(0, 37), "e.csv:1:30: '112' heads a column, exp");
    EXPECT_EQ(expect("stream,primitive,vertex,0x70,0x70\n").substr(0, 37), "e.csv:1:30: '0x70' heads two columns,");
    EXPECT_EQ(expect("\xef\xbb\xbf" + header).substr(0, 46), "e.csv:1:1: the file begins with a byte order m");
    EXPECT_EQ(expect(header + "0,0,0,0x1\n").substr(0, 36), "e.csv:2:1: the row has 4 fields, exp");
    EXPECT_EQ(expect(header + "0,0,-1,0x1,0x2\n").substr(0, 30), "e.csv:2:5: '-1' is no number, ");
    EXPECT_EQ(expect(header + "0,0,0,0x1,1065353216\n").substr(0, 35), "e.csv:2:11: '1065353216' is no word");
}

TEST_F(scenario_file, a_program_without_exit_is_refused)
{
    folder_.write("vs.sass", "MOV R0, RZ ;\n");
    auto content = text(three_points, three_words);
    content.replace(content.find("vs.code.bin"), 11, "vs.sass");
    EXPECT_NE(error(content).find("has no EXIT"), std::string::npos);
    folder_.write("vs.sass", "MOV R0, RZ ;\nFROBNICATE R1 ;\nEXIT ;\n");
    EXPECT_EQ(error(content).rfind("vs.sass:2:1: ", 0), 0U) << error(content);
}

} // namespace
} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
#include "testbench/scenario/scenario.h"

#include <array>

#include "tests/testbench/scenario_file.h"

namespace isbesim::testbench {
namespace {

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
        "\"instance_count\": 2, \"indices\": [9, 0, 1, 65535, 2], \"restart_index\": 65535, \"index_bytes\": 1},"
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
    EXPECT_EQ(draw.index_bytes, 1U);
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
              "s.json:2:18: unknown key 'stagse' in the scenario, expected stages (the nearest of 19)");
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

TEST_F(scenario_file, missing_or_wrong_values_are_refused)
{
    EXPECT_EQ(error("[]"), "s.json:1:1: the scenario is an array, expected an object");
    EXPECT_EQ(error("{\"stages\": {}}"), "s.json:1:1: the scenario has no 'arch', expected one");
    EXPECT_NE(error("{\"arch\": \"sm20\"}").find("expected sm50, sm75, sm86, sm89 or sm120"), std::string::npos);
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

TEST_F(scenario_file, indices_of_a_draw_fit_in_their_bytes)
{
    const auto error_of = [&](const std::string& keys) {
        const auto found = error(text("{\"topology\": \"points\", " + keys + "}", "{}"));
        return found.empty() ? found : found.substr(found.find(": ") + 2);
    };
    const std::string apart = "the indices of a draw are up to ";
    for (const auto& [keys, expected] : std::vector<std::pair<std::string, std::string>>{
             {"\"index_bytes\": 1, \"indices\": [300, 555]", ""}, // a base was added
             {"\"index_bytes\": 1, \"indices\": [300, 556]",
              apart + "256 apart, expected at most 255 with index_bytes 1"},
             {"\"index_bytes\": 2, \"indices\": [65536, 0]",
              apart + "65536 apart, expected at most 65535 with index_bytes 2"},
             {"\"index_bytes\": 4, \"indices\": [65536, 0]", ""},
             {"\"index_bytes\": 0, \"indices\": [65536, 0]", ""},
             {"\"index_bytes\": 1, \"indices\": [7, 999, 8], \"restart_index\": 999", ""},
             {"\"index_bytes\": 1, \"indices\": [0, 9, 999], \"vertex_count\": 2", ""},
             {"\"index_bytes\": 1, \"indices\": [0, 9, 999], \"first_vertex\": 1",
              apart + "990 apart, expected at most 255 with index_bytes 1"},
             {"\"index_bytes\": 1, \"indices\": [0, 9, 999, 900], \"vertices_per_draw\": 2", ""},
             {"\"index_bytes\": 1, \"indices\": [0, 9, 999, 900], \"vertices_per_draw\": 3",
              apart + "999 apart, expected at most 255 with index_bytes 1"},
             {"\"index_bytes\": 3, \"indices\": [0]", "index_bytes is 3, expected 0, 1, 2 or 4"},
             {"\"index_bytes\": 8, \"indices\": [0]", "index_bytes is 8, expected an integer from 0 to 4"},
         })
        EXPECT_EQ(error_of(keys), expected) << keys;
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

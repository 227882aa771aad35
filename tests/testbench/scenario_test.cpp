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
    // The same error for missing and existing files outside: neither is visible.
    for (const auto& name : {secret, outside.path("nothing.bin"), std::string("link.bin"),
                             std::string("door/secret.bin"), std::string("/etc/passwd"), std::string("../x")}) {
        SCOPED_TRACE(name);
        EXPECT_NE(with(name, file_access::contained).find("'" + name + "' is not in the scenario's folder"),
                  std::string::npos);
    }
    EXPECT_EQ(with(secret, file_access::anywhere), "");
    EXPECT_EQ(with("link.bin", file_access::anywhere), "");
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
}

TEST_F(scenario_file, attribute_data_covers_draw)
{
    const auto words = [](const std::string& rest) { return "{\"0x80\": {\"components\": 2, " + rest + "}}"; };
    EXPECT_EQ(error(text(three_points, words("\"words\": [1, 2, 3, 4], \"repeat\": true"))), "");
    EXPECT_EQ(error(text(three_points, words("\"words\": [1, 2, 3, 4, 5, 6]"))), "");
    // Indices count by the largest; the restart index does not count. Instances count for per-instance data.
    const auto* const indexed = "{\"topology\": \"points\", \"restart_index\": 9, \"indices\": [0, 1, 9, 1]}";
    EXPECT_EQ(error(text(indexed, words("\"words\": [1, 2, 3, 4]"))), "");
    const auto* const instances = "{\"topology\": \"points\", \"vertex_count\": 1, \"instance_count\": 3}";
    EXPECT_EQ(error(text(instances, words("\"words\": [1, 2]"))), "");
}

TEST_F(scenario_file, indices_fit_in_their_bytes)
{
    for (const auto* keys : {
             "\"index_bytes\": 1, \"indices\": [300, 555]", // a base was added
             "\"index_bytes\": 4, \"indices\": [65536, 0]",
             "\"index_bytes\": 0, \"indices\": [65536, 0]",
             "\"index_bytes\": 1, \"indices\": [7, 999, 8], \"restart_index\": 999",
             "\"index_bytes\": 1, \"indices\": [0, 9, 999], \"vertex_count\": 2",
             "\"index_bytes\": 1, \"indices\": [0, 9, 999, 900], \"vertices_per_draw\": 2",
         })
        EXPECT_EQ(error(text("{\"topology\": \"points\", " + std::string(keys) + "}", "{}")), "") << keys;
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

} // namespace
} // namespace isbesim::testbench

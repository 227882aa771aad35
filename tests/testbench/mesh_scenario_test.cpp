// SPDX-License-Identifier: Apache-2.0
// Scenarios of mesh draws.
#include <array>
#include <cstring>

#include "tests/testbench/scenario_file.h"

namespace isbesim::testbench {
namespace {

/// Scenarios in a folder with a task and a mesh program.
class mesh_scenario_file : public scenario_file {
protected:
    mesh_scenario_file() { folder_.write("p.sass", "EXIT ;\n"); }
    static constexpr const char* task_stage = "\"task\": {\"code\": \"p.sass\", \"sph\": {}}, ";
    static constexpr const char* fields =
        "\"output_topology\": \"lines\", \"max_vertices\": 256, \"max_primitives\": 1023, \"shared_lines\": 511, "
        "\"threads\": 32, \"per_primitive\": [\"0x68\", \"0x60\"]";
    /// `stages` before the mesh stage, `draw` after group_count.
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
    const auto with_methods = [](const std::string& methods) { return ",\n\"methods\": {" + methods + "}"; };
    const auto alone = load(content("", with_methods(R"("0x1150": ["0x000fc404", "0x02000000"])"))).draw.mesh;
    EXPECT_EQ(alone.output, mesh_output::triangles);
    EXPECT_EQ(alone.max_vertices, 64U);
    EXPECT_EQ(alone.max_primitives, 126U);
    EXPECT_EQ(alone.shared_lines, 0U);
    EXPECT_EQ(alone.threads, 32U);

    const auto both = load(content(task_stage, with_methods(R"("0x1154": ["0x0041ff00", "0x00c04020"],
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
}

TEST_F(mesh_scenario_file, PIPE_05_a_header_names_the_attributes_per_primitive)
{
    const std::string sizes = "\"output_topology\": \"points\", \"max_vertices\": 1, \"max_primitives\": 1, ";
    const auto with_methods = [&](const std::string& sph) {
        return content("", mesh(sizes + "\"per_primitive\": {\"sph\": " + sph + "}"));
    };
    const std::string named = "{\"geometry_passthrough\": true, \"omap\": [\"0x60\", \"0xa0..0xa4\"]}";
    const auto from_names = load(with_methods(named)).draw;
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
    EXPECT_EQ(load(with_methods("\"primitives.sph.bin\"")).draw.mesh.per_primitive, from_names.mesh.per_primitive);
    words[0] = 1U | 4U << 5 | 1U << 10;
    std::memcpy(bytes.data(), words.data(), bytes.size());
    folder_.write("vertex.sph.bin", bytes);
    EXPECT_NE(error(with_methods("\"vertex.sph.bin\"")).find("expected 4 for the attributes per primitive"),
              std::string::npos);
}

TEST_F(mesh_scenario_file, PIPE_05_first_stage_may_have_type_of_task)
{
    EXPECT_EQ(error(content(task_stage, mesh(fields) + ", \"task\": {}", "", "{\"shader_type\": \"tess_init\"}")), "");
}

} // namespace
} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
// `isbesim vk`: the device as Vulkan's driver uses it.
#include <cstring>
#include <regex>
#include <sstream>

#include "tests/gl/gl_session.h"
#include "tests/testbench/report_of.h"
#include "tlm/hex.h"

namespace isbesim::testbench {
namespace {

const std::string space_client = ISBESIM_SOURCE_DIR "/tests/gl/space_client.py";

class vk_session : public gl_session {
protected:
    process_result run_as(const std::string& command, const std::string& what, const words& options = {}) const
    {
        return run_isbesim(words{command} + options +
                           words{"--", "/usr/bin/python3", space_client, what, folder_file()});
    }
    void expect_done(const std::string& command, const std::string& what, const words& options = {}) const
    {
        const auto result = run_as(command, what, options);
        EXPECT_EQ(result.status, 0) << result.out << result.err;
        EXPECT_EQ(result.out, what + " True\n") << result.err;
        EXPECT_FALSE(fs::exists(private_folder()));
    }
};

TEST_F(vk_session, address_spaces_hold_bound_memory)
{
    const auto result = run_as("vk", "spaces", {"--chip", "tu102"});
    EXPECT_EQ(result.status, 0) << result.out << result.err;
    EXPECT_EQ(result.out, "spaces True\n");
    EXPECT_EQ(result.err.find("isbesim vk: 0 draws of 0 vertices, 0 run; 0 programs, 6 submissions"), 0U) << result.err;
    EXPECT_NE(result.err.find("refused: 2 x upload to an address outside the GPU's memory"), std::string::npos)
        << result.err;
}

TEST_F(vk_session, synchronisation_objects_and_timelines)
{
    expect_done("vk", "syncs");
}

TEST_F(vk_session, objects_and_buffers_go_to_a_forked_process)
{
    expect_done("vk", "fork");
}

TEST_F(vk_session, every_device_file_has_addresses_of_its_own)
{
    expect_done("vk", "threads");
}

TEST_F(vk_session, opengl_programs_find_no_address_spaces)
{
    expect_done("gl", "absent");
}

TEST_F(vk_session, program_without_driver_reports_requirements)
{
    const auto result = run_isbesim({"vk", "--quiet", "--", "true"});
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.err, "isbesim: warning: no program used the device: Vulkan needs Mesa 24.1 or later with NVK, and "
                          "for mesh shaders 26.2; " ISBESIM_SOURCE_DIR "/scripts/vk_root makes a root with it\n");
}

TEST_F(vk_session, compile_reports_the_drivers_failure_in_one_line)
{
    const auto shader = folder_.write("a.mesh", "void main() {}");
    const auto refused = [&](const words& end) {
        const auto result = run_isbesim(words{"compile"} + end);
        EXPECT_EQ(result.status, 2) << result.err;
        const auto line = result.err.find("isbesim: error: ");
        EXPECT_EQ(result.err.find('\n', line), result.err.size() - 1) << result.err;
        return result.err;
    };
    const auto ends_with = [&](const std::string& script) { return refused({shader, "--", "sh", "-c", script}); };
    for (const auto& [script, text] : {std::pair{"exit 1", "the shaders are not taken"},
                                       {"exit 2", "no Vulkan driver for tu102"},
                                       {"exit 3", "no mesh shaders for tu102, expected tu102 or a later chip"},
                                       {"exit 4", "no glslangValidator, expected the Debian package glslang-tools"},
                                       {"exit 5", "the driver's compiler for tu102 broke off: what it says is above"},
                                       {"kill -ABRT $$", "broke off with signal 6: what it says is above"}})
        EXPECT_NE(ends_with(script).find(text), std::string::npos) << script;
    EXPECT_EQ(ends_with("echo panicked >&2; exit 5").find("panicked\n"), 0U);
    EXPECT_NE(refused({shader, "--xfb", "a"}).find("--xfb names outputs of OpenGL's"), std::string::npos);
    EXPECT_NE(refused({folder_.write("b.task", "")}).find("no vertex and no mesh shader"), std::string::npos);
    const auto other = folder_.write("c.comp", "");
    for (const auto& [words, place] : {std::pair{std::vector<std::string>{other}, "2"},
                                       {{shader, other}, "3"},
                                       {{"--out", folder_.path("d"), shader, other}, "5"}})
        EXPECT_EQ(refused(words).find("isbesim: error: command-line:1:" + std::string(place) + ": '" + other +
                                      "' is no shader of a draw before"),
                  0U)
            << refused(words);
    EXPECT_NE(refused({shader, "--xfb", "a"}).find("command-line:1:3: --xfb"), std::string::npos);
    EXPECT_NE(refused({shader, "--", "nowhere"}).find("command-line:1:4: the program could not be started"),
              std::string::npos);
    for (const auto& [stage, name] : {std::pair{4U, "fragment"}, {5U, "compute"}}) {
        const std::uint32_t module[] = {0x07230203, 0x10600, 0, 9, 0, 2U << 16 | 17, 1, 4U << 16 | 15, stage, 1, 0};
        const auto file = folder_.write("b.spv", {reinterpret_cast<const char*>(module), sizeof module});
        EXPECT_EQ(refused({shader, file}), "isbesim: error: " + file + ":1:1: a program of the " + name +
                                               " stage, expected stages of a draw before pixels: vertex, "
                                               "tessellation, geometry, task, mesh\n");
    }
}

/// With Mesa's driver: the machine's, or that of a root which scripts/vk_root made and ISBESIM_VK_ROOT names.
class vk_driver : public vk_session, public testing::WithParamInterface<const char*> {
protected:
    void SetUp() override
    {
        vk_session::SetUp();
        if (IsSkipped()) return;
        const char* root = std::getenv("ISBESIM_VK_ROOT");
        if (root != nullptr) around_ = {ISBESIM_SOURCE_DIR "/scripts/vk_root", "run", root};
        const fs::path drivers = "/usr/share/vulkan/icd.d";
        if (root == nullptr && !fs::exists(drivers / "nouveau_icd.json") &&
            !fs::exists(drivers / "nouveau_icd.x86_64.json"))
            GTEST_SKIP() << "Mesa has no NVK here: ISBESIM_VK_ROOT names no root of scripts/vk_root";
        if (GetParam() == std::string("gb202") && !is_mesa_26()) GTEST_SKIP() << "Mesa before 26";
    }
    /// A file that the command makes of a source of this folder when the test first asks for it.
    std::string compiled_file(const std::string& name, const std::string& command, const std::string& source) const
    {
        auto file = folder_.path(name);
        if (fs::exists(file)) return file;
        const auto output = outside(command + " -o " + file + " " ISBESIM_SOURCE_DIR "/tests/gl/" + source);
        EXPECT_TRUE(fs::exists(file)) << output;
        return file;
    }
    std::string program() const { return compiled_file("program", "gcc", "vk_program.c -lvulkan"); }
    std::string spirv(const std::string& name) const { return spirv(name, name, ""); }
    std::string spirv(const std::string& name, const std::string& source, const std::string& definitions) const
    {
        return compiled_file(name + ".spv", "glslangValidator --target-env vulkan1.3 -V " + definitions, source);
    }
    words around(const std::string& script) const { return around_ + words{"sh", "-c", script}; }
    /// Without the model; what it prints.
    std::string outside(const std::string& script) const
    {
        std::string line;
        for (const auto& word : around(script)) line += "'" + word + "' ";
        const auto result = std::system((line + "> " + folder_.path("out") + " 2>&1").c_str());
        return (result == 0 ? "" : "failed: ") + temporary_folder::read(folder_.path("out"));
    }
    process_result inside(const std::string& what, const words& options = {},
                          const std::string& chip = GetParam()) const
    {
        return run_isbesim(words{"vk", "--chip", chip} + options + words{"--"} + around(call(what)));
    }
    /// `what` is of the vertex program, or begins with another one's name.
    std::string call(const std::string& what) const
    {
        if (what.rfind("vertices", 0) == 0) return program() + " " + spirv("vk_program.vert") + " " + what;
        const auto space = what.find(' ');
        return program() + " " + spirv(what.substr(0, space)) + what.substr(space);
    }
    bool has_meshes(const std::string& chip) const
    {
        return inside("vk_mesh.mesh mesh vertices 1", {}, chip).err.find("vkCreateDevice") == std::string::npos;
    }
    /// The first release with mesh shaders. NVK of 25.0 ends programs with headless surfaces, and its lavapipe lacks
    /// some of what the test of dispatches asks for.
    bool is_mesa_26() const { return has_meshes("tu102"); }
    void expect_as_without(const std::string& what) const
    {
        const auto expected = outside("VK_LOADER_DRIVERS_SELECT=lvp* " + call(what));
        ASSERT_EQ(expected.find("captured"), 0U) << expected;
        words chip{"--config", std::string(GetParam()) + "_chip"};
        // Queries count the threads of small batches, which shade more vertices twice.
        if (what.find("queries") == std::string::npos) chip = chip + words{"--set", "pe.batch_vertices=4"};
        for (const auto& machine : {words{}, chip}) {
            const auto result = inside(what, machine);
            EXPECT_EQ(result.out, expected) << what << (machine.empty() ? "" : " on a chip") << "\n" << result.err;
        }
    }

    process_result compile(const words& files) const
    {
        return run_isbesim(words{"compile"} + files +
                           words{"--chip", GetParam(), "--out", folder_.path("compiled"), "--"} +
                           (around_.empty() ? words{"env"} : around_));
    }
    std::string refusal(const words& files) const
    {
        const auto result = compile(files);
        EXPECT_EQ(result.status, 2) << result.err;
        return result.err;
    }
    /// The words of each vertex that the compiled draw gives, each with a comma in front.
    words compiled(const words& files) const
    {
        words rows;
        const auto compiled = compile(files);
        EXPECT_EQ(compiled.status, 0) << compiled.err;
        const auto result = run_isbesim(
            {"run", folder_.path("compiled/scenario.json"), "--isbe", "lockstep", "--out", folder_.path("ran")});
        EXPECT_EQ(result.status, 0) << result.err;
        std::istringstream lines(temporary_folder::read(folder_.path("ran/vertices.csv")));
        std::string line;
        std::getline(lines, line);
        while (std::getline(lines, line)) rows.push_back(line.substr(line.find(",0x")));
        return rows;
    }
    static std::string csv(const std::vector<unsigned>& values, bool as_floats)
    {
        if (as_floats) return floats({values.begin(), values.end()});
        std::string text;
        for (const unsigned value : values) text += "," + hex(value, 8);
        return text;
    }
    static std::string floats(const std::vector<float>& values)
    {
        std::vector<unsigned> bits(values.size());
        std::memcpy(bits.data(), values.data(), values.size() * sizeof(float));
        return csv(bits, false);
    }

private:
    words around_{};
};

TEST_P(vk_driver, draw_stores_and_captures_results_of_its_program)
{
    const auto result = inside("vertices 6 topology 3 first 2");
    std::string captured;
    std::string stored = " 0 0";
    for (unsigned vertex = 2; vertex < 8; ++vertex) {
        for (const unsigned word : {vertex, 100 + vertex, 7 * vertex + 7, 0U}) captured += " " + std::to_string(word);
        stored += " " + std::to_string(1000 + 2 * vertex);
    }
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.out.find("captured" + captured + " 0 0"), 0U) << result.out << result.err;
    EXPECT_NE(result.out.find("stored" + stored + " 0 0"), std::string::npos) << result.out;
    EXPECT_NE(result.err.find("1 draw of 6 vertices, 1 run"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("driver NVK"), std::string::npos) << result.err;
}

TEST_P(vk_driver, every_way_to_draw_equals_mesas_software_driver)
{
    for (const std::string what :
         {"vertices 3 topology 0", "vertices 6 topology 1", "vertices 5 topology 2 first 1",
          "vertices 7 topology 4 instances 2", "vertices 6 topology 5", "vertices 8 topology 6",
          "vertices 6 topology 7", "vertices 12 topology 8", "vertices 10 topology 9",
          "vertices 6 topology 3 indexed first 2", "vertices 6 topology 3 indexed bytes 2 first 1",
          "vertices 6 topology 3 indexed bytes 1 instances 2", "vertices 6 topology 4 indirect instances 3",
          "vertices 6 topology 3 indexed indirect first 1 instances 2"})
        expect_as_without(what);
}

TEST_P(vk_driver, tessellation_and_geometry_programs_give_the_same_triangles_in_the_same_order)
{
    const auto tessellated = "vk_before.vert control " + spirv("vk_control.tesc") + " evaluation " +
                             spirv("vk_evaluation.tese") + " topology 10 vertices ";
    for (const std::string what : {"3", "6 first 1 instances 2", "6 indexed"}) expect_as_without(tessellated + what);
    const auto built = "vk_before.vert geometry " + spirv("vk_geometry.geom") + " vertices ";
    for (const std::string what : {"6 topology 3", "6 topology 4 instances 2", "5 topology 5 indexed", "7 topology 4"})
        expect_as_without(built + what);
}

TEST_P(vk_driver, frames_end_at_buffer_swaps)
{
    if (!is_mesa_26()) GTEST_SKIP() << "Mesa before 26";
    const auto presenting = compiled_file("presenting", "gcc", "vk_present.c -lvulkan");
    for (const std::string how : {"", " asked", " looked_up"}) {
        const auto result = run_isbesim(words{"vk", "--chip", GetParam(), "--"} + around(presenting + how));
        EXPECT_EQ(result.out, "shown\n");
        EXPECT_NE(result.err.find(", in 3 frames; "), std::string::npos) << result.err;
    }
}

TEST_P(vk_driver, cleared_images_are_read_as_in_mesas_software_driver)
{
    if (!is_mesa_26()) GTEST_SKIP() << "Mesa before 26";
    for (const auto& [name, definitions] :
         {std::pair{"real", "-DSAMPLER=sampler2DArray -DLEVEL=,level -DPLACE=place,level"},
          {"whole", "-DSAMPLER=isampler2DArray -DLEVEL=,level -DPLACE=place,level"},
          {"natural", "-DSAMPLER=usampler2DArray -DLEVEL=,level -DPLACE=place,level"},
          {"solid", "-DSAMPLER=sampler3D -DLEVEL=,level -DPLACE=place,level"},
          {"several", "-DSAMPLER=sampler2DMS -DLEVEL= -DPLACE=place.xy,place.z"}})
        spirv(name, "vk_cleared.vert", definitions);
    const auto call = compiled_file("clears", "gcc", "vk_clears.c -lvulkan") + " " + folder_.path(".");
    const auto expected = outside("VK_LOADER_DRIVERS_SELECT=lvp* " + call);
    const auto result = run_isbesim(words{"vk", "--chip", GetParam(), "--"} + around(call));
    EXPECT_GT(expected.size(), 10000U);
    EXPECT_EQ(result.out, expected.substr(expected.find("format"))) << result.err;
}

TEST_P(vk_driver, vkmark_shows_frames_of_draws_that_ran)
{
    if (outside("command -v vkmark").find("failed") == 0) GTEST_SKIP() << "the Debian package vkmark is not there";
    if (!is_mesa_26()) GTEST_SKIP() << "Mesa before 26";
    const auto result =
        run_isbesim(words{"vk", "--chip", GetParam(), "--"} + around("vkmark --winsys headless -b cube:duration=0.1"));
    std::smatch counts; // 36 vertices a frame, and one frame at least
    ASSERT_TRUE(
        std::regex_search(result.err, counts, std::regex("(\\d+) draws? of (\\d+) .*, (\\d+) run, in (\\d+) f")))
        << result.err;
    EXPECT_EQ(counts[3], counts[1]);
    EXPECT_EQ(counts[4], counts[1]);
    EXPECT_EQ(std::stoul(counts[2]), 36 * std::stoul(counts[1]));
}

TEST_P(vk_driver, dispatches_counts_queries_and_conditions_equal_mesas_software_driver)
{
    if (!is_mesa_26()) GTEST_SKIP() << "Mesa before 26";
    const auto before = " before " + spirv("vk_compute.comp") + " groups ";
    const auto after = "vk_after.vert vertices 16" + before;
    // NVK of Mesa 26.2 counts no invocations of a dispatch whose size is in the commands; before Turing its macro adds
    // the counts of the others to registers that it has not cleared.
    const bool turing = has_meshes(GetParam());
    const std::string counted = turing ? " queries" : "";
    for (const auto& what :
         {after + "3", after + "2 indirect" + counted, "vertices 6 condition 0" + before + "1",
          "vertices 6 condition 5" + before + "1 indirect" + counted,
          "vertices 6 condition 5 inverted" + before + "1 queries", "vertices 6 condition 0 inverted" + before + "1"})
        expect_as_without(what);
    // NVK has sparse buffers from Maxwell's second chips on, and counts of draws in memory from Turing on.
    for (const std::string what :
         {"counted 3 vertices 4", "counted 0 vertices 4", "counted 9 vertices 4", "counted 1 condition 0 vertices 3",
          "counted 3 vertices 3 topology 3 indexed first 1 instances 2 queries"})
        if (turing) expect_as_without("vk_count.vert " + what);
    expect_as_without("vk_view.vert vertices 4 views 5 instances 2");
    for (const std::string primitive : {"3", "4", "5"})
        expect_as_without("vertices 6 instances 2 queries topology " + primitive);
    expect_as_without("vk_before.vert geometry " + spirv("vk_geometry.geom") + " vertices 6 topology 3 queries");
    expect_as_without("vk_before.vert control " + spirv("vk_control.tesc") + " evaluation " +
                      spirv("vk_evaluation.tese") + " topology 10 vertices 6 queries");
    if (GetParam() != std::string("gm107")) expect_as_without("vertices 3 sparse before " + spirv("vk_sparse.comp"));
}

TEST_P(vk_driver, capture_replays_its_draws)
{
    const auto capture = folder_.path("a.capture");
    const auto result = inside("vertices 6 topology 3 instances 2", {"--execute", "none", "--capture", capture});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_NE(result.out.find("stored 0 0"), std::string::npos) << "nothing was run";
    const auto run = run_isbesim({"run", capture, "--draw", "0", "--isbe", "at", "--out", folder_.path("run")});
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(fs::exists(folder_.path("run/report.json")));
    // The same six indices of 1, 2 and 4 bytes.
    std::vector<std::int64_t> fetched;
    for (const std::string bytes : {"1", "2", "4"}) {
        fs::remove(capture);
        inside("vertices 6 topology 3 indexed bytes " + bytes, {"--execute", "none", "--capture", capture});
        const auto report = report_of({"run", capture, "--draw", "0"}, folder_.path("run" + bytes));
        fetched.push_back(report.at("output").at("fetched_bytes").as_int64());
    }
    EXPECT_EQ(fetched[1] - fetched[0], 6);
    EXPECT_EQ(fetched[2] - fetched[1], 12);
}

TEST_P(vk_driver, mesh_and_task_programs_equal_mesas_software_driver)
{
    if (!has_meshes(GetParam())) GTEST_SKIP() << "no mesh programs here";
    for (const std::string what :
         {"vk_mesh.mesh mesh vertices 3 instances 2", "vk_mesh.mesh mesh vertices 5 indirect queries"})
        expect_as_without(what);
    const auto task = "vk_behind_task.mesh mesh task " + spirv("vk_task.task");
    expect_as_without(task + " vertices 2 instances 2");
    expect_as_without(task + " vertices 3 indirect queries");
    for (const std::string what : {"2 counted 1", "1 condition 0"})
        expect_as_without("vk_mesh.mesh mesh vertices " + what);
}

/// Twelve vertices of a vertex program in SPIR-V.
TEST_P(vk_driver, compile_makes_a_scenario_of_spirv)
{
    const auto rows = compiled({spirv("vk_before.vert")});
    ASSERT_EQ(rows.size(), 12U);
    for (unsigned v = 0; v < rows.size(); ++v)
        EXPECT_EQ(rows[v], csv({4 * v, 4 * v + 1}, true) + ",0x00000000,0x3f800000" + csv({v, 4 * v + 1, 0, 5}, false) +
                               csv({4 * v, 4 * v + 1}, true));

    // Texel t is row t of the data, of sixteenths or of the numbers from 0.
    constexpr unsigned data_rows = 28, numbers = 4 * data_rows;
    const auto drawn = compiled({spirv("vk_images.vert")});
    ASSERT_EQ(drawn.size(), 12U);
    for (unsigned v = 0; v < 12; ++v) {
        const unsigned x = v % 8, layer = 4 * ((5 * 64 + 8 + x) % data_rows);
        const auto real = static_cast<float>((16 + v) % data_rows + v) / 16, line = static_cast<float>(x) / 16;
        EXPECT_EQ(drawn[v], floats({real, real + 2, real + 4, 2}) +
                                csv({layer, layer + 1, layer + 2, layer + 3}, false) +
                                csv({(2 * 64 + 8 * x + 1) % numbers, 4 * ((3 * 64 + x) % data_rows) + 1,
                                     (100 + v) % numbers, x != 0 ? 1U : 0U},
                                    false) +
                                floats({line, line + 1, 6, 8}) + csv({5 * v + 1}, false));
    }
}

TEST_P(vk_driver, values_of_uniforms_reach_spirv)
{
    const words values = {"--uniform", "count=8",
                          "--uniform", "turn=1,2,3,4,5,6,7,8,9",
                          "--uniform", "Blk.tint=0,0,0,0.5",
                          "--uniform", "Blk.rows=1,2,3,4,5,6",
                          "--uniform", "Blk.lights[1].color=1,0,0",
                          "--uniform", "Blk.lights[1].weight[1]=1000",
                          "--uniform", "k=2",
                          "--uniform", "b[2]=0.25",
                          "--uniform", "items[3].where=0,1e5,0",
                          "--uniform", "items[2].size[1]=7"};
    const auto rows = compiled(words{spirv("vk_uniforms.vert")} + values);
    ASSERT_EQ(rows.size(), 12U);
    for (unsigned v = 0; v < rows.size(); ++v) {
        const auto x = static_cast<float>(v) / 16;
        EXPECT_EQ(rows[v], floats({x, x + 1, x + 2, 1, 28 * x + 1741.25F, 28 * (x + 1) + 852.25F,
                                   28 * (x + 2) + 963.25F, 100087.75F}));
    }
    EXPECT_NE(refusal(words{spirv("vk_uniforms.vert"), "--uniform", "tint=1"})
                  .find("'tint' is no uniform of these programs, expected Blk.tint, count or turn "),
              std::string::npos);
}

/// Four tasks, two mesh workgroups each, three lines.
TEST_P(vk_driver, compile_makes_a_scenario_of_task_and_mesh_programs)
{
    if (!is_mesa_26()) GTEST_SKIP() << "Mesa before 26";
    const std::string tests = ISBESIM_SOURCE_DIR "/tests/gl/";
    if (!has_meshes(GetParam())) {
        EXPECT_NE(
            refusal({tests + "vk_mesh.mesh"}).find(std::string("the driver has no mesh shaders for ") + GetParam()),
            std::string::npos);
        return;
    }
    const words shaders{tests + "vk_task.task", tests + "vk_behind_task.mesh"};
    const auto rows = compiled(shaders);
    const auto scenario = temporary_folder::read(folder_.path("compiled/scenario.json"));
    EXPECT_EQ(compiled(shaders), rows);
    EXPECT_EQ(temporary_folder::read(folder_.path("compiled/scenario.json")), scenario);
    std::vector<std::string> expected;
    for (unsigned base = 0; base < 4; ++base)
        for (unsigned i = 0; i < 12; ++i) {
            const unsigned line = i / 2 % 3;
            const unsigned lane = line + i % 2;
            expected.push_back(csv({lane, lane, lane, lane, base, base, base, base}, true) + csv({line, base}, false));
        }
    EXPECT_EQ(rows, expected);
    auto wrong = folder_.write("wrong.mesh", "#version 460\nvoid main() { x }\n");
    EXPECT_NE(refusal({wrong}).find("wrong.mesh:2:"), std::string::npos) << "glslangValidator's words";
}

INSTANTIATE_TEST_SUITE_P(chips, vk_driver,
                         testing::Values("gm107", "gp102", "gv100", "tu102", "ga102", "ad102", "gb202"),
                         [](const auto& one) { return std::string(one.param); });

} // namespace
} // namespace isbesim::testbench

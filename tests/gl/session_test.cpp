// SPDX-License-Identifier: Apache-2.0
// `isbesim gl` as a user starts it: programs that do well, crash, fork and are killed. No OpenGL is needed: the
// programs talk to the device themselves. The tests with Mesa's driver and piglit's programs are at the end.
#include <csignal>

#include "tests/gl/gl_session.h"

namespace isbesim::testbench {
namespace {

const std::string piglit = "/usr/lib/" ISBESIM_MULTIARCH "/piglit/bin/";

TEST_F(gl_session, program_finds_the_chip_and_its_uploads)
{
    for (const auto& [chip, chipset] : {std::make_pair("gm107", "0x117"), std::make_pair("tu102", "0x162")}) {
        const auto result = run_client("upload", {"--chip", chip});
        EXPECT_EQ(result.status, 0) << result.err;
        EXPECT_EQ(result.out, "upload " + std::string(chipset) + " True\n");
        EXPECT_NE(result.err.find("isbesim gl: 0 draws"), std::string::npos);
        EXPECT_FALSE(fs::exists(private_folder()));
    }
    EXPECT_EQ(run_client("upload", {"--quiet"}).err, "");
}

/// Class numbers: those of NVIDIA's class headers that a channel of the chip takes.
TEST_F(gl_session, drivers_find_the_chips_classes)
{
    const std::vector<std::pair<std::string, std::string>> chips = {
        {"gm107", "3 0x117 b097 b0c0 a0b5 b0b5 a140 902d 0"}, {"gm200", "3 0x120 b197 b1c0 b0b5 a140 902d 0"},
        {"gp102", "3 0x132 c197 c1c0 c0b5 c1b5 a140 902d 0"}, {"gv100", "3 0x140 c397 c3c0 c3b5 a140 902d 0"},
        {"tu102", "3 0x162 c597 c5c0 c5b5 a140 902d 0"},
    };
    for (const auto& [chip, facts] : chips) {
        const auto result = run_client("objects", {"--chip", chip});
        EXPECT_EQ(result.status, 0) << result.err;
        EXPECT_EQ(result.out.substr(0, result.out.find('\n')), facts);
    }
}

TEST_F(gl_session, threads_and_forked_processes_have_devices_of_their_own)
{
    EXPECT_EQ(run_client("fork").out, "fork 0x117 True\n");
    EXPECT_EQ(run_client("threads").out, "threads 0x117 True\n");
}

TEST_F(gl_session, frames_end_at_buffer_swaps)
{
    const auto result = run_client("frames", {"--capture", folder_.path("a.capture")});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_NE(result.err.find("isbesim gl: 0 draws of 0 vertices, 0 run, in 3 frames;"), std::string::npos)
        << result.err;
}

TEST_F(gl_session, the_exit_status_is_the_programs)
{
    EXPECT_EQ(run({}, {"/bin/sh", "-c", "exit 7"}).status, 7);
    EXPECT_EQ(run_client("crash").status, 128 + SIGSEGV);
    EXPECT_FALSE(fs::exists(private_folder()));
}

TEST_F(gl_session, two_at_once_do_not_meet)
{
    const auto upload = "/usr/bin/python3 " + device_client + " upload";
    const auto other = folder_.path("other"); // a line that both write can be a mixture
    const auto result = run({}, {"/bin/sh", "-c", upload + " > " + other + " & " + upload + "; wait; cat " + other});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.out, "upload 0x117 True\nupload 0x117 True\n");
}

TEST_F(gl_session, killed_simulator_leaves_nothing_and_the_program_reports_it)
{
    const auto process = start({}, device_program("loop"));
    const auto folder = private_folder();
    EXPECT_TRUE(fs::exists(folder));
    kill(process, SIGKILL);
    status_of(process);
    EXPECT_TRUE(within_seconds(20, [&] { return !fs::exists(folder); })) << folder;
    EXPECT_TRUE(within_seconds(20, [&] {
        return temporary_folder::read(err()).find("the simulator has ended, so this program can't go on") !=
               std::string::npos;
    }));
}

TEST_F(gl_session, a_signal_ends_the_program_and_its_capture_is_whole)
{
    const auto capture = folder_.path("a.capture");
    const auto process = start({"--capture", capture}, device_program("loop"));
    kill(process, SIGTERM);
    EXPECT_EQ(status_of(process), 128 + SIGTERM);
    EXPECT_NE(temporary_folder::read(err()).find("isbesim gl: 0 draws"), std::string::npos);
    expect_whole(capture);
    EXPECT_FALSE(fs::exists(private_folder()));
}

TEST_F(gl_session, wrong_command_lines_are_refused)
{
    const auto expect = [&](const words& line, const std::string& text) {
        const auto result = run_isbesim(line);
        EXPECT_EQ(result.status, 2) << result.err;
        EXPECT_NE(result.last_error().find(text), std::string::npos) << result.err;
    };
    expect({"gl"}, "no program given, expected -- PROGRAM ARGUMENTS...");
    expect({"gl", "--chip", "ga102", "--", "true"}, "--chip is 'ga102', which OpenGL's driver has no compiler for");
    expect({"gl", "--chip", "ad107", "--", "true"}, "which OpenGL's driver has no compiler for");
    expect({"gl", "--chip", "gk104", "--", "true"}, "--chip is 'gk104', whose instruction set (SM30");
    expect({"vk", "--chip", "gv11b", "--", "true"}, "--chip is 'gv11b', which no driver of Mesa knows");
    expect({"gl", "--chip", "rv770", "--", "true"}, "--chip is 'rv770', which is no chip of a modelled generation");
    expect({"gl", "--chip", "gp1O4", "--", "true"}, ", expected gp104, gp102 or gp106 (the nearest of 16)");
    expect({"vk", "--chip", "gb20", "--", "true"}, ", expected gb202, gb203 or gb205 (the nearest of 31)");
    EXPECT_EQ(run_isbesim({"gl", "--config", "tu117_chip", "--", "true"}).status, 0);
    expect({"gl", "--execute", "rtl", "--", "true"}, "expected lt, at, lockstep or none");
    expect({"gl", "--config", "ga102", "--", "true"}, "sm"); // no chip of OpenGL's driver
    expect({"gl", "--chip", "gm107", "--config", "tu102", "--", "true"}, "sm");
    for (const auto* preset : {"tu106_chip", "gv100"}) // whose chip is the session's
        EXPECT_EQ(run_isbesim({"gl", "--config", preset, "--", "true"}).status, 0) << preset;
    expect({"gl", "--draws", "3:3", "--", "true"}, "expected A:B with A below B");
    expect({"gl", "--frames", "5", "--", "true"},
           "--frames is '5', expected A:B with A below B, for frames A to B - 1");
    expect({"gl", "--", "/no/such/program"}, "command-line:1:3: the program could not be started");
    expect({"gl", "--quiet", "--", "/no/such/program"}, "command-line:1:4: the program could not be started");
    const auto old = folder_.write("old", "precious"), missing = folder_.path("new");
    for (const auto& file : {old, missing})
        expect({"gl", "--capture", file, "--", "/no/such/program"}, "could not be started");
    EXPECT_EQ(temporary_folder::read(old), "precious");
    EXPECT_FALSE(fs::exists(missing));
    expect({"gl", "--capture", "/no/such/folder/x", "--", "true"}, "the capture can't be written");
    expect({"capture-info", device_client}, "is no capture");
    expect({"compile"}, "no shader given");
}

TEST_F(gl_driver, compiles_glsl_for_both_instruction_sets)
{
    const auto vertex = folder_.write("a.vert", "#version 430\n"
                                                "layout(location = 0) in vec4 place;\n"
                                                "out vec2 twice;\n"
                                                "void main() { gl_Position = place; twice = place.xy * 2.0; }\n");
    for (const std::string chip : {"gm107", "tu102"}) {
        const auto out = folder_.path("o_" + chip);
        const auto compiled = run_isbesim({"compile", vertex, "--chip", chip, "--xfb", "twice", "--out", out});
        ASSERT_EQ(compiled.status, 0) << compiled.err;
        const auto result = run_isbesim({"run", out + "/scenario.json", "--config", chip, "--out", folder_.path("r")});
        ASSERT_EQ(result.status, 0) << result.err;
        // Vertex v has place.x = v / 16 and place.y = 1 + v / 16: the second row is 0.125, 2.125.
        const auto csv = temporary_folder::read(folder_.path("r/vertices.csv"));
        EXPECT_NE(csv.find("0,0,1,0x3e000000,0x40080000\n"), std::string::npos) << csv;
    }
    const auto many =
        run_isbesim({"compile", vertex, "--xfb", "twice", "--vertices", "300", "--out", folder_.path("m")});
    ASSERT_EQ(many.status, 0) << many.err;
    ASSERT_EQ(run_isbesim({"run", folder_.path("m/scenario.json"), "--out", folder_.path("r")}).status, 0);
    // The twelve vertices of the draw come again and again: points 1 and 289 are the same one.
    const auto rows = temporary_folder::read(folder_.path("r/vertices.csv"));
    EXPECT_NE(rows.find("0,96,1,0x3e000000,0x40080000\n"), std::string::npos);
    EXPECT_NE(rows.find("0,99,2,"), std::string::npos);
    EXPECT_EQ(rows.find("0,100,0,"), std::string::npos);
    EXPECT_EQ(run_isbesim({"compile", vertex, "--vertices", "0", "--out", folder_.path("m")}).status, 2);
}

TEST_F(gl_driver, an_error_in_a_shader_has_its_file_and_line)
{
    const auto vertex = folder_.write("a.vert", "#version 430\nvoid main() { gl_Position = vec4(1); }\n");
    const auto geometry = folder_.write("a.geom", "#version 430\n"
                                                  "layout(triangles) in;\n"
                                                  "layout(points, max_vertices = 1) out;\n"
                                                  "void main() {\n"
                                                  "  gl_Position = gl_in[0].gl_Position * unknown;\n"
                                                  "}\n");
    const auto refused = [&](words line) {
        line.insert(line.begin(), "compile");
        line.insert(line.end(), {"--out", folder_.path("o")});
        const auto result = run_isbesim(line);
        EXPECT_EQ(result.status, 2);
        return result.err;
    };
    EXPECT_EQ(refused({folder_.write("b.vert", "#version 430\nvoid main() { x }\n")}),
              "isbesim: error: " + folder_.path("b.vert") +
                  ":2:17: syntax error, unexpected '}', expecting ',' or ';'\n");
    EXPECT_EQ(refused({vertex, geometry}).rfind("isbesim: error: " + geometry + ":5:39: `unknown' undeclared", 0), 0U);
    EXPECT_EQ(refused({vertex, "--xfb", "absent"}),
              "isbesim: error: " + vertex + ":1:1: Transform feedback varying absent undeclared\n");
}

TEST_F(gl_driver, tutorial_leads_from_shaders_to_the_bottleneck)
{
    const std::string folder = ISBESIM_SOURCE_DIR "/testbench/examples/from_glsl/";
    const auto compiled =
        run_isbesim({"compile", folder + "amplify.vert", folder + "amplify.geom", "--chip", "gm107", "--xfb",
                     "gl_Position,colour,corner", "--vertices", "200", "--out", folder_.path("amplify")});
    ASSERT_EQ(compiled.status, 0) << compiled.err;
    const auto layout = run_isbesim({"layout", "--sph", folder_.path("amplify/geometry.sph.bin")});
    EXPECT_NE(layout.out.find("output: 10 attributes, 12 vertices"), std::string::npos) << layout.out;
    const auto result = run_isbesim(
        {"run", folder_.path("amplify/scenario.json"), "--config", "gm107", "--out", folder_.path("first")});
    ASSERT_EQ(result.status, 0) << result.err;
    // Three strips of two triangles for each point.
    EXPECT_NE(result.out.find("output.vertices_captured                3600 (vertices)\n"), std::string::npos)
        << result.out;
    EXPECT_NE(result.out.find("the pass engine (isbe0.pass_engine), busy in"), std::string::npos);
}

TEST_F(gl_driver, programs_get_the_routines_of_the_driver)
{
    // A quotient of doubles: on Maxwell the driver's own routine makes the reciprocal.
    const auto vertex =
        folder_.write("a.vert", "#version 430\n"
                                "layout(location = 0) in vec4 place;\n"
                                "out float q;\n"
                                "void main() { gl_Position = place; q = float(6.0LF / double(place.y + 1.0)); }\n");
    const auto out = folder_.path("o");
    ASSERT_EQ(run_isbesim({"compile", vertex, "--xfb", "q", "--out", out}).status, 0);
    EXPECT_TRUE(fs::exists(out + "/library.bin"));
    const auto result = run_isbesim({"run", out + "/scenario.json", "--out", folder_.path("r")});
    ASSERT_EQ(result.status, 0) << result.err;
    // Vertex 0 has y = 1: 6 / 2.
    EXPECT_NE(temporary_folder::read(folder_.path("r/vertices.csv")).find("0,0,0,0x40400000\n"), std::string::npos);
}

TEST_F(gl_driver, program_without_frames_is_reported)
{
    const words program = {"/usr/bin/python3", ISBESIM_SOURCE_DIR "/tests/gl/random_program.py", "102", "1"};
    const std::string warning = "isbesim: warning: --frames: no frame of the program was seen to end, so all its draws";
    EXPECT_EQ(run({"--frames", "0:1", "--quiet"}, program).err.rfind(warning, 0), 0U);
    EXPECT_EQ(run({"--quiet"}, program).err, "");
}

TEST_F(gl_driver, frames_end_at_swap_functions_looked_up_at_run_time)
{
    for (const std::string how : {"library", "asked"}) {
        const auto result = run({}, {"/usr/bin/python3", ISBESIM_SOURCE_DIR "/tests/gl/frames_program.py", how});
        EXPECT_EQ(result.out, "[[0], [2], [4]]\n[[0], [2], [4], [6]]\n[[0], [2], [4], [6], [8]]\n") << result.err;
        EXPECT_NE(result.err.find("3 draws of 12 vertices, 3 run, in 3 frames;"), std::string::npos) << result.err;
    }
}

TEST_F(gl_session, symbols_are_looked_up_from_where_the_program_asks)
{
    // ctypes calls from libffi, which only its own scope has: the caller counts, for it is its symbol.
    const auto result =
        run({}, {"/usr/bin/python3", "-c",
                 "import ctypes\n"
                 "dlsym = ctypes.CDLL(None).dlsym\n"
                 "dlsym.restype = ctypes.c_void_p\n"
                 "print([bool(dlsym(None, name)) for name in (b'ffi_call', b'malloc', b'no_such_symbol')])\n"});
    EXPECT_EQ(result.out, "[True, True, False]\n") << result.err;
}

TEST_F(gl_driver, a_frame_is_shown_by_a_library_that_only_a_plug_in_knows)
{
    // EGL's own error for a missing display; the function that wraps EGL's adds nothing.
    const auto result = run({"--execute", "none"}, {"/usr/bin/python3", "-c",
                                                    "import ctypes\n"
                                                    "egl = ctypes.CDLL('libEGL.so.1', mode=ctypes.RTLD_LOCAL)\n"
                                                    "ctypes.CDLL(None).eglSwapBuffers(None, None)\n"
                                                    "print(hex(egl.eglGetError()))\n"});
    EXPECT_EQ(result.out, "0x3008\n") << result.err;
}

TEST_F(gl_session, callers_reach_the_window_library_that_they_looked_up)
{
    struct {
        words calls;
        const char* output;
        int frames;
    } const rows[] = {
        {{}, "libSDL2-2.0.so.0\nlibSDL3.so.0\n10\n", 1},
        {{"libSDL3.so.0", "SDL_GL_SwapWindow", "libSDL2-2.0.so.0", "SDL_GL_SwapWindow"},
         "libSDL2-2.0.so.0\nlibSDL3.so.0\n10\nlibSDL3.so.0\n1\nlibSDL2-2.0.so.0\nlibSDL3.so.0\n10\n",
         3},
        {{"libGL.so.1", "glXSwapBuffers"}, "libSDL2-2.0.so.0\nlibSDL3.so.0\n10\nlibGL.so.1\nlibGLX.so.0\n10\n", 2},
        {{"libwaffle-1.so.0", "waffle_window_swap_buffers", "libEGL.so.1", "eglSwapBuffers"},
         "libSDL2-2.0.so.0\nlibSDL3.so.0\n10\nlibwaffle-1.so.0\nlibEGL.so.1\n10\nlibEGL.so.1\n1\n",
         3},
    };
    for (const auto& row : rows) {
        words program = {"/usr/bin/env", "LD_LIBRARY_PATH=" ISBESIM_WINDOWS, ISBESIM_WINDOWS "window_program"};
        program.insert(program.end(), row.calls.begin(), row.calls.end());
        const auto result = run({}, program);
        EXPECT_EQ(result.status, 0) << result.err;
        EXPECT_EQ(result.out, row.output);
        EXPECT_NE(result.err.find("in " + std::to_string(row.frames) + " frame"), std::string::npos) << result.err;
    }
}

TEST_F(gl_driver, transform_feedback_of_piglit_passes_and_its_capture_runs)
{
    if (!fs::exists(piglit)) ISBESIM_MISSING("the Debian package piglit is not installed");
    const auto capture = folder_.path("a.capture");
    const auto result = run({"--capture", capture},
                            {"ext_transform_feedback-tessellation", "triangle_strip", "smooth", "-auto", "-fbo"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_NE(result.out.find("\"result\": \"pass\""), std::string::npos) << result.out;
    EXPECT_NE(run_isbesim({"capture-info", capture}).out.find("triangle_strip"), std::string::npos);
    const auto draws = run_isbesim({"run", capture, "--out", folder_.path("all")});
    EXPECT_EQ(draws.status, 0) << draws.err;
    const auto one = run_isbesim({"run", capture, "--draw", "1", "--out", folder_.path("one")});
    EXPECT_EQ(one.status, 0) << one.err;
    const auto vertices = temporary_folder::read(folder_.path("one/vertices.csv"));
    EXPECT_EQ(vertices, temporary_folder::read(folder_.path("all/draws/0001/vertices.csv")));
    EXPECT_GT(vertices.size(), 100U);
    // The draw that streams out is left out: the program finds nothing.
    const auto without =
        run({"--draws", "2:"}, {"ext_transform_feedback-tessellation", "triangle_strip", "smooth", "-auto", "-fbo"});
    EXPECT_NE(without.status, 0);
}

} // namespace
} // namespace isbesim::testbench

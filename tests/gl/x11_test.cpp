// SPDX-License-Identifier: Apache-2.0
// scripts/x11: X11 programs in a headless compositor inside of `isbesim gl`, and its leftovers.
#include <csignal>
#include <regex>

#include "tests/gl/gl_session.h"

namespace isbesim::testbench {
namespace {

const std::string script = ISBESIM_SOURCE_DIR "/scripts/x11";

/// Has a connection to the X server and waits; FILE then has the numbers of the compositor and of the program.
const std::string client = "import ctypes, os, pathlib, sys, time\n"
                           "x11 = ctypes.CDLL('libX11.so.6')\n"
                           "x11.XOpenDisplay.restype = ctypes.c_void_p\n"
                           "display = ctypes.c_void_p(x11.XOpenDisplay(None))\n"
                           "if not display: sys.exit('no display')\n"
                           "children = pathlib.Path(f'/proc/{os.getppid()}/task/{os.getppid()}/children').read_text()\n"
                           "other = [each for each in children.split() if int(each) != os.getpid()][0]\n"
                           "made = pathlib.Path(sys.argv[1] + '.part')\n"
                           "made.write_text(other + ' ' + os.environ['DISPLAY'])\n"
                           "made.rename(sys.argv[1])\n"
                           "for i in range(1000): x11.XSync(display, 0), time.sleep(0.1)\n";

class x11_program : public gl_driver {
protected:
    void SetUp() override
    {
        gl_driver::SetUp();
        if (IsSkipped()) return;
        for (const std::string program : {"weston", "Xwayland"})
            if (!fs::exists("/usr/bin/" + program))
                ISBESIM_MISSING("the Debian packages weston and xwayland are not installed");
    }
    void TearDown() override
    {
        // A session's own folder would be in here.
        if (fs::exists(folder_.path("tmp"))) {
            EXPECT_TRUE(fs::is_empty(folder_.path("tmp")));
        }
    }
    /// Starts the waiting client and kills `whom`: "program" is the simulator, "compositor" its child's
    /// child. Returns the exit status as a shell does.
    int end_by(const std::string& whom, int number)
    {
        const auto file = folder_.path("ready");
        fs::create_directory(folder_.path("tmp"));
        const auto process =
            start_in(folder_.path("tmp"), {"--execute", "none"}, {script, "/usr/bin/python3", "-c", client, file});
        EXPECT_TRUE(within_seconds(30, [&] { return fs::exists(file); })) << temporary_folder::read(err());
        const auto text = temporary_folder::read(file);
        const auto space = text.find(' ');
        if (space == std::string::npos) return -1;
        display_ = text.substr(space + 2);
        kill(whom == "simulator" ? process : std::stoi(text), number);
        return status_of(process);
    }
    /// The X server's socket and lock are gone, and so is the session's folder.
    bool nothing_is_left() const
    {
        return within_seconds(20, [&] {
            return !fs::exists("/tmp/.X11-unix/X" + display_) && !fs::exists("/tmp/.X" + display_ + "-lock") &&
                   fs::is_empty(folder_.path("tmp"));
        });
    }

    std::string display_;
};

TEST_F(x11_program, captures_glx_without_draws_of_the_window_system)
{
    const std::string test = "/usr/lib/" ISBESIM_MULTIARCH "/piglit/bin/ext_transform_feedback-tessellation";
    if (!fs::exists(test)) ISBESIM_MISSING("the Debian package piglit is not installed");
    const auto capture = folder_.path("a.capture");
    const auto result = run({"--capture", capture}, {script, test, "triangle_strip", "smooth", "-auto"});
    EXPECT_NE(result.out.find("\"result\": \"pass\""), std::string::npos) << result.out << result.err;
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_NE(result.err.find(" x draws of the window system\n"), std::string::npos) << result.err;
    // The same draws as without a window.
    const auto without = run({}, {test, "triangle_strip", "smooth", "-auto", "-fbo"});
    const auto draws = [](const std::string& text) { return text.substr(0, text.find(" run")); };
    EXPECT_EQ(draws(result.err.substr(result.err.find("isbesim gl:"))),
              draws(without.err.substr(without.err.find("isbesim gl:"))));
    expect_whole(capture);
}

/// With the driver's functions that apitrace's programs look up.
TEST_F(x11_program, a_trace_of_a_program_replays_its_draws_in_its_frames)
{
    if (!fs::exists("/usr/bin/glretrace")) ISBESIM_MISSING("the Debian package apitrace is not installed");
    const auto trace = folder_.path("a.trace"), capture = folder_.path("a.capture");
    const auto traced =
        run({"--execute", "none"}, {"/usr/bin/apitrace", "trace", "--api", "egl", "-o", trace, "/usr/bin/python3",
                                    ISBESIM_SOURCE_DIR "/tests/gl/frames_program.py", "library"});
    const std::string counts = "3 draws of 12 vertices", run_in_frames = ", 3 run, in 3 frames;";
    EXPECT_NE(traced.err.find(counts + ", in 3 frames;"), std::string::npos) << traced.err;
    for (const std::string replay : {"/usr/bin/glretrace", "/usr/bin/eglretrace"}) {
        const auto result = run({"--capture", capture}, {script, replay, trace});
        EXPECT_EQ(result.status, 0) << result.err;
        EXPECT_NE(result.err.find(counts + run_in_frames), std::string::npos) << result.err;
    }
    // Frame 2 has five vertices.
    const auto info = run_isbesim({"capture-info", capture}).out;
    EXPECT_TRUE(std::regex_search(info, std::regex("\n *2 +2 +points +5 "))) << info;
}

TEST_F(x11_program, the_exit_status_is_the_programs)
{
    EXPECT_EQ(run({"--execute", "none"}, {script, "/bin/sh", "-c", "exit 7"}).status, 7);
    const auto none = run({"--execute", "none"}, {script, "/no/such/program"});
    EXPECT_EQ(none.status, 2);
    EXPECT_NE(none.err.find("scripts/x11: error: the program could not be started: /no/such/program"),
              std::string::npos)
        << none.err;
}

TEST_F(x11_program, ends_whole_on_a_signal)
{
    EXPECT_EQ(end_by("simulator", SIGTERM), 128 + SIGTERM);
    EXPECT_TRUE(nothing_is_left());
    EXPECT_NE(temporary_folder::read(err()).find("isbesim gl: 0 draws"), std::string::npos);
}

TEST_F(x11_program, a_killed_simulator_takes_the_compositor_along)
{
    EXPECT_EQ(end_by("simulator", SIGKILL), -SIGKILL);
    EXPECT_TRUE(nothing_is_left());
}

TEST_F(x11_program, killed_compositor_is_reported)
{
    EXPECT_NE(end_by("compositor", SIGKILL), 0);
    EXPECT_TRUE(nothing_is_left());
    EXPECT_NE(temporary_folder::read(err()).find("scripts/x11: error: the compositor has ended before the program\n"),
              std::string::npos);
}

TEST(x11_script, missing_parts_are_named)
{
    const auto ask = [](const std::string& command) {
        const temporary_folder folder;
        const auto out = folder.path("out");
        const int status = std::system((command + " > " + out + " 2>&1").c_str());
        return std::to_string(WEXITSTATUS(status)) + " " + temporary_folder::read(out);
    };
    EXPECT_EQ(ask("PATH=/nowhere /usr/bin/python3 " + script + " true"),
              "2 scripts/x11: error: no weston and no xwayland, expected the Debian packages weston and xwayland\n");
    EXPECT_EQ(ask("/usr/bin/python3 " + script).substr(0, 4), "2 Ru");
    if (!fs::exists("/usr/bin/weston") || !fs::exists("/usr/bin/Xwayland")) return;
    EXPECT_EQ(ask("/usr/bin/python3 " + script + " true"),
              "2 scripts/x11: error: not inside of isbesim gl, expected isbesim gl [OPTIONS] -- scripts/x11 PROGRAM "
              "ARGUMENTS...\n");
}

} // namespace
} // namespace isbesim::testbench

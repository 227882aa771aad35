// SPDX-License-Identifier: Apache-2.0
// `isbesim gl` where something goes wrong around it: one clear line, captured draws stay, nothing is left behind.
#include <algorithm>
#include <csignal>
#include <sstream>

#include "tests/gl/gl_session.h"

namespace isbesim::testbench {
namespace {

/// Children of a process, first the one that was started first.
std::vector<pid_t> children_of(pid_t process)
{
    const auto number = std::to_string(process);
    std::istringstream text(temporary_folder::read("/proc/" + number + "/task/" + number + "/children"));
    std::vector<pid_t> result;
    for (pid_t child = 0; text >> child;) result.push_back(child);
    return result;
}

class gl_trouble : public gl_session {};

TEST_F(gl_trouble, folders_unfit_for_a_session_are_refused)
{
    EXPECT_EQ(status_of(start_in("/proc", {}, {"true"})), 2);
    const auto none = temporary_folder::read(err());
    EXPECT_EQ(none.find("isbesim: error: /proc:1:1: no folder can be made here"), 0U) << none;
    const auto deep = folder_.path(std::string(100, 'x'));
    fs::create_directory(deep);
    EXPECT_EQ(status_of(start_in(deep, {}, {"true"})), 2);
    const auto text = temporary_folder::read(err());
    EXPECT_NE(text.find("name is too long for a socket in it"), std::string::npos) << text;
    EXPECT_TRUE(fs::is_empty(deep));
}

/// Without room for a device the program would run on another driver unnoticed.
TEST_F(gl_trouble, folder_without_room_for_a_device_is_reported)
{
    const auto place = folder_.path("place");
    fs::create_directory(place);
    // Files of no byte at all are what a test can have of a full disk.
    const auto session = "(trap '' XFSZ; ulimit -f 0; TMPDIR=" + place + " " ISBESIM_BINARY_DIR "/isbesim gl -- true)";
    const auto words = "bash -c \"set -o pipefail; " + session + " 2>&1 | cat >" + err() + "\"";
    EXPECT_EQ(WEXITSTATUS(std::system(words.c_str())), 2);
    EXPECT_EQ(temporary_folder::read(err()), "isbesim: error: " + place +
                                                 ":1:1: no folder can be made here: File too large, expected TMPDIR to "
                                                 "name a folder where one can\n");
    EXPECT_TRUE(fs::is_empty(place));
}

TEST_F(gl_trouble, program_without_driver_is_reported)
{
    const std::string hint = "no program used the device";
    const auto none = run({}, {"true"}).err;
    EXPECT_NE(none.find(hint), std::string::npos);
    EXPECT_NE(none.find("scripts/x11"), std::string::npos);
    EXPECT_EQ(none.find("warning"), std::string::npos) << none;
    EXPECT_LT(none.find("the program ended with status 0\n"), none.find(hint)) << none;
    const auto crashed = run({}, {"/bin/sh", "-c", "kill -SEGV $$"}).err;
    EXPECT_LT(crashed.find("the program ended with status 139, as after SIGSEGV\n"), crashed.find(hint)) << crashed;
    EXPECT_EQ(run_isbesim({"vk", "--quiet", "--", "false"})
                  .err.rfind("isbesim: warning: the program ended with status 1; " + hint, 0),
              0U);
    EXPECT_EQ(run_client("upload").err.find(hint), std::string::npos);
}

TEST_F(gl_trouble, full_disk_of_a_capture_is_reported_after_the_summary)
{
    const auto result = run_client("upload", {"--capture", "/dev/full"});
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.out, "upload 0x117 True\n");
    EXPECT_NE(result.err.find("isbesim gl: 0 draws"), std::string::npos) << result.err;
    EXPECT_NE(result.last_error().find("the capture is not complete: No space left on device"), std::string::npos);
}

TEST_F(gl_trouble, a_capture_that_another_session_writes_stays_as_it_is)
{
    const auto capture = folder_.path("a.capture");
    const auto process = start({"--capture", capture}, device_program("loop"));
    const auto second = run({"--capture", capture}, {"true"});
    EXPECT_EQ(second.status, 2);
    EXPECT_NE(second.last_error().find("the capture can't be written"), std::string::npos) << second.err;
    kill(process, SIGTERM);
    EXPECT_EQ(status_of(process), 128 + SIGTERM);
    expect_whole(capture);
}

TEST_F(gl_trouble, a_killed_program_leaves_a_whole_capture)
{
    const auto capture = folder_.path("a.capture");
    const auto result = run({"--capture", capture}, {"/bin/sh", "-c", "kill -9 $$"});
    EXPECT_EQ(result.status, 128 + SIGKILL);
    expect_whole(capture);
}

TEST_F(gl_trouble, killed_simulator_leaves_the_capture)
{
    const auto capture = folder_.path("a.capture");
    const auto process = start({"--capture", capture}, device_program("loop"));
    const auto folder = private_folder();
    kill(process, SIGKILL);
    EXPECT_EQ(status_of(process), -SIGKILL);
    EXPECT_TRUE(within_seconds(20, [&] { return !fs::exists(folder); }));
    const auto info = run_isbesim({"capture-info", capture});
    EXPECT_EQ(info.status, 0) << info.err;
    EXPECT_NE(info.out.find("the session was killed"), std::string::npos) << info.out;
}

TEST_F(gl_trouble, a_killed_simulator_takes_a_program_along_that_asks_nothing)
{
    const auto process = start({}, {"/bin/sh", "-c",
                                    "/usr/bin/python3 " + device_client + " upload " + folder_file() + "; echo $$ > " +
                                        folder_.path("shell") + "; sleep 1000; true"});
    const auto text = [&] { return temporary_folder::read(folder_.path("shell")); };
    ASSERT_TRUE(within_seconds(20, [&] { return fs::exists(folder_.path("shell")) && text().back() == '\n'; }));
    const auto shell = static_cast<pid_t>(std::stol(text()));
    const auto children = children_of(shell);
    ASSERT_EQ(children.size(), 1U);
    kill(process, SIGKILL);
    EXPECT_EQ(status_of(process), -SIGKILL);
    for (const auto each : {shell, children.front()})
        EXPECT_TRUE(within_seconds(20, [&] { return kill(each, 0) != 0; })) << each;
}

TEST_F(gl_trouble, a_killed_session_leaves_no_lock_on_its_capture)
{
    const auto capture = folder_.path("a.capture");
    const auto process = start({"--capture", capture}, device_program("loop"));
    // The process that cleans up after it is kept from ending.
    const auto keeper = children_of(process).front();
    kill(keeper, SIGSTOP);
    kill(process, SIGKILL);
    EXPECT_EQ(status_of(process), -SIGKILL);
    const auto second = run({"--capture", capture}, {"true"});
    EXPECT_EQ(second.status, 0) << second.err;
    kill(keeper, SIGCONT);
    expect_whole(capture);
}

TEST_F(gl_trouble, closed_pipes_and_ctrl_c_leave_a_whole_capture)
{
    const auto capture = folder_.path("a.capture");
    const auto status = folder_.path("status");
    const auto upload = "/usr/bin/python3 " + device_client + " upload";
    const auto session = std::string(ISBESIM_BINARY_DIR "/isbesim gl --capture ") + capture + " -- ";
    const auto talks = folder_.write("talks", upload + " > /dev/null; echo one; echo two\n");
    const auto interrupted = folder_.write("interrupted", "trap 'exit 7' INT\n" + upload + "\nkill -INT 0\nsleep 5\n");
    const auto keep_status = "; echo $? > " + status + "; } | true";
    const std::vector<std::pair<std::string, int>> cases = {
        {"{ " + session + upload + " 2>&1 > /dev/null" + keep_status, SIGPIPE}, // the summary has no reader
        {"{ " + session + "sh " + talks + " 2> /dev/null" + keep_status, SIGPIPE},
        {"setsid --wait " + session + "sh " + interrupted + " 2> /dev/null; echo $(($? + 128 - 7)) > " + status, 0},
    };
    for (const auto& [command, number] : cases) {
        fs::remove(capture);
        EXPECT_EQ(std::system(command.c_str()), 0) << command;
        EXPECT_TRUE(within_seconds(20, [&] { return fs::exists(status) && fs::file_size(status) > 0; })) << command;
        EXPECT_EQ(temporary_folder::read(status), std::to_string(128 + number) + "\n") << command;
        expect_whole(capture);
        fs::remove(status);
    }
}

TEST_F(gl_trouble, program_that_ignores_a_signal_is_killed_by_the_second)
{
    const auto process = start({}, {"/bin/sh", "-c",
                                    "trap '' TERM; /usr/bin/python3 " + device_client + " upload " + folder_file() +
                                        "; while :; do sleep 0.1; done"});
    const auto folder = private_folder();
    kill(process, SIGTERM);
    // Within two seconds a second signal is the same one again.
    EXPECT_FALSE(within_seconds(3, [&] { return waitpid(process, nullptr, WNOHANG) == process; }));
    // If isbesim is killed now, there is still a summary.
    EXPECT_TRUE(within_seconds(20, [&] {
        const auto text = temporary_folder::read(err());
        return text.find("goes on after a signal to end; until now:\nisbesim gl: 0 draws") != std::string::npos;
    })) << temporary_folder::read(err());
    kill(process, SIGTERM);
    EXPECT_EQ(status_of(process), 128 + SIGKILL);
    EXPECT_NE(temporary_folder::read(err()).find("the program ended with status 137, as after SIGKILL"),
              std::string::npos);
    EXPECT_FALSE(fs::exists(folder));
}

TEST_F(gl_trouble, late_process_reports_the_end_of_the_session)
{
    const auto late = folder_.path("late");
    const auto result =
        run({}, {"/bin/sh", "-c",
                 "while test -d $ISBESIM_GL_FOLDER; do sleep 0.05; done > /dev/null 2>&1 && /usr/bin/python3 " +
                     device_client + " upload > /dev/null 2> " + late + " & exit 5"});
    EXPECT_EQ(result.status, 5);
    EXPECT_TRUE(within_seconds(20, [&] {
        return temporary_folder::read(late) == "isbesim: the simulator has ended, so this program can't go on\n";
    })) << temporary_folder::read(late);
}

TEST_F(gl_trouble, program_that_executes_another_continues)
{
    // The shell's device file is the other program's too, by its number; what it opens itself is its own.
    const auto result =
        run({}, {"/bin/sh", "-c", "exec 9<> /dev/dri/renderD128; exec /usr/bin/python3 " + device_client + " fork"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.out, "fork 0x117 True\n");
}

/// The environment that sends a program elsewhere, and the driver that runs then.
TEST_F(gl_driver, program_on_another_driver_is_reported)
{
    const std::string program = "/usr/bin/python3 " ISBESIM_SOURCE_DIR "/tests/gl/random_program.py 102 1";
    const auto warning = [](const std::string& names) {
        return "isbesim: warning: a program used another OpenGL driver (" + names + ") and nothing here: ";
    };
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"LIBGL_ALWAYS_SOFTWARE=1", "llvmpipe"},
        {"LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=softpipe", "softpipe"},
    };
    for (const auto& [environment, driver] : cases) {
        const auto result = run({"--quiet"}, {"/bin/sh", "-c", environment + " " + program});
        EXPECT_NE(result.err.find(warning(driver)), std::string::npos) << environment << "\n" << result.err;
    }
    // The warning appears for a killed program, too, and beside a program that draws here.
    const auto both = run({}, {"/bin/sh", "-c",
                               program + " && LIBGL_ALWAYS_SOFTWARE=1 timeout -s KILL 60 /usr/bin/python3 -c '"
                                         "import os, sys; sys.path.append(\"" ISBESIM_SOURCE_DIR "/tests/gl\"); "
                                         "from gl_program import *; begin(); os.kill(os.getpid(), 9)'"});
    EXPECT_NE(both.err.find(warning("llvmpipe")), std::string::npos) << both.err;
    EXPECT_NE(both.err.find("isbesim gl: 1 draw of 111 vertices, 1 run; "), std::string::npos) << both.err;
    EXPECT_NE(both.err.find(", driver nvc0\n"), std::string::npos) << both.err;
    EXPECT_EQ(run({}, {"/bin/sh", "-c", program}).err.find("warning"), std::string::npos);
    // One that ends right after Mesa has begun to look for a driver; killed there, it might have found this device's.
    const std::string looks = "import ctypes, os; ctypes.CDLL(None).getenv(b\"MESA_LOADER_DRIVER_OVERRIDE\")";
    EXPECT_NE(run({}, {"/usr/bin/python3", "-c", looks}).err.find(warning("unnamed")), std::string::npos);
    const auto killed = run({}, {"/usr/bin/python3", "-c", looks + "; os.kill(os.getpid(), 15)"});
    EXPECT_EQ(killed.err.find("warning"), std::string::npos) << killed.err;
}

TEST_F(gl_driver, a_model_that_is_killed_costs_one_draw)
{
    const auto out = folder_.path("out");
    const std::string program = ISBESIM_SOURCE_DIR "/tests/gl/random_program.py";
    const auto process = start_isbesim(command({}, {"/usr/bin/python3", program, "101", "12"}), out, err());
    const auto lines = [&] {
        const auto text = temporary_folder::read(out);
        return std::count(text.begin(), text.end(), '\n');
    };
    ASSERT_TRUE(within_seconds(60, [&] { return lines() >= 3; })) << temporary_folder::read(err());
    // The keeper of the private folder, the program, and the model since the first draw.
    const auto children = children_of(process);
    ASSERT_EQ(children.size(), 3U);
    kill(children.back(), SIGKILL);
    EXPECT_EQ(status_of(process), 0);
    EXPECT_EQ(lines(), 12);
    const auto text = temporary_folder::read(err());
    EXPECT_NE(text.find("  refused: 1 x the model crashed: Killed\n"), std::string::npos) << text;
}

} // namespace
} // namespace isbesim::testbench

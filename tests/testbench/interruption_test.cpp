// SPDX-License-Identifier: Apache-2.0
// However a run ends early, it leaves no partial file, and earlier results stay.
#include "testbench/processes/interruption.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "test_paths.h"
#include "testbench/report/result_folder.h"
#include "tests/testbench/process.h"
#include "tests/testbench/samples.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

namespace fs = std::filesystem;
using options = std::vector<std::string>;

const std::string program = ISBESIM_BINARY_DIR "/isbesim";

class interruption : public testing::Test {
protected:
    void SetUp() override { fs::create_directory(place()); }
    std::string place() const { return folder_.path("place"); }
    std::string path_of(const std::string& name) const { return place() + "/" + name; }
    std::string err() const { return temporary_folder::read(folder_.path("err")); }
    /// Names in the folder, hidden ones too.
    options left() const
    {
        options names;
        for (const auto& each : fs::directory_iterator(place())) names.push_back(each.path().filename().string());
        return names;
    }
    pid_t start(const options& words)
    {
        temporary_folder::read(folder_.write("err", ""));
        return start_isbesim(words, "/dev/null", folder_.path("err"));
    }
    static int end_of(pid_t child)
    {
        int status = 0;
        EXPECT_EQ(waitpid(child, &status, 0), child);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    }
    /// Runs until there is a partial folder, and then `milliseconds` more; the status after the signal.
    int interrupted(const options& words, int number, unsigned milliseconds)
    {
        const auto child = start(words);
        for (int i = 0; i < 20'000 && left().empty(); ++i) std::this_thread::sleep_for(std::chrono::microseconds(500));
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
        kill(child, number);
        return end_of(child);
    }
    options with_everything(options words) const
    {
        for (const auto& [option, name] :
             {std::pair{"--out", "out"}, {"--database", "d.sqlite"}, {"--timeline", "t.json"}}) {
            words.emplace_back(option);
            words.push_back(path_of(name));
        }
        return words;
    }

    /// A draw of 3,000 points, without expected vertices, which --no-vertices would write to compare them.
    options amplified(const options& more) const
    {
        const std::string expectation = ",\n  \"expect\": \"expected.csv\"";
        const auto draw = folder_.path("draw");
        fs::copy(samples + "gs_amplify", draw, fs::copy_options::overwrite_existing | fs::copy_options::recursive);
        auto text = temporary_folder::read(draw + "/scenario.json");
        text.erase(text.find(expectation), expectation.size());
        text.replace(text.find(": 30000"), 7, ": 3000");
        return options{"run", folder_.write("draw/scenario.json", text), "--quiet", "--out", path_of("out")} + more;
    }
    /// Under a limit of file sizes the run names the file that did not fit, and leaves nothing.
    void expect_no_room(const options& more, unsigned bytes, const std::string& file) const
    {
        const auto ended = run_isbesim(amplified(more), {"", bytes});
        EXPECT_EQ(ended.status, 3) << file;
        EXPECT_EQ(ended.err.rfind("isbesim: error: ", 0), 0U) << ended.err;
        EXPECT_NE(ended.err.find(file), std::string::npos) << ended.err;
        EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
        EXPECT_EQ(left(), options{}) << file;
    }

    temporary_folder folder_;
};

TEST_F(interruption, leaves_nothing_whenever_it_comes)
{
    const auto trace = folder_.path("trace");
    const auto draw = samples + "gs_amplify/scenario.json";
    ASSERT_EQ(run_isbesim({"run", draw, "--quiet", "--out", folder_.path("o"), "--record", trace}).status, 0);
    const std::vector<std::pair<options, unsigned>> commands = {
        {{"run", draw, "--record", path_of("r.trace")}, 3000},
        {{"replay", trace, "--isbe", "at"}, 1500},
        {{"replay", trace, "--isbe", "lt"}, 1500},
        {{"crosscheck", "--isbe", "at", "--transactions", "100000", "--record", path_of("r.trace")}, 1500},
    };
    for (const auto& [words, longest] : commands) {
        unsigned stopped = 0;
        unsigned wait = 0;
        for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGINT, SIGINT, SIGTERM}) {
            SCOPED_TRACE(words[0] + " signal " + std::to_string(number) + " after " + std::to_string(wait) + " ms");
            const auto status = interrupted(with_everything(words), number, wait);
            wait = wait * 2 + 20;
            if (status == 0) { // it was faster
                EXPECT_TRUE(fs::exists(path_of("out/report.json")));
            } else {
                ++stopped;
                EXPECT_EQ(status, -number) << err();
                // A signal that comes after the results were renamed into place keeps them.
                if (!fs::exists(path_of("out/report.json"))) {
                    EXPECT_EQ(left(), options{});
                }
                const auto text = err();
                EXPECT_EQ(text.rfind("isbesim: ended by SIG", 0), 0U) << text;
                EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
            }
            fs::remove_all(place());
            fs::create_directory(place());
        }
        EXPECT_GE(stopped, 2U) << words[0];
    }
}

TEST_F(interruption, ctrl_c_to_a_command_and_its_processes_is_reported_once)
{
    const std::vector<options> commands = {
        {"crosscheck", "--isbe", "at", "--runs", "4", "--jobs", "3", "--transactions", "1000000", "--out",
         path_of("out")},
        {"run", samples + "gs_amplify/scenario.json", "--what-if", "--jobs", "3", "--out", path_of("out")},
    };
    for (const auto& words : commands) {
        folder_.write("err", "");
        const auto child = fork();
        if (child == 0) { // a terminal sends its signals to the whole group
            setpgid(0, 0);
            const int errors = open(folder_.path("err").c_str(), O_WRONLY), nothing = open("/dev/null", O_WRONLY);
            dup2(errors, STDERR_FILENO);
            dup2(nothing, STDOUT_FILENO);
            std::vector<char*> arguments = {const_cast<char*>(program.c_str())};
            for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
            arguments.push_back(nullptr);
            execv(program.c_str(), arguments.data());
            _exit(127);
        }
        const auto workers = "/proc/" + std::to_string(child) + "/task/" + std::to_string(child) + "/children";
        for (int i = 0; i < 20'000 && temporary_folder::read(workers).empty(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        ASSERT_EQ(kill(-child, SIGINT), 0);
        EXPECT_EQ(end_of(child), -SIGINT);
        EXPECT_EQ(err().rfind("isbesim: ended by SIGINT", 0), 0U) << err();
        const auto text = err();
        EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
        EXPECT_EQ(left(), options{}) << words[0];
    }
}

TEST_F(interruption, signal_to_a_worker_leaves_files_of_others)
{
    const result_folder results({path_of("out"), {"command-line", 1, 2}, "run"});
    std::fflush(nullptr);
    const auto worker = fork_worker();
    if (worker == 0) {
        const int errors = open(folder_.path("err").c_str(), O_WRONLY | O_CREAT, 0600);
        dup2(errors, STDERR_FILENO);
        clean_up_when_interrupted();
        std::ofstream(path_of("own")) << "half";
        const unfinished own(path_of("own"));
        raise(SIGTERM);
        _exit(0);
    }
    EXPECT_EQ(end_of(worker), -SIGTERM);
    EXPECT_EQ(err(), "");
    EXPECT_FALSE(fs::exists(path_of("own")));
    EXPECT_TRUE(fs::exists(results.file("")));
}

TEST_F(interruption, while_the_results_are_completed)
{
    // The simulation is over, and the timeline goes to a pipe that is full.
    const auto fifo = folder_.path("fifo");
    ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
    const auto child = start({"run", samples + "gs_amplify_once/scenario.json", "--out", path_of("out"), "--database",
                              path_of("d.sqlite"), "--timeline", fifo});
    const int reader = open(fifo.c_str(), O_RDONLY);
    ASSERT_GE(reader, 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    ASSERT_EQ(left().size(), 4U) << "the folder, the database and its companions";
    ASSERT_EQ(kill(child, SIGINT), 0);
    EXPECT_EQ(end_of(child), -SIGINT);
    close(reader);
    EXPECT_EQ(left(), options{});
    EXPECT_TRUE(fs::exists(fifo)) << "not a file of ours";
}

TEST_F(interruption, keeps_an_earlier_result)
{
    const options words = {"run", samples + "gs_amplify/scenario.json", "--quiet", "--out", path_of("out")};
    ASSERT_EQ(end_of(start(words)), 0);
    const auto before = temporary_folder::read(path_of("out/report.json"));
    EXPECT_EQ(interrupted(words, SIGTERM, 50), -SIGTERM);
    EXPECT_EQ(left(), options{"out"});
    EXPECT_EQ(temporary_folder::read(path_of("out/report.json")), before);
}

TEST_F(interruption, of_every_command_with_a_result_folder)
{
    // `pack --emit scenario` is over before one could hit it: the same class, in a process of its own.
    const auto child = fork();
    if (child == 0) {
        clean_up_when_interrupted();
        result_folder results({path_of("out"), {"command-line", 1, 2}, "pack"});
        results.write("vs.sass", "half");
        fs::create_directory(results.file("folder"));
        results.write("folder/deep", "half");
        raise(SIGINT);
        _exit(0);
    }
    EXPECT_EQ(end_of(child), -SIGINT);
    EXPECT_EQ(left(), options{});
}

TEST_F(interruption, after_the_results_are_complete_keeps_them)
{
    const auto child = fork();
    if (child == 0) {
        clean_up_when_interrupted();
        result_folder results({path_of("out"), {"command-line", 1, 2}, "run"});
        const unfinished beside(folder_.write("place/beside", "whole"));
        results.write("report.json", "whole");
        results.commit();
        raise(SIGTERM);
        _exit(0);
    }
    EXPECT_EQ(end_of(child), -SIGTERM);
    EXPECT_EQ(left().size(), 2U);
    EXPECT_EQ(temporary_folder::read(path_of("out/report.json")), "whole");
    EXPECT_EQ(temporary_folder::read(path_of("beside")), "whole");
}

TEST_F(interruption, an_ignored_signal_stays_ignored)
{
    const auto command = "trap '' INT; " + program + " run " + samples + "gs_amplify/scenario.json --quiet --out " +
                         path_of("out") + " & P=$!; sleep 0.1; kill -INT $P; wait $P";
    EXPECT_EQ(std::system(command.c_str()), 0);
    EXPECT_TRUE(fs::exists(path_of("out/report.json")));
}

TEST_F(interruption, next_run_removes_files_of_a_killed_one)
{
    EXPECT_EQ(
        interrupted({"run", samples + "gs_amplify/scenario.json", "--quiet", "--out", path_of("out")}, SIGKILL, 20),
        -SIGKILL);
    ASSERT_EQ(left().size(), 1U);
    ASSERT_EQ(left()[0].rfind(".out.partial-", 0), 0U);
    // Not for a result of another name, nor paths still being written or of similar names.
    const auto other = run_isbesim({"run", samples + "gs_pass/scenario.json", "--quiet", "--out", path_of("other")});
    EXPECT_EQ(other.status, 0);
    EXPECT_EQ(left().size(), 2U);
    fs::create_directory(path_of(".out.partial-notes"));
    const result_folder alive({path_of("out"), {"command-line", 1, 2}, "run"});
    EXPECT_EQ(left().size(), 3U) << "the killed one's has gone, this one's has come";
    const auto next = run_isbesim({"run", samples + "gs_pass/scenario.json", "--quiet", "--out", path_of("out")});
    EXPECT_EQ(next.status, 0) << next.err;
    EXPECT_EQ(left().size(), 4U);
    EXPECT_TRUE(fs::exists(alive.file("")));
    EXPECT_TRUE(fs::exists(path_of(".out.partial-notes")));
    EXPECT_TRUE(fs::exists(path_of("out/report.json")));
}

TEST_F(interruption, a_closed_pipe_ends_quietly)
{
    std::string text;
    for (int i = 0; i < 20'000; ++i) text += "MOV R1, R2 ;\n";
    const auto sass = folder_.write("long.sass", text + "EXIT ;\n");
    const auto binary = folder_.path("long.bin");
    ASSERT_EQ(run_isbesim({"asm", sass, "--arch", "sm50", "--out", binary}).status, 0);
    for (const auto* before : {"", "trap '' PIPE; "}) {
        const auto command = before + program + " disasm " + binary + " --arch sm50 2>" + folder_.path("err") +
                             " | head -1 >" + folder_.path("head");
        EXPECT_EQ(std::system(command.c_str()), 0);
        EXPECT_NE(temporary_folder::read(folder_.path("head")).find("MOV R1, R2"), std::string::npos);
        EXPECT_EQ(err(), "");
    }
    // A closed reader of the progress ends a run, too, without leftovers.
    const auto run = program + " run " + samples + "gs_amplify/scenario.json --progress --out " + path_of("out") +
                     " 2>&1 >/dev/null | true";
    EXPECT_EQ(std::system(run.c_str()), 0);
    for (int i = 0; i < 1000 && left() != options{} && left() != options{"out"}; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10)); // the shell waits for the last of the pipe only
    EXPECT_TRUE(left() == options{} || left() == options{"out"});
}

/// A limit on the size of files stands for a full disk.
TEST_F(interruption, no_room_for_results_is_3_and_no_internal_error)
{
    expect_no_room({}, 60'000, "vertices.csv");
    expect_no_room({"--no-vertices"}, 5'000, "report.json");
    for (const auto* option : {"--timeline", "--kanata"})
        expect_no_room({option, path_of("x"), "--no-vertices"}, 60'000, path_of("x"));
    expect_no_room({"--database", path_of("x"), "--no-vertices"}, 600'000, path_of("x"));
    // The database's first pages are asked for before anything runs: then it is the option that is wrong.
    const auto small = run_isbesim(amplified({"--database", path_of("x")}), {"", 60'000});
    EXPECT_EQ(small.status, 2);
    EXPECT_EQ(left(), options{});
}

TEST_F(interruption, full_disk_after_a_loosely_timed_run_is_3)
{
    expect_no_room({"--timing=lt"}, 60'000, "vertices.csv");
}

TEST_F(interruption, a_page_of_a_file_that_has_no_room_is_3_and_leaves_nothing)
{
    fs::create_directory(path_of("folder"));
    std::fflush(nullptr);
    const auto child = fork();
    if (child == 0) {
        const int errors = open(folder_.path("err").c_str(), O_WRONLY | O_CREAT, 0600);
        dup2(errors, STDERR_FILENO);
        clean_up_when_interrupted();
        const unfinished folder(path_of("folder"), unfinished::kind::folder), file(path_of("file"));
        // A page past the end has no room on the disk.
        const int empty = open(path_of("file").c_str(), O_RDWR | O_CREAT, 0600);
        auto* const page = static_cast<volatile char*>(mmap(nullptr, 4096, PROT_WRITE, MAP_SHARED, empty, 0));
        *page = 1;
        _exit(0);
    }
    EXPECT_EQ(end_of(child), 3);
    EXPECT_EQ(left(), options{});
    EXPECT_EQ(err(), "isbesim: error: a file could not be written completely: no room for a page of it\n");
}

} // namespace
} // namespace isbesim::testbench

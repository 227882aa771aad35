// SPDX-License-Identifier: Apache-2.0
// Progress: how much is done and how long it takes, on a terminal without a trace of it afterwards.
#include <filesystem>
#include <regex>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "test_paths.h"
#include "testbench/command_line/progress_line.h"
#include "tests/testbench/process.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

using options = std::vector<std::string>;
using std::chrono::seconds;

TEST(progress_share, shows_known_progress)
{
    EXPECT_EQ(progress_share(5, 0, seconds(10)), "") << "the total is unknown";
    EXPECT_EQ(progress_share(0, 100, seconds(10)), "0 %");
    EXPECT_EQ(progress_share(25, 100, seconds(10)), "25 %, 0:30 left");
    EXPECT_EQ(progress_share(25, 100, std::chrono::milliseconds(100)), "25 %") << "too early to say";
    EXPECT_EQ(progress_share(1, 1000, seconds(10)), "0 %, 2:46:30 left");
    EXPECT_EQ(progress_share(299, 1000, seconds(60)), "29 %, 2:21 left");
    EXPECT_EQ(progress_share(999, 1000, seconds(10)), "99 %, 0:00 left");
    EXPECT_EQ(progress_share(1000, 1000, seconds(10)), "99 %") << "all in is not all done";
    EXPECT_EQ(progress_share(1007, 1000, seconds(10)), "99 %");
    EXPECT_EQ(progress_share(1, UINT64_MAX, seconds(1000)), "0 %, 277777:46:40 left");
}

class progress : public testing::Test {
protected:
    /// The text on stderr, which is a terminal of `columns` columns.
    std::string on_a_terminal(options words, unsigned short columns)
    {
        words.insert(words.end(), {"--out", folder_.path("out")});
        const int master = posix_openpt(O_RDWR | O_NOCTTY);
        EXPECT_GE(master, 0);
        EXPECT_EQ(grantpt(master), 0);
        EXPECT_EQ(unlockpt(master), 0);
        winsize size{};
        size.ws_col = columns;
        EXPECT_EQ(ioctl(master, TIOCSWINSZ, &size), 0);
        const int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
        EXPECT_GE(slave, 0);
        const auto child = start_isbesim(words, "/dev/null", ptsname(master));
        std::string text;
        int status = 0;
        bool running = true;
        for (pollfd readable{master, POLLIN, 0};;) {
            char block[4096];
            if (poll(&readable, 1, 20) > 0) {
                const auto bytes = read(master, block, sizeof block);
                if (bytes > 0) text.append(block, static_cast<std::size_t>(bytes));
                continue;
            }
            if (!running) break; // and nothing more to read
            running = waitpid(child, &status, WNOHANG) != child;
        }
        EXPECT_EQ(status, 0) << text;
        close(slave);
        close(master);
        return text;
    }
    /// Each drawing clears the line first, none is longer than it, and the last clears it for good.
    static unsigned drawings(const std::string& text, std::size_t columns)
    {
        static const std::string clear = "\r\033[K";
        unsigned count = 0;
        std::size_t position = 0;
        std::size_t last = 0;
        while (position < text.size()) {
            EXPECT_EQ(text.compare(position, clear.size(), clear), 0) << text;
            const auto next = std::min(text.find('\r', position + 1), text.size());
            EXPECT_LT(next - position - clear.size(), columns) << text;
            EXPECT_EQ(text.find('\n', position), std::string::npos) << text;
            if (next - position > clear.size()) ++count;
            last = next - position;
            position = next;
        }
        EXPECT_EQ(last, clear.size()) << text;
        return count;
    }

    /// The main job with ten times as many points: it takes longer than the first drawing waits, on fast machines too.
    std::string long_draw()
    {
        namespace fs = std::filesystem;
        const fs::path folder = folder_.path("draw");
        fs::copy(ISBESIM_SOURCE_DIR "/testbench/scenarios/gs_amplify", folder);
        const auto file = (folder / "scenario.json").string();
        auto scenario = boost::json::parse(temporary_folder::read(file));
        scenario.as_object()["draw"].as_object()["vertex_count"] = 300000;
        scenario.as_object().erase("expect");
        fs::remove(file);
        return folder_.write("draw/scenario.json", boost::json::serialize(scenario));
    }

    void SetUp() override { ASSERT_EQ(setenv("TERM", "xterm", 1), 0); }

    const options long_traffic{"crosscheck", "--isbe", "at", "--transactions", "200000"};
    temporary_folder folder_;
};

TEST_F(progress, of_a_run_is_in_primitives)
{
    const auto text = on_a_terminal({"run", long_draw()}, 100);
    EXPECT_GE(drawings(text, 100), 1U);
    EXPECT_TRUE(std::regex_search(text, std::regex("[0-9]+ %[^:]*(:[0-9]+ left)?: [0-9]+ of 300000 primitives in, "
                                                   "[0-9]+ vertices out, cycle [0-9]+00000")))
        << text;
}

/// A TPC alone counts the primitives that it gets: every other batch of 32.
TEST_F(progress, of_a_tpc_is_in_its_primitives)
{
    const auto text = on_a_terminal({"run", long_draw(), "--set", "chip.tpcs=2", "--tpc", "1"}, 100);
    EXPECT_GE(drawings(text, 100), 1U);
    EXPECT_TRUE(std::regex_search(text, std::regex(" of 149984 primitives in, "))) << text;
}

TEST_F(progress, of_traffic_is_in_transactions)
{
    const auto text = on_a_terminal(long_traffic, 100);
    EXPECT_GE(drawings(text, 100), 1U);
    EXPECT_TRUE(std::regex_search(text, std::regex("[0-9]+ %[^\n]*: [0-9]+ of 201024 transactions"))) << text;
}

TEST_F(progress, fits_into_a_narrow_terminal)
{
    const auto text = on_a_terminal(long_traffic, 30);
    EXPECT_GE(drawings(text, 30), 1U);
    EXPECT_TRUE(std::regex_search(text, std::regex("K[0-9]+ %(, [0-9:]+ left)?: [0-9]+"))) << text; // the share first
}

TEST_F(progress, has_no_escapes_on_a_terminal_without_them)
{
    ASSERT_EQ(setenv("TERM", "dumb", 1), 0);
    EXPECT_EQ(on_a_terminal(long_traffic, 80).find('\x1b'), std::string::npos);
}

TEST_F(progress, is_for_terminals_and_those_who_ask)
{
    const options words = {"crosscheck", "--isbe", "at", "--transactions", "150000", "--out", folder_.path("out")};
    EXPECT_EQ(run_isbesim(words).err, "") << "stderr is a file";
    auto with_progress = words;
    with_progress.emplace_back("--progress");
    const auto err = run_isbesim(with_progress).err; // a line every two seconds, if it takes so long
    EXPECT_TRUE(std::regex_match(err, std::regex("([0-9]+ %[^\\r\\x1b\\n]*: [0-9]+ of 151024 transactions\\n)*")))
        << err;
    auto quiet = long_traffic;
    quiet.emplace_back("--quiet");
    EXPECT_EQ(on_a_terminal(quiet, 80), "");
}

} // namespace
} // namespace isbesim::testbench

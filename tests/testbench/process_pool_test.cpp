// SPDX-License-Identifier: Apache-2.0
// Work in processes of its own: what comes back, whatever becomes of them.
#include "testbench/processes/process_pool.h"

#include <chrono>
#include <csignal>
#include <fstream>
#include <stdexcept>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "tests/testbench/process.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

std::vector<work_end> ends_of(std::size_t count, unsigned at_once, const std::function<std::string(std::size_t)>& work)
{
    std::vector<work_end> ends(count);
    std::vector<unsigned> results(count);
    run_in_processes(count, at_once, work, [&](std::size_t i, const work_end& end) {
        ends[i] = end;
        ++results[i];
    });
    EXPECT_EQ(results, std::vector<unsigned>(count, 1));
    return ends;
}

bool exists(const std::string& path)
{
    return std::ifstream(path).good();
}

void wait_for(const std::string& path)
{
    while (!exists(path)) std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

TEST(process_pool, every_work_gives_its_own_bytes)
{
    const auto ends = ends_of(20, 3, [](std::size_t i) { return std::string(i, 'x') + '\0' + std::to_string(i); });
    for (std::size_t i = 0; i < ends.size(); ++i) {
        EXPECT_TRUE(ends[i].whole);
        EXPECT_EQ(ends[i].bytes, std::string(i, 'x') + '\0' + std::to_string(i));
    }
}

TEST(process_pool, more_bytes_than_a_pipe_holds)
{
    const auto ends = ends_of(2, 2, [](std::size_t i) { return std::string(3'000'000 + i, 'a'); });
    for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(ends[i].bytes.size(), 3'000'000 + i);
}

TEST(process_pool, failed_worker_states_reason)
{
    const auto ends = ends_of(4, 2, [](std::size_t i) -> std::string {
        if (i == 0) throw std::runtime_error("no such machine");
        if (i == 1) raise(SIGKILL);
        if (i == 2) _exit(7);
        return "";
    });
    EXPECT_FALSE(ends[0].whole);
    EXPECT_EQ(ends[0].bytes, "no such machine");
    EXPECT_FALSE(ends[1].whole);
    EXPECT_EQ(ends[1].bytes, "the model crashed: Killed");
    EXPECT_FALSE(ends[2].whole);
    EXPECT_EQ(ends[2].bytes, "the model ended with status 7");
    EXPECT_TRUE(ends[3].whole);
    EXPECT_EQ(ends[3].bytes, "");
}

// Each waits for the file of the next one: alone, none would end.
TEST(process_pool, as_many_run_as_may)
{
    const temporary_folder folder;
    const auto file = [&](std::size_t i) { return folder.path(std::to_string(i)); };
    const auto ends = ends_of(3, 3, [&](std::size_t i) {
        std::ofstream(file(i)) << "here";
        wait_for(file((i + 1) % 3));
        return std::string("met");
    });
    for (const auto& each : ends) EXPECT_EQ(each.bytes, "met");
}

TEST(process_pool, and_no_more)
{
    const temporary_folder folder;
    const auto ends = ends_of(6, 2, [&](std::size_t i) {
        std::ofstream(folder.path(std::to_string(i))) << "here";
        unsigned others = 0;
        for (std::size_t k = 0; k < 6; ++k) others += k != i && exists(folder.path(std::to_string(k))) ? 1U : 0U;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        std::remove(folder.path(std::to_string(i)).c_str());
        return std::to_string(others);
    });
    for (const auto& each : ends) EXPECT_LE(std::stoi(each.bytes), 1);
}

TEST(process_pool, the_first_that_ends_makes_room)
{
    const temporary_folder folder;
    const auto ends = ends_of(3, 2, [&](std::size_t i) { // the first waits for the last, which waits for room
        if (i == 0) wait_for(folder.path("last"));
        if (i == 2) std::ofstream(folder.path("last")) << "here";
        return std::string("done");
    });
    for (const auto& each : ends) EXPECT_EQ(each.bytes, "done");
}

TEST(process_pool, an_error_of_the_listener_ends_the_others)
{
    const auto begin = std::chrono::steady_clock::now();
    const auto work = [](std::size_t i) {
        if (i > 0) std::this_thread::sleep_for(std::chrono::seconds(60));
        return std::string();
    };
    EXPECT_THROW(run_in_processes(3, 3, work,
                                  [](std::size_t, const work_end&) { throw std::runtime_error("the disk is full"); }),
                 std::runtime_error);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1); // no child is left
}

TEST(process_pool, a_killed_parent_leaves_no_process)
{
    const temporary_folder folder;
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const auto parent = fork();
    if (parent == 0) {
        run_in_process([&] {
            std::ofstream(folder.path("begun")) << "here";
            std::this_thread::sleep_for(std::chrono::seconds(60));
            return std::string();
        });
        _exit(0);
    }
    close(ends[1]); // the other end of the pipe is closed when parent and child are gone
    wait_for(folder.path("begun"));
    kill(parent, SIGKILL);
    waitpid(parent, nullptr, 0);
    char byte = 0;
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(read(ends[0], &byte, 1), 0);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
    close(ends[0]);
}

} // namespace
} // namespace isbesim::testbench

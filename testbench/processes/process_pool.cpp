// SPDX-License-Identifier: Apache-2.0
#include "testbench/processes/process_pool.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testbench/processes/interruption.h"

namespace isbesim::testbench {

namespace {

// The first byte that a process sends.
constexpr char returned = 'r';
constexpr char thrown = 't';

bool write_all(int to, const std::string& bytes)
{
    for (std::size_t done = 0; done < bytes.size();) {
        const auto n = write(to, bytes.data() + done, bytes.size() - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        done += static_cast<std::size_t>(n);
    }
    return true;
}

[[noreturn]] void work_and_end(int to, const std::function<std::string()>& work)
{
    std::string bytes;
    try {
        bytes = returned + work();
    } catch (const std::exception& error) {
        bytes = std::string(1, thrown) + error.what();
    }
    _exit(write_all(to, bytes) ? 0 : 1);
}

/// Timeout for poll(): -1 without a deadline.
int milliseconds_to(const deadline& until)
{
    if (!until) return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*until - std::chrono::steady_clock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, std::numeric_limits<int>::max()));
}

} // namespace

std::string text_of_end(int status)
{
    if (WIFSIGNALED(status)) return std::string("the model crashed: ") + strsignal(WTERMSIG(status));
    return "the model ended with status " + std::to_string(WEXITSTATUS(status));
}

void end_with(int parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
}

process_pool::~process_pool()
{
    for (const auto& each : running_) kill(each.process, SIGKILL);
    for (const auto& each : running_) finish(each);
}

void process_pool::begin(std::size_t i, const std::function<std::string()>& work)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe to a process: too many open files");
    const auto parent = getpid();
    const auto process = fork_worker();
    if (process == 0) {
        end_with(parent);
        close(ends[0]);
        for (const auto& each : running_) close(each.from);
        work_and_end(ends[1], work);
    }
    close(ends[1]);
    if (process < 0) {
        close(ends[0]);
        throw std::runtime_error("no process: out of memory or of processes");
    }
    running_.push_back({process, ends[0], i, {}});
}

bool process_pool::wait(const std::function<void(std::size_t, const work_end&)>& ended, const deadline& until,
                        int input)
{
    std::vector<pollfd> sources;
    sources.reserve(running_.size() + 1);
    for (const auto& each : running_) sources.push_back({each.from, POLLIN, 0});
    sources.push_back({input, POLLIN, 0});                                               // poll() ignores -1
    if (poll(sources.data(), sources.size(), milliseconds_to(until)) <= 0) return false; // timeout or a signal
    for (std::size_t k = running_.size(); k-- > 0;) {
        if (sources[k].revents == 0 || read_some(running_[k])) continue;
        const auto done = std::move(running_[k]);
        running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(k));
        ended(done.work, end_of_work(done, finish(done)));
    }
    return sources.back().revents != 0;
}

bool process_pool::read_some(member& worker)
{
    char bytes[65536];
    const auto n = read(worker.from, bytes, sizeof bytes);
    if (n < 0) return errno == EINTR;
    worker.bytes.append(bytes, static_cast<std::size_t>(n));
    return n > 0;
}

int process_pool::finish(const member& worker)
{
    close(worker.from);
    int status = 0;
    while (waitpid(worker.process, &status, 0) < 0 && errno == EINTR) continue;
    return status;
}

work_end process_pool::end_of_work(const member& worker, int status)
{
    if (status != 0 || worker.bytes.empty()) return {false, text_of_end(status)};
    return {worker.bytes[0] == returned, worker.bytes.substr(1)};
}

void run_in_processes(std::size_t count, unsigned at_once, const std::function<std::string(std::size_t)>& work,
                      const std::function<void(std::size_t, const work_end&)>& ended, const deadline& until)
{
    process_pool running;
    for (std::size_t begun = 0; (begun < count || running.size() > 0) && milliseconds_to(until) != 0;) {
        for (; begun < count && running.size() < std::max(at_once, 1U); ++begun)
            running.begin(begun, [&] { return work(begun); });
        running.wait(ended, until);
    }
}

work_end run_in_process(const std::function<std::string()>& work)
{
    work_end result;
    run_in_processes(
        1, 1, [&](std::size_t) { return work(); }, [&](std::size_t, const work_end& end) { result = end; });
    return result;
}

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
#include "testbench/rtl/run_copies.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace isbesim::testbench {

namespace {

/// The copy must not write to the run's open files: both share the position in each file.
void let_go_of_files()
{
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    const long most = sysconf(_SC_OPEN_MAX);
    for (int file = 0; file < most && file < 1024; ++file)
        if (file != nothing && fcntl(file, F_GETFD) >= 0) dup2(nothing, file);
}

} // namespace

run_copies::run_copies(waveform& wave) : wave_(wave) {}

run_copies::~run_copies()
{
    for (const auto& each : copies_) end(each);
}

void run_copies::end_response(std::uint64_t, unsigned, std::uint64_t cycle)
{
    if (!awake_ && cycle >= due_) take(cycle);
}

void run_copies::take(std::uint64_t cycle)
{
    due_ = cycle + interval;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return; // the run continues without this copy
    const auto parent = getpid();
    // A copy ignores them: the run reports Ctrl-C and cleans up, and its copies end with it.
    sigset_t endings, before;
    sigemptyset(&endings);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&endings, number);
    pthread_sigmask(SIG_BLOCK, &endings, &before);
    const auto process = fork();
    if (process != 0) pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(EXIT_FAILURE);
        close(ends[1]);
        for (const auto& each : copies_) close(each.wake); // they belong to the run
        copies_.clear();
        return sleep(ends[0], cycle);
    }
    close(ends[0]);
    if (process < 0) {
        close(ends[1]);
        return;
    }
    copies_.push_back({cycle, process, ends[1]});
    if (copies_.size() <= kept) return;
    end(copies_.front());
    copies_.pop_front();
}

/// Returns when this copy is woken up.
void run_copies::sleep(int wake, std::uint64_t cycle)
{
    char byte = 0;
    ssize_t got = 0;
    do got = read(wake, &byte, 1);
    while (got < 0 && errno == EINTR);
    if (got != 1) _exit(EXIT_SUCCESS);
    let_go_of_files();
    awake_ = true;
    wave_.show({cycle, ~std::uint64_t{0}});
}

void run_copies::end(const copy& which)
{
    close(which.wake);
    waitpid(which.process, nullptr, 0);
}

void run_copies::end_of_run()
{
    if (!awake_) return;
    try {
        wave_.close();
    } catch (...) {
        _exit(EXIT_FAILURE);
    }
    _exit(EXIT_SUCCESS); // the rest of the run must not happen twice
}

bool run_copies::show_from(std::uint64_t cycle)
{
    while (!copies_.empty() && copies_.back().cycle > cycle) {
        end(copies_.back());
        copies_.pop_back();
    }
    if (copies_.empty()) return false;
    const auto chosen = copies_.back();
    copies_.pop_back();
    int status = 0;
    const bool woken = write(chosen.wake, "", 1) == 1;
    close(chosen.wake);
    pid_t ended = 0;
    do ended = waitpid(chosen.process, &status, 0);
    while (ended < 0 && errno == EINTR);
    return woken && ended == chosen.process && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

} // namespace isbesim::testbench

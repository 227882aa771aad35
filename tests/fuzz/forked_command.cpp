// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/forked_command.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testbench/command_line/command_line.h"

namespace isbesim::testbench {

namespace {

constexpr rlim_t cpu_seconds = 20; // a command takes milliseconds

void write_all(int to, const void* data, std::size_t size)
{
    const auto* bytes = static_cast<const char*>(data);
    while (size > 0) {
        const auto written = write(to, bytes, size);
        if (written <= 0) _exit(99);
        bytes += written;
        size -= static_cast<std::size_t>(written);
    }
}

bool read_all(int from, void* data, std::size_t size)
{
    auto* bytes = static_cast<char*>(data);
    while (size > 0) {
        const auto got = read(from, bytes, size);
        if (got <= 0) return false;
        bytes += got;
        size -= static_cast<std::size_t>(got);
    }
    return true;
}

[[noreturn]] void run_child(int to, std::size_t count,
                            const std::function<std::vector<std::string>(std::size_t)>& prepare)
{
    const rlimit cpu{cpu_seconds, cpu_seconds};
    setrlimit(RLIMIT_CPU, &cpu);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    // What bypasses the streams would be a second voice: it counts as part of the error text.
    char own[] = "/tmp/isbesim-mutant-XXXXXX";
    const int voice = mkstemp(own);
    unlink(own);
    dup2(voice, STDOUT_FILENO);
    dup2(voice, STDERR_FILENO);
    for (std::size_t i = 0; i < count; ++i) {
        std::ostringstream out, err;
        const int status = run_command_line(prepare(i), out, err);
        std::string text = err.str();
        std::fflush(nullptr);
        const auto said = lseek(voice, 0, SEEK_END);
        if (said > 0) text += "(and past the streams: " + std::to_string(said) + " bytes)\n";
        if (ftruncate(voice, 0) != 0 || lseek(voice, 0, SEEK_SET) != 0) _exit(98);
        const std::size_t size = text.size();
        write_all(to, &status, sizeof status);
        write_all(to, &size, sizeof size);
        write_all(to, text.data(), size);
    }
    _exit(0);
}

} // namespace

std::vector<command_end> run_forked(std::size_t count,
                                    const std::function<std::vector<std::string>(std::size_t)>& prepare)
{
    std::fflush(nullptr); // or the child would say it again
    int ends[2];
    if (pipe(ends) != 0) std::abort();
    const pid_t child = fork();
    if (child < 0) std::abort();
    if (child == 0) {
        close(ends[0]);
        run_child(ends[1], count, prepare);
    }
    close(ends[1]);
    std::vector<command_end> results;
    command_end one;
    std::size_t size = 0;
    while (results.size() < count && read_all(ends[0], &one.status, sizeof one.status) &&
           read_all(ends[0], &size, sizeof size)) {
        one.err.resize(size);
        if (!read_all(ends[0], one.err.data(), size)) break;
        one.ended = true;
        results.push_back(one);
    }
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (results.size() < count) {
        command_end died;
        died.status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
        results.push_back(died);
    }
    return results;
}

} // namespace isbesim::testbench

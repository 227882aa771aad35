// SPDX-License-Identifier: Apache-2.0
#include "tests/testbench/process.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test_paths.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {

std::string process_result::last_error() const
{
    auto text = err;
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text.substr(text.rfind('\n') + 1);
}

namespace {

/// The child's streams go to files.
pid_t start(const std::vector<std::string>& arguments, const process_place& place, const std::string& out,
            const std::string& err)
{
    const auto child = fork();
    if (child != 0) return child;
    const std::string program = ISBESIM_BINARY_DIR "/isbesim";
    std::vector<char*> words = {const_cast<char*>(program.c_str())};
    for (const auto& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    if (!place.folder.empty() && chdir(place.folder.c_str()) != 0) _exit(127);
    if (!place.input.empty() && freopen(place.input.c_str(), "r", stdin) == nullptr) _exit(127);
    if (freopen(out.c_str(), "w", stdout) == nullptr || freopen(err.c_str(), "w", stderr) == nullptr) _exit(127);
    if (place.largest_file != 0) {
        const rlimit most = {place.largest_file, place.largest_file};
        if (setrlimit(RLIMIT_FSIZE, &most) != 0) _exit(127);
    }
    execv(program.c_str(), words.data());
    _exit(127);
}

} // namespace

pid_t start_isbesim(const std::vector<std::string>& arguments, const std::string& out, const std::string& err)
{
    return start(arguments, {}, out, err);
}

process_result run_isbesim(const std::vector<std::string>& arguments, const process_place& place)
{
    const temporary_folder streams;
    const auto out = streams.write("out", "");
    const auto err = streams.write("err", "");
    const auto child = start(arguments, place, out, err);
    process_result result;
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    result.out = temporary_folder::read(out);
    result.err = temporary_folder::read(err);
    result.peak_memory_mb = static_cast<double>(usage.ru_maxrss) / 1024.0;
    return result;
}

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/execution/own_processes.h"

#include <algorithm>
#include <cctype>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include <unistd.h>

#include "testbench/gl/kernel/protocol.h"

namespace isbesim::gl {

namespace fs = std::filesystem;

namespace {

bool has_in_environment(const fs::path& process, const std::string& variable)
{
    std::ifstream file(process / "environ", std::ios::binary);
    const std::string all(std::istreambuf_iterator<char>(file), {});
    const std::string between(1, '\0');
    return (between + all).find(between + variable + between) != std::string::npos;
}

std::vector<pid_t> programs_of(const std::string& folder)
{
    const auto variable = std::string(ISBESIM_GL_FOLDER) + "=" + folder;
    std::vector<pid_t> result;
    std::error_code error;
    // Processes may end during the search.
    for (fs::directory_iterator each("/proc", error), end; !error && each != end; each.increment(error)) {
        const auto name = each->path().filename().string();
        if (std::isdigit(static_cast<unsigned char>(name[0])) != 0 && has_in_environment(each->path(), variable))
            result.push_back(static_cast<pid_t>(std::atol(name.c_str())));
    }
    return result;
}

} // namespace

void keep_only(int descriptor, int other)
{
    unsigned next = 3; // after standard input, output and error
    for (const int each : {std::min(descriptor, other), std::max(descriptor, other)}) {
        const auto kept = static_cast<unsigned>(each);
        if (kept > next) close_range(next, kept - 1, 0);
        next = std::max(next, kept + 1);
    }
    close_range(next, ~0U, 0);
}

void end_programs_of(const std::string& folder)
{
    constexpr timespec between{0, 100'000'000};
    constexpr int asked_to_end = 10;
    constexpr int killed = 30;
    constexpr int given_up = 60;
    for (int i = 0; i < given_up; ++i) {
        const auto programs = programs_of(folder);
        if (programs.empty()) return;
        for (const auto program : programs) {
            if (i == asked_to_end) kill(program, SIGTERM);
            if (i >= killed) kill(program, SIGKILL);
        }
        nanosleep(&between, nullptr);
    }
}

} // namespace isbesim::gl

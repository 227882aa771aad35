// SPDX-License-Identifier: Apache-2.0
#include "testbench/rtl/rtl_store.h"

#include <array>
#include <chrono>
#include <cstdlib>
#include <map>
#include <sstream>
#include <stdexcept>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testbench/files/shipped_files.h"
#include "testbench/rtl/rtl_library.h"
#include "testbench/rtl/rtl_parameters.h"

extern char** environ; // POSIX: declared by the program

namespace isbesim::testbench {

namespace {

std::string builder()
{
    if (const char* const named = std::getenv("ISBESIM_RTL_BUILDER"); named != nullptr && *named != '\0') return named;
    if (auto path = find_shipped("scripts/rtl"); !path.empty()) return path;
    throw std::invalid_argument(
        "the RTL of this configuration is not built and scripts/rtl is not beside this program, "
        "expected the Debian packages libisbesim-dev and verilator, ISBESIM_RTL_BUILDER, or "
        "--isbe at");
}

/// The output of a program without the end of the line; its exit status in `status`.
std::string output_of(const std::vector<std::string>& words, int& status)
{
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe to scripts/rtl");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (const auto& each : words) arguments.push_back(const_cast<char*>(each.c_str()));
    arguments.push_back(nullptr);
    pid_t child = 0;
    const int failed = posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    std::string text;
    if (failed == 0) {
        std::array<char, 512> part{};
        for (ssize_t got = 0; (got = read(ends[0], part.data(), part.size())) > 0;)
            text.append(part.data(), static_cast<std::size_t>(got));
    }
    close(ends[0]);
    if (failed != 0)
        throw std::invalid_argument(words[0] + " can't be started, expected Python 3 (Debian package python3)");
    waitpid(child, &status, 0);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
}

double& build_seconds()
{
    static double seconds = 0;
    return seconds;
}

/// Path of the plug-in that scripts/rtl finds or builds. Called once per plug-in, since a machine has many ISBEs.
std::string ask_builder(const std::vector<std::string>& options)
{
    static std::map<std::vector<std::string>, std::string> known;
    if (const auto found = known.find(options); found != known.end()) return found->second;
    std::vector<std::string> words = {builder(), "--error-to-stdout", "--end-with", std::to_string(getpid())};
    words.insert(words.end(), options.begin(), options.end());
    int status = 0;
    const auto begin = std::chrono::steady_clock::now();
    auto text = output_of(words, status);
    build_seconds() += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (status != 0) throw std::invalid_argument(text.empty() ? words[0] + " failed" : text);
    known.emplace(options, text);
    return text;
}

bool is_set(const char* variable)
{
    const char* const text = std::getenv(variable);
    if (text == nullptr || *text == '\0' || std::string(text) == "0") return false;
    if (std::string(text) == "1") return true;
    throw std::invalid_argument(std::string(variable) + " is '" + text + "', expected 0 or 1");
}

bool ends_with(const std::string& text, const std::string& end)
{
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

} // namespace

std::string built_rtl_plugin(const isbe_config& config, bool assertions)
{
    const auto parameters = rtl_parameter_list(config);
    const std::string end = assertions ? ".assert.so" : ".so";
    for (const auto& row : rtl_configurations())
        if (parameters == row.parameters) return find_shipped("rtl/" + std::string(row.name) + end);
    return {};
}

const isbesim_rtl_interface& rtl_plugin_of(const isbe_config& config)
{
    const auto parameters = rtl_parameter_list(config);
    const char* const own = std::getenv("ISBESIM_RTL_BLOCK");
    const bool assertions = is_set("ISBESIM_RTL_ASSERT"); // blocks with assertions
    std::vector<std::string> options = {"--parameters", parameters};
    if (assertions) options.emplace_back("--assert");
    std::string path;
    if (own != nullptr && ends_with(own, ".so")) {
        path = own;
    } else if (own != nullptr && *own != '\0') {
        options.emplace_back("--block");
        std::istringstream files(own);
        for (std::string file; std::getline(files, file, ':');) options.push_back(file);
        path = ask_builder(options);
    } else {
        path = built_rtl_plugin(config, assertions);
        if (path.empty()) path = ask_builder(options);
    }
    const auto& plugin = open_rtl_library(path);
    if (plugin.create == nullptr) throw std::invalid_argument(path + " has no block, expected an RTL plug-in with one");
    if (parameters != plugin.parameters)
        throw std::invalid_argument(path +
                                    " is the RTL of another machine: " + rtl_differences(config, plugin.parameters));
    if (assertions && plugin.assertions == 0)
        throw std::invalid_argument(path + " has no assertions, expected a plug-in of scripts/rtl --assert, or "
                                           "ISBESIM_RTL_ASSERT not set");
    return plugin;
}

bool skips_idle_cycles()
{
    return is_set("ISBESIM_RTL_SKIP_IDLE");
}

double rtl_build_seconds()
{
    return build_seconds();
}

const isbesim_rtl_interface& waves_plugin()
{
    auto path = find_shipped("rtl/default.so");
    if (path.empty()) path = ask_builder({"--waves-only"});
    return open_rtl_library(path);
}

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
#include "testbench/command_line/commands_at_once.h"

#include <algorithm>
#include <optional>
#include <ostream>
#include <sstream>
#include <thread>
#include <utility>

#include "testbench/arguments/command_arguments.h"
#include "testbench/command_line/command_line.h"
#include "testbench/processes/exit_status.h"

namespace isbesim::testbench {

namespace {

bool one_of_several = false;

struct command_end {
    int status;
    std::string output;
};

/// Runs in the new process. Returns the status, a space and the output.
std::string run_here(const command_words& words)
{
    be_one_of_several();
    std::ostringstream output;
    const int status = run_command_line(words, output, output);
    return std::to_string(status) + " " + output.str();
}

command_end read_end(const command_words& words, const work_end& end)
{
    if (!end.whole) return {exit_status::internal_error, "isbesim " + words.front() + ": " + end.bytes + "\n"};
    return {std::stoi(end.bytes), end.bytes.substr(end.bytes.find(' ') + 1)};
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace

std::vector<int> run_commands(const std::vector<command_words>& commands, unsigned at_once, std::ostream& output,
                              const std::function<bool(std::size_t, int status)>& ended, const deadline& until)
{
    struct enough {};
    std::vector<std::optional<command_end>> ends(commands.size());
    std::size_t printed = 0, done = 0;
    const auto tell = [&](std::size_t i) { output << std::exchange(ends[i]->output, {}) << std::flush; };
    try {
        run_in_processes(
            commands.size(), at_once, [&](std::size_t i) { return run_here(commands[i]); },
            [&](std::size_t i, const work_end& end) {
                ends[i] = read_end(commands[i], end);
                for (; printed < ends.size() && ends[printed]; ++printed) tell(printed);
                if (ended(++done, ends[i]->status)) return;
                tell(i);
                throw enough();
            },
            until);
    } catch (const enough&) {
    }
    std::vector<int> statuses;
    statuses.reserve(ends.size());
    for (const auto& each : ends) statuses.push_back(each ? each->status : not_ended);
    return statuses;
}

void be_one_of_several()
{
    one_of_several = true;
}

bool is_one_of_several()
{
    return one_of_several;
}

bool may_work_beside(const command_arguments& arguments)
{
    return std::thread::hardware_concurrency() > 1 && !one_of_several && !arguments.has("wave-on-difference");
}

command_words without_options(const command_words& words, std::initializer_list<std::string_view> options,
                              std::initializer_list<std::string_view> flags)
{
    command_words kept;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto name = std::string_view(words[i]).substr(0, words[i].find('='));
        if (is_one_of(name, options))
            i += name == words[i] ? 1 : 0; // its value
        else if (!is_one_of(name, flags))
            kept.push_back(words[i]);
    }
    return kept;
}

command_words result_words(const command_words& words)
{
    return without_options(words, {"--out", "--jobs"}, {"--quiet", "--progress"});
}

command_words quiet_command(const std::string& command, const command_words& kept, const command_words& own,
                            const std::string& out)
{
    command_words words{command};
    words.insert(words.end(), kept.begin(), kept.end());
    words.insert(words.end(), own.begin(), own.end());
    words.insert(words.end(), {"--out", out, "--quiet"});
    return words;
}

void refuse_one_file(const command_arguments& arguments, const std::string& what, const std::string& expected,
                     std::initializer_list<const char*> also)
{
    std::vector<std::string> names{"record", "database",           "timeline",   "kanata",
                                   "wave",   "wave-on-difference", "wave-cycles"};
    names.insert(names.end(), also.begin(), also.end());
    for (const auto& name : names)
        if (arguments.has(name.c_str())) arguments.fail(name, " with " + what + ", expected " + expected);
}

unsigned jobs_of(const command_arguments& arguments)
{
    if (!arguments.is_given("jobs")) return std::max(1U, std::thread::hardware_concurrency());
    const auto jobs = arguments.get<unsigned>("jobs");
    if (jobs == 0) arguments.fail("jobs", " is 0, expected at least 1");
    return jobs;
}

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
// Runs command lines of isbesim in separate processes: each may simulate, and a crash becomes an exit status.
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/processes/process_pool.h"

namespace isbesim::testbench {

class command_arguments;

using command_words = std::vector<std::string>;

/// The status of a command that has not ended.
inline constexpr int not_ended = -1;

/// Runs the commands, `at_once` at a time, and returns their exit statuses; a crash counts as internal_error. Their
/// output on both streams goes to `output`, in the order of the commands. `ended` receives the number of ended commands
/// and the status of the last; when it returns false, and at `until`, the others are stopped or not begun.
std::vector<int> run_commands(const std::vector<command_words>& commands, unsigned at_once, std::ostream& output,
                              const std::function<bool(std::size_t, int status)>& ended, const deadline& until = {});

/// Makes may_work_beside() false from now on, because other processes use the cores.
void be_one_of_several();
bool is_one_of_several();
/// True if another thread may work for this command: a core is free, no other command runs beside it, and its run does
/// not fork.
bool may_work_beside(const command_arguments& arguments);

/// `words` without these options and their values; `flags` have none.
command_words without_options(const command_words& words, std::initializer_list<std::string_view> options,
                              std::initializer_list<std::string_view> flags);
/// Without --out, --jobs, --quiet and --progress, on which no result depends.
command_words result_words(const command_words& words);

/// `command` with the options `kept` of another command line, results in `out` and no output but errors. `own`: its
/// additional words.
command_words quiet_command(const std::string& command, const command_words& kept, const command_words& own,
                            const std::string& out);

/// Throws input_error for --record, --database and similar options, and for the options `also`, because each of many
/// runs would write the same file. `expected`: what to use instead.
void refuse_one_file(const command_arguments& arguments, const std::string& what, const std::string& expected,
                     std::initializer_list<const char*> also = {});

/// --jobs of these arguments, or the number of cores. Throws input_error.
unsigned jobs_of(const command_arguments& arguments);

} // namespace isbesim::testbench

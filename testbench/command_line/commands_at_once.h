// SPDX-License-Identifier: Apache-2.0
// Command lines of ours in processes of their own: each may simulate, and a crash is an exit status here.
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace isbesim::testbench {

class command_arguments;

using command_words = std::vector<std::string>;

/// Runs them, `at_once` at a time, and returns their exit statuses; that of a crash is internal_error. Their output on
/// either stream goes to `said`, in their order. `ended` gets the number of ended commands.
std::vector<int> run_commands(const std::vector<command_words>& commands, unsigned at_once, std::ostream& said,
                              const std::function<void(std::size_t)>& ended);

/// From now on may_work_beside() is false: other processes use the cores.
void be_one_of_several();
/// Whether another thread may work for this command: not where no core is left for it, as beside
/// others, nor in a run that forks.
bool may_work_beside(const command_arguments& arguments);

/// `words` without these options and their values; `flags` have none.
command_words without_options(const command_words& words, std::initializer_list<std::string_view> options,
                              std::initializer_list<std::string_view> flags);

/// `command` with the options `kept` of another command line, results in `out` and nothing said but errors. `own`: what
/// it has beside the others.
command_words quiet_command(const std::string& command, const command_words& kept, const command_words& own,
                            const std::string& out);

/// Each of many runs would write the same file: throws input_error for --record, --database and the like, and for the
/// options `also`. `expected`: what to ask for instead.
void refuse_one_file(const command_arguments& arguments, const std::string& what, const std::string& expected,
                     std::initializer_list<const char*> also = {});

/// --jobs of these arguments, or one per core. Throws input_error.
unsigned jobs_of(const command_arguments& arguments);

} // namespace isbesim::testbench

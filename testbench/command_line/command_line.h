// SPDX-License-Identifier: Apache-2.0
// The isbesim command: chooses the subcommand, and turns every outcome into an exit status and one error line.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include <boost/program_options.hpp>

namespace isbesim::testbench {

/// One subcommand.
struct command {
    const char* name;
    const char* usage;
    const char* description;
    boost::program_options::options_description (*options)();
    int (*run)(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);
};

const std::vector<command>& commands();
/// For help and the manual page: the program, and its exit statuses (exit_status.h).
inline constexpr const char* overview_text = "a draw through PE, SM and ISBE";
inline constexpr const char* exit_status_text =
    "0 done, all checks held; 1 a check failed; 2 wrong input or command line; 3 internal error.";
/// Topics of `isbesim help` besides the commands.
inline constexpr const char* help_topics[] = {"config", "figures", "schema"};

/// Runs a command that prints to `out`; returns its exit status. An exception becomes a line on `err`. Never throws.
int exit_status_of(const std::function<int()>& command, std::ostream& out, std::ostream& err);

/// Runs one command line (without the program's name). Never throws.
int run_command_line(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

} // namespace isbesim::testbench

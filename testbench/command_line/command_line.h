// SPDX-License-Identifier: Apache-2.0
// The isbesim command: picks the subcommand, turns every outcome into an exit status and one error line.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include <boost/program_options.hpp>

#include "testbench/command_line/exit_status.h"
#include "testbench/files/input_error.h"

namespace isbesim::testbench {

/// What a subcommand gets: its own arguments, parsed against its own options.
class command_arguments {
public:
    /// Throws input_error at the argument that is wrong; `allowed` includes the hidden ones. `most` positional
    /// arguments.
    command_arguments(std::vector<std::string> words, const boost::program_options::options_description& allowed,
                      const char* positional_name, std::size_t most = 1);

    bool has(const char* option) const { return values_.count(option) != 0; }
    /// Not only by its default.
    bool is_given(const char* option) const { return has(option) && !values_[option].defaulted(); }
    template <typename T>
    const T& get(const char* option) const
    {
        return values_[option].as<T>();
    }
    /// Place of an option or value on the command line.
    source_place place_of(const std::string& word) const;
    /// Place of one value of a repeatable option, written "--option value" or "--option=value".
    source_place place_of_value(const std::string& option, const std::string& value) const;
    /// The one positional argument. Throws without one.
    std::string positional(const std::string& expected) const;
    /// The second one, or "".
    std::string second_positional() const;

private:
    /// Throws for a word that is not a number: Boost takes -1 for 2^64 - 1 and an empty word for a name.
    void check_values(const boost::program_options::parsed_options& parsed) const;

    std::vector<std::string> words_;
    const char* positional_name_;
    boost::program_options::variables_map values_;
};

/// One subcommand.
struct command {
    const char* name;
    const char* usage;
    const char* description;
    boost::program_options::options_description (*options)();
    int (*run)(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);
};

const std::vector<command>& commands();
/// What the program is, and what its exit statuses are (exit_status.h), for people.
inline constexpr const char* overview_text = "a draw through PE, SM and ISBE";
inline constexpr const char* exit_status_text =
    "0 done, all checks held; 1 a check failed; 2 wrong input or command line; 3 internal error.";
/// What `isbesim help` explains beside them.
inline constexpr const char* help_topics[] = {"config", "figures", "schema"};

/// The exit status of a command that prints to `out`. What it throws becomes a line on `err`. Never throws.
int exit_status_of(const std::function<int()>& command, std::ostream& out, std::ostream& err);

/// Runs one command line (without the program's name). Never throws.
int run_command_line(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

} // namespace isbesim::testbench

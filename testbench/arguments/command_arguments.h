// SPDX-License-Identifier: Apache-2.0
// The options and positional arguments of one command, with their places for error lines.
#pragma once

#include <string>
#include <vector>

#include <boost/program_options.hpp>

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

} // namespace isbesim::testbench

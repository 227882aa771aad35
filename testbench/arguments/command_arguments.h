// SPDX-License-Identifier: Apache-2.0
// The options and positional arguments of one command, with their places for errors.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <boost/program_options.hpp>

#include "testbench/arguments/bound_option.h"
#include "testbench/files/command_file.h"
#include "testbench/files/input_error.h"

namespace isbesim::testbench {

/// The arguments of a subcommand, parsed by its options.
class command_arguments {
public:
    /// Throws input_error at an invalid argument. `allowed` includes hidden options; `most`: limit of positional
    /// arguments.
    command_arguments(std::vector<std::string> words, const boost::program_options::options_description& allowed,
                      const char* positional_name, std::size_t most = 1);

    bool has(const char* option) const { return values_.count(option) != 0; }
    /// True if the user has given the option, not only its default.
    bool is_given(const char* option) const { return has(option) && !values_[option].defaulted(); }
    template <typename T>
    const T& get(const char* option) const
    {
        return values_[option].as<T>();
    }
    /// Place of the first use of "--option" on the command line; its begin if only the default is used.
    source_place place_of(const std::string& option) const;
    /// Place of the value in the `use`-th use of "--option", written "--option value" or "--option=value".
    source_place place_of_value(const std::string& option, std::size_t use) const;
    source_place place_of_positional(std::size_t index = 0) const { return place_of_value(positional_name_, index); }
    /// Throws input_error at the option: "--OPTION" and the text.
    [[noreturn]] void fail(const std::string& option, const std::string& text) const;
    /// The same: "--OPTION is 'VALUE', expected ...".
    [[noreturn]] void refuse(const std::string& option, const std::string& value, const std::string& expected) const;
    /// Throws input_error unless the value of a numeric option is in the range.
    void check(const std::string& option, std::uint64_t value, const option_range& range) const;
    /// The files, and the folder, that given options name for output; without standard streams and devices.
    std::vector<command_file> written_files() const;
    /// The files that options and positional arguments name for input.
    std::vector<command_file> read_files() const;
    /// The first positional argument. Throws input_error without one.
    std::string positional(const std::string& expected) const;
    /// The second positional argument, or "".
    std::string second_positional() const;

private:
    struct used_at {
        std::size_t name, value; ///< indices of words; the same for "--option=value" and a positional argument
    };

    void find_places(const boost::program_options::parsed_options& parsed);
    /// The command itself is argument 1.
    static source_place place_at(std::size_t index) { return {"command-line", 1, index + 2}; }
    /// The place of a word that was not parsed, or the command if it is absent.
    source_place place_of_word(const std::string& word) const;
    /// Throws input_error for an invalid number or empty word: Boost takes -1 for 2^64 - 1 and "" for a name.
    void check_values(const boost::program_options::parsed_options& parsed) const;
    /// Throws input_error for a file to write that the command also reads or writes a second time.
    void check_files() const;
    /// The value of an option; "" without one or of another type.
    std::string text_of(const char* option) const;

    std::vector<std::string> words_;
    const char* positional_name_;
    std::map<std::string, std::vector<used_at>> places_; ///< by "--option" or positional_name_
    boost::program_options::variables_map values_;
};

} // namespace isbesim::testbench

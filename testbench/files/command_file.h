// SPDX-License-Identifier: Apache-2.0
// Files that a command reads or writes, as its command line names them.
#pragma once

#include <filesystem>
#include <string>

#include "testbench/files/input_error.h"

namespace isbesim::testbench {

/// One path of a file that may have several; "" of standard streams and devices.
inline std::filesystem::path whole_path(const std::string& name)
{
    namespace fs = std::filesystem;
    std::error_code ignored;
    const auto path = fs::weakly_canonical(fs::absolute(name, ignored), ignored);
    const auto status = fs::status(path, ignored);
    const bool is_stored = !fs::exists(status) || fs::is_regular_file(status) || fs::is_directory(status);
    return name == "-" || !is_stored ? fs::path() : path;
}

struct command_file {
    std::string option; ///< "--record", "TRACE"
    std::string name;   ///< in the command line
    source_place place;
    std::filesystem::path path; ///< whole_path(name)

    /// Throws input_error: the option, the name and the text.
    [[noreturn]] void refuse(const std::string& text) const
    {
        throw input_error(place, option + " is '" + name + "', " + text);
    }
};

} // namespace isbesim::testbench

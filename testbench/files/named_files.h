// SPDX-License-Identifier: Apache-2.0
// Files that an input file names, relative to its folder.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/files/json_document.h"

namespace isbesim::testbench {

/// Which files an input may name: any, or those in its own folder and below (--contained).
enum class file_access { anywhere, contained };

class named_files {
public:
    /// `paths` receives what path_of() returns.
    named_files(const json_document& document, file_access access, std::vector<std::string>& paths);

    /// Path of the file that `value`, a text of the document, names. `what` names the value in errors. Throws
    /// input_error at the name if there is no such file, or if it is outside the folder and may not be read. Symbolic
    /// links are followed first.
    std::string path_of(const boost::json::value& value, std::string_view what, const std::string& expected) const;

private:
    bool is_inside(const std::filesystem::path& path) const;

    const json_document& document_;
    std::filesystem::path folder_; ///< of the document
    file_access access_;
    std::vector<std::string>& paths_;
};

} // namespace isbesim::testbench

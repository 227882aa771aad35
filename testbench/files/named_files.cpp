// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/named_files.h"

#include <algorithm>
#include <system_error>

namespace isbesim::testbench {

namespace fs = std::filesystem;

named_files::named_files(const json_document& document, file_access access, std::vector<std::string>& paths)
    : document_(document), folder_(fs::path(document.file()).parent_path()), access_(access), paths_(paths)
{
}

std::string named_files::path_of(const boost::json::value& value, std::string_view what,
                                 const std::string& expected) const
{
    const auto name = document_.text(value, what);
    const auto path = folder_ / name;
    const auto refuse = [&](const std::string& reason) {
        document_.fail(value, std::string(what) + " '" + name + "' " + reason + ", expected " + expected);
    };
    // Checked first, so that a contained scenario learns nothing about files outside.
    if (access_ == file_access::contained && !is_inside(path)) refuse("is not in the scenario's folder (--contained)");
    std::error_code failure;
    if (!fs::is_regular_file(path, failure))
        refuse("cannot be read (" + (failure ? failure.message() : std::string("not a file")) + ")");
    return paths_.emplace_back(path.string());
}

/// A name with a dot-dot or a link that leads back into the folder is inside.
bool named_files::is_inside(const fs::path& path) const
{
    std::error_code failure;
    const auto root = fs::weakly_canonical(folder_.empty() ? fs::path(".") : folder_, failure);
    if (failure) return false;
    const auto real = fs::weakly_canonical(path, failure);
    if (failure) return false;
    return std::mismatch(root.begin(), root.end(), real.begin(), real.end()).first == root.end();
}

} // namespace isbesim::testbench

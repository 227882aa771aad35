// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/shipped_files.h"

#include <filesystem>

namespace isbesim::testbench {

std::string find_shipped(const std::string& name)
{
    std::error_code ignored;
    const auto here = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
    for (const auto* const folder :
         {".", "..", "../lib/isbesim", "../lib/" ISBESIM_MULTIARCH "/isbesim", "../share/isbesim"}) {
        const auto path = here / folder / name;
        if (std::filesystem::exists(path, ignored)) return std::filesystem::weakly_canonical(path, ignored).string();
    }
    return {};
}

std::string script_of_user(const std::string& name)
{
    const auto script = "scripts/" + name;
    const auto path = find_shipped(script);
    return path.empty() ? script : path;
}

} // namespace isbesim::testbench

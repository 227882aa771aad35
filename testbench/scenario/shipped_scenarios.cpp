// SPDX-License-Identifier: Apache-2.0
#include "testbench/scenario/shipped_scenarios.h"

#include <algorithm>
#include <filesystem>

#include "testbench/files/shipped_files.h"

namespace isbesim::testbench {

namespace fs = std::filesystem;

bool is_scenario_name(const std::string& name)
{
    constexpr const char* letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    std::error_code none;
    return !name.empty() && name.find_first_not_of(letters) == std::string::npos && !fs::exists(name, none);
}

std::string scenario_file_of(const std::string& name)
{
    std::error_code none;
    if (fs::is_directory(name, none)) return (fs::path(name) / "scenario.json").string();
    if (!is_scenario_name(name)) return name;
    const auto shipped = find_shipped("scenarios/" + name + "/scenario.json");
    return shipped.empty() ? name : shipped;
}

std::vector<std::string> shipped_scenarios()
{
    std::vector<std::string> names;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(find_shipped("scenarios"), none))
        if (fs::exists(entry.path() / "scenario.json", none)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace isbesim::testbench

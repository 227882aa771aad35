// SPDX-License-Identifier: Apache-2.0
// The scenarios that come with the program, by their names.
#pragma once

#include <string>
#include <vector>

namespace isbesim::testbench {

/// The file of a scenario as a user names it: a folder's scenario.json, that of a shipped scenario's name where there
/// is no file of that name, and anything else as it is.
std::string scenario_file_of(const std::string& name);

/// By name; empty where none are installed.
std::vector<std::string> shipped_scenarios();

/// Whether a user may have meant a shipped scenario: a word without a folder and an ending, and no file.
bool is_scenario_name(const std::string& name);

} // namespace isbesim::testbench

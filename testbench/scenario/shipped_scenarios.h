// SPDX-License-Identifier: Apache-2.0
// Finds the scenarios that come with the program by name.
#pragma once

#include <string>
#include <vector>

namespace isbesim::testbench {

/// The file of a scenario that a user names: scenario.json of a folder, or of a shipped scenario if there is no file of
/// that name; other names are returned unchanged.
std::string scenario_file_of(const std::string& name);

/// Sorted by name; empty if none are installed.
std::vector<std::string> shipped_scenarios();

/// True if a user may have meant a shipped scenario: a word without folder and extension that is not a file.
bool is_scenario_name(const std::string& name);

} // namespace isbesim::testbench

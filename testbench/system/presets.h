// SPDX-License-Identifier: Apache-2.0
// The presets: testbench/machines/*.json, compiled in so that --config NAME needs no path.
#pragma once

#include <string>
#include <vector>

namespace isbesim::testbench {

struct preset {
    const char* name;
    const char* json;
};

/// By name.
const std::vector<preset>& presets();
/// presets(), then those of the other chips that the drivers know (known_chips.h).
const std::vector<preset>& machines();
std::vector<std::string> machine_names();
/// Null for an unknown name.
const preset* find_machine(const std::string& name);

} // namespace isbesim::testbench

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
/// Null for an unknown name.
const preset* find_machine(const std::string& name);

} // namespace isbesim::testbench

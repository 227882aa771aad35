// The machines that ship: testbench/machines/*.json, compiled in so that --config NAME needs no path.
#pragma once

#include <string>
#include <vector>

namespace isbesim::testbench {

struct shipped_machine {
    const char* name;
    const char* json;
};

/// By name.
const std::vector<shipped_machine>& shipped_machines();
/// Null when there is none of this name.
const shipped_machine* find_machine(const std::string& name);

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
#include "testbench/system/presets.h"

namespace isbesim::testbench {

const std::vector<preset>& presets()
{
    static const std::vector<preset> machines = {
#include "testbench/machines.inc" // written by testbench/CMakeLists.txt
    };
    return machines;
}

const preset* find_machine(const std::string& name)
{
    for (const auto& machine : presets()) {
        if (name == machine.name) return &machine;
    }
    return nullptr;
}

} // namespace isbesim::testbench

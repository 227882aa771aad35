#include "testbench/system/machines.h"

namespace isbesim::testbench {

const std::vector<shipped_machine>& shipped_machines()
{
    static const std::vector<shipped_machine> machines = {
#include "testbench/machines.inc" // written by testbench/CMakeLists.txt
    };
    return machines;
}

const shipped_machine* find_machine(const std::string& name)
{
    for (const auto& machine : shipped_machines()) {
        if (name == machine.name) return &machine;
    }
    return nullptr;
}

} // namespace isbesim::testbench

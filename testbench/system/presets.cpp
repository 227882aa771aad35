// SPDX-License-Identifier: Apache-2.0
#include "testbench/system/presets.h"

#include <list>

#include "testbench/system/known_chips.h"

namespace isbesim::testbench {

const std::vector<preset>& presets()
{
    static const std::vector<preset> machines = {
#include "testbench/machines.inc" // written by testbench/CMakeLists.txt
    };
    return machines;
}

const std::vector<preset>& machines()
{
    static std::list<std::string> texts; // which `all` names
    static const std::vector<preset> all = [] {
        auto result = presets();
        const auto kept = [](std::string text) { return texts.emplace_back(std::move(text)).c_str(); };
        for (const auto& chip : known_chips()) {
            result.push_back({chip.name, kept(machine_of(chip, false))});
            result.push_back({kept(std::string(chip.name) + "_chip"), kept(machine_of(chip, true))});
        }
        return result;
    }();
    return all;
}

std::vector<std::string> machine_names()
{
    std::vector<std::string> names;
    for (const auto& machine : machines()) names.emplace_back(machine.name);
    return names;
}

const preset* find_machine(const std::string& name)
{
    for (const auto list : {&presets, &machines}) // those of other chips are made only for a run of one
        for (const auto& machine : list())
            if (name == machine.name) return &machine;
    return nullptr;
}

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
// Tables with a `name` in each row, from which a scenario file chooses.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace isbesim::testbench {

template <typename Value>
struct named {
    const char* name;
    Value value;
};

template <typename Table>
std::vector<std::string> names_of(const Table& table)
{
    std::vector<std::string> names;
    for (const auto& entry : table) names.emplace_back(entry.name);
    return names;
}

template <typename Table>
const auto* find_name(const Table& table, std::string_view name)
{
    const auto found = std::find_if(std::begin(table), std::end(table), [&](const auto& e) { return name == e.name; });
    return found == std::end(table) ? nullptr : &*found;
}

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
// The conditions that sections 4 to 6 of the micro-architecture page distinguish; an operation meets each or does not.
#pragma once

#include <array>
#include <bitset>
#include <string>

namespace isbesim::testbench {

/// Conditions of a lane, a component or the whole operation.
enum class condition : unsigned {
#define SECTION(number)
#define CONDITION(name) name,
#include "testbench/crosscheck/page/conditions.inc"
#undef CONDITION
};

/// As spelled in the names of bins.
inline constexpr std::array condition_names{
#define CONDITION(name) #name,
#include "testbench/crosscheck/page/conditions.inc"
#undef CONDITION
};
inline constexpr unsigned condition_count = condition_names.size();

#undef SECTION

/// The section of the page that has the condition of this name: "4.1".
const char* section_of_condition(const std::string& name);

using condition_set = std::bitset<condition_count>;

inline void meet(condition_set& set, condition c, bool is_met = true)
{
    if (is_met) set.set(static_cast<unsigned>(c));
}

inline const char* name_of(condition c)
{
    return condition_names[static_cast<unsigned>(c)];
}

} // namespace isbesim::testbench

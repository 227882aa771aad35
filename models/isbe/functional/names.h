// SPDX-License-Identifier: Apache-2.0
// Names of opcodes, stages, spaces, regions and address forms as reports, scenarios and coverage bins spell them: one
// list, indexed by the enum's value.
#pragma once

#include <array>
#include <cstddef>

#include "models/isbe/functional/context.h"
#include "tlm/operation_table.h"

namespace isbesim {

inline constexpr auto opcode_names = [] {
    std::array<const char*, opcode_count> names{};
    for (const auto& row : operation_rows) names[static_cast<unsigned>(row.op)] = row.name;
    return names;
}();
inline constexpr std::array<const char*, stage_count> stage_names{"none", "vertex_a", "vertex", "tess_init",
                                                                  "tess", "geometry", "task",   "mesh"};
inline constexpr std::array<const char*, space_count> space_names{"input", "output"};
inline constexpr std::array<const char*, region_count> region_names{"map", "patch", "prim", "attr", "physical"};
inline constexpr std::array<const char*, form_count> form_names{"logical", "patch", "phys"};

namespace detail {
template <std::size_t count>
constexpr bool all_named(const std::array<const char*, count>& names)
{
    for (const char* name : names)
        if (name == nullptr) return false;
    return true;
}
} // namespace detail
static_assert(detail::all_named(stage_names) && detail::all_named(space_names) && detail::all_named(region_names) &&
              detail::all_named(form_names));

constexpr const char* name_of(stage s)
{
    return stage_names[static_cast<unsigned>(s)];
}

} // namespace isbesim

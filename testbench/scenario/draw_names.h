// SPDX-License-Identifier: Apache-2.0
// The words of a scenario's "draw".
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "models/isbe/functional/names.h"
#include "models/pe/front_end/draw.h"
#include "tlm/enum_table.h"

namespace isbesim::testbench {

/// A row of a table from which a scenario file chooses by name.
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

inline constexpr auto topology_names = enum_names<topology::mesh>(
    "points", "lines", "line_strip", "line_loop", "triangles", "triangle_strip", "triangle_fan", "lines_adjacency",
    "line_strip_adjacency", "triangles_adjacency", "triangle_strip_adjacency", "patches", "mesh");
inline const char* name_of(topology which)
{
    return topology_names[static_cast<std::size_t>(which)];
}

/// Mesh primitives are lists; the names of the same kinds in headers are accepted, too.
inline constexpr named<mesh_output> mesh_output_names[] = {{"points", mesh_output::points},
                                                           {"lines", mesh_output::lines},
                                                           {"triangles", mesh_output::triangles},
                                                           {"line_strip", mesh_output::lines},
                                                           {"triangle_strip", mesh_output::triangles}};

/// The name of a value of the table.
template <typename Table, typename Value>
const char* name_of_value(const Table& table, Value value)
{
    for (const auto& each : table)
        if (each.value == value) return each.name;
    return "";
}

/// The keys of "stages", with the shader types of the stages' headers.
struct stage_key {
    const char* name;
    isbesim::stage stage;
    isbesim::shader_type type;
};
inline constexpr stage_key stage_keys[] = {
    {name_of(stage::vertex_a), stage::vertex_a, shader_type::vertex},
    {name_of(stage::vertex), stage::vertex, shader_type::vertex},
    {name_of(stage::geometry), stage::geometry, shader_type::geometry},
    {name_of(stage::tess_init), stage::tess_init, shader_type::tess_init},
    {name_of(stage::tess), stage::tess, shader_type::tess},
    {name_of(stage::task), stage::task, shader_type::vertex},
    {name_of(stage::mesh), stage::mesh, shader_type::vertex},
};

} // namespace isbesim::testbench

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

namespace isbesim::testbench {

// Tables with a `name` in each row, from which a scenario file chooses.

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

inline constexpr named<topology> topology_names[] = {
    {"points", topology::points},
    {"lines", topology::lines},
    {"line_strip", topology::line_strip},
    {"line_loop", topology::line_loop},
    {"triangles", topology::triangles},
    {"triangle_strip", topology::triangle_strip},
    {"triangle_fan", topology::triangle_fan},
    {"lines_adjacency", topology::lines_adjacency},
    {"line_strip_adjacency", topology::line_strip_adjacency},
    {"triangles_adjacency", topology::triangles_adjacency},
    {"triangle_strip_adjacency", topology::triangle_strip_adjacency},
    {"patches", topology::patches},
    {"mesh", topology::mesh},
};
inline constexpr named<geometry_mode> geometry_mode_names[] = {{"any", geometry_mode::any},
                                                               {"fast", geometry_mode::fast}};
inline constexpr named<bool> face_names[] = {{"ccw", false}, {"cw", true}};
inline constexpr named<unsigned> cull_face_names[] = {{"none", 0}, {"front", 1}, {"back", 2}, {"both", 3}};
inline constexpr named<tess_domain> tess_domain_names[] = {
    {"isolines", tess_domain::isolines}, {"triangles", tess_domain::triangles}, {"quads", tess_domain::quads}};
inline constexpr named<tess_spacing> tess_spacing_names[] = {{"equal", tess_spacing::equal},
                                                             {"fractional_odd", tess_spacing::fractional_odd},
                                                             {"fractional_even", tess_spacing::fractional_even}};
inline constexpr named<tess_output> tess_output_names[] = {{"points", tess_output::points},
                                                           {"lines", tess_output::lines},
                                                           {"triangles_cw", tess_output::triangles_cw},
                                                           {"triangles_ccw", tess_output::triangles_ccw}};
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

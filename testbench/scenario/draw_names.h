// SPDX-License-Identifier: Apache-2.0
// The words of a scenario's "draw".
#pragma once

#include "models/pe/front_end/draw.h"
#include "testbench/scenario/named_table.h"

namespace isbesim::testbench {

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

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "testbench/scenario/scenario_forms.h"
#include "testbench/scenario/scenario_reader.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

template <std::size_t Count>
void read_levels(const scenario_reader& in, const json::value* value, const std::string& what,
                 std::array<float, Count>& levels)
{
    if (value == nullptr) return;
    const auto& list = in.document.array(*value, what);
    if (list.size() != Count) {
        in.document.fail(*value,
                         what + " has " + std::to_string(list.size()) + " levels, expected " + std::to_string(Count));
    }
    for (std::size_t i = 0; i < Count; ++i)
        levels[i] = static_cast<float>(in.document.real(list[i], "a tessellation level", -most_real, most_real));
}

void read_tessellation(scenario_reader& in, const json::value& value)
{
    const std::string what = "tessellation";
    in.document.only_keys(value, what, tessellation_form().names());
    auto& state = in.result.draw.tessellation;
    tessellation_form().read(in.document, value, what, in.result.draw);
    const auto& output = in.document.member(value, "output", what);
    const auto isolines = state.domain == tess_domain::isolines;
    if (state.output != tess_output::points && (state.output == tess_output::lines) != isolines) {
        in.document.fail(output, isolines ? "output of the domain isolines is triangles, expected lines or points"
                                          : "output is lines outside the domain isolines, expected triangles_cw, "
                                            "triangles_ccw or points");
    }
    read_levels(in, json_document::find(value, "default_outer"), "default_outer", state.defaults.outer);
    read_levels(in, json_document::find(value, "default_inner"), "default_inner", state.defaults.inner);
}

void check_pairing(const scenario_reader& in, const json::value& topology, bool is_mesh, bool has_mesh)
{
    if (is_mesh == has_mesh) return;
    in.document.fail(topology, "topology is '" + in.document.text(topology, "topology") + "' " +
                                   (has_mesh ? "with" : "without") + " stage 'mesh', expected " +
                                   (has_mesh ? "topology mesh with it" : "both or none"));
}

void refuse_mesh_keys(const scenario_reader& in, const json::value& value)
{
    const auto here = draw_form().names();
    for (const auto key : mesh_draw_form().names()) {
        if (json_document::find(value, key) != nullptr && std::find(here.begin(), here.end(), key) == here.end()) {
            in.document.fail_key(value, key,
                                 "'" + std::string(key) + "' without topology mesh, expected a draw without it");
        }
    }
}

/// "patch_vertices" and "tessellation", which belong to the topology patches and the stage tess.
void read_patches(scenario_reader& in, const json::value& value, const json::value& topology)
{
    const auto& draw = in.result.draw;
    const auto name = in.document.text(topology, "topology");
    const bool are_patches = draw.topology == topology::patches;
    if (!are_patches) in.warn_unused(value, "patch_vertices", "the topology is " + name + ", not patches");
    const bool has_tess = draw.stages.count(stage::tess) != 0;
    if (are_patches != has_tess) {
        in.document.fail(topology, has_tess ? "topology is '" + name + "', expected patches with stage 'tess'"
                                            : "topology is patches, expected stage 'tess' with it");
    }
    if (const auto* tessellation = json_document::find(value, "tessellation"); tessellation != nullptr) {
        if (!has_tess) {
            in.document.fail_key(value, "tessellation", "'tessellation' without stage 'tess', expected both or none");
        }
        read_tessellation(in, *tessellation);
    } else if (has_tess) {
        in.document.fail(value, "draw has no 'tessellation', expected one with stage 'tess'");
    }
}

/// The indices, and what the number of vertices follows from.
void read_range(scenario_reader& in, const json::value& value)
{
    auto& draw = in.result.draw;
    if (draw.gs_mode == geometry_mode::fast && draw.stages.count(stage::geometry) == 0)
        in.document.fail(*json_document::find(value, "gs_mode"),
                         "gs_mode is fast without stage 'geometry', expected both or none");
    const auto* indices = json_document::find(value, "indices");
    draw.indexed = indices != nullptr && !indices->is_null();
    if (!draw.indexed) {
        for (const auto* key : {"restart_index", "index_bytes"}) in.warn_unused(value, key, "the draw has no indices");
    } else {
        for (const auto& index : in.document.array(*indices, "indices"))
            draw.indices.push_back(static_cast<std::uint32_t>(in.document.integer(index, "an index", 0, most_word)));
    }
    if (json_document::find(value, "vertex_count") != nullptr) return;
    if (!draw.indexed) in.document.fail(value, "draw has no 'vertex_count', expected one (or 'indices')");
    draw.vertex_count = draw.indices.size() - std::min<std::uint64_t>(draw.first_vertex, draw.indices.size());
}

/// Each draw adds a base to its indices, so that they fit if those of no draw are too far from each other.
void check_index_size(scenario_reader& in, const json::value& value)
{
    const auto& draw = in.result.draw;
    if (!draw.indexed || draw.index_bytes == 0 || draw.index_bytes == draw_call::whole_index) return;
    const auto most = (std::uint64_t{1} << 8 * draw.index_bytes) - 1;
    const auto each = draw.vertices_per_draw == 0 ? draw.vertex_count : draw.vertices_per_draw;
    std::uint32_t low = 0, high = 0;
    bool first = true;
    for (std::uint64_t i = 0; i < draw.vertex_count; ++i) {
        if (i % each == 0) first = true;
        const auto index = draw.indices[draw.first_vertex + i];
        if (index == draw.restart_index) continue;
        low = first ? index : std::min(low, index);
        high = first ? index : std::max(high, index);
        first = false;
        if (high - low > most)
            in.document.fail_key(value, "index_bytes",
                                 "the indices of a draw are up to " + std::to_string(high - low) +
                                     " apart, expected at most " + std::to_string(most) + " with index_bytes " +
                                     std::to_string(draw.index_bytes));
    }
}

void check_range(scenario_reader& in, const json::value& value)
{
    const auto& draw = in.result.draw;
    if (draw.vertex_count * std::max(1U, draw.instance_count) > max_draw_vertices) {
        in.document.fail_key(value, "instance_count",
                             "vertex_count * instance_count is " +
                                 std::to_string(draw.vertex_count * draw.instance_count) + ", expected at most " +
                                 std::to_string(max_draw_vertices));
    }
    if (draw.draws() > 1 && draw.instance_count > 1)
        in.document.fail_key(value, "vertices_per_draw",
                             "vertices_per_draw makes " + std::to_string(draw.draws()) + " draws of " +
                                 std::to_string(draw.instance_count) + " instances, expected one instance or one draw");
    if (draw.vertex_count == 0 || draw.instance_count == 0)
        in.warn("nothing_drawn", in.document.place_of(value),
                draw.vertex_count == 0 ? "the draw has no vertices" : "the draw has no instances");
    if (draw.indexed && draw.first_vertex + draw.vertex_count > draw.indices.size()) {
        in.document.fail(*json_document::find(value, "indices"),
                         "the draw takes " + std::to_string(draw.vertex_count) + " indices from " +
                             std::to_string(draw.first_vertex) + " on but there are " +
                             std::to_string(draw.indices.size()) + ", expected " +
                             std::to_string(draw.first_vertex + draw.vertex_count));
    }
    check_index_size(in, value);
}

} // namespace

void read_draw(scenario_reader& in, const json::value& value)
{
    auto known_keys = draw_form().names();
    for (const auto key : mesh_draw_form().names()) known_keys.push_back(key);
    in.document.only_keys(value, "draw", known_keys);
    auto& draw = in.result.draw;
    const auto& topology = in.document.member(value, "topology", "draw");
    draw_form().read_key(in.document, value, "topology", draw);
    const bool has_mesh = draw.stages.count(stage::mesh) != 0;
    check_pairing(in, topology, draw.topology == topology::mesh, has_mesh);
    if (has_mesh) {
        read_mesh_draw(in, value, draw);
        if (draw.vertex_count == 0) in.warn("nothing_drawn", in.document.place_of(value), "the draw has no workgroups");
        return;
    }
    refuse_mesh_keys(in, value);
    draw_form().read(in.document, value, "draw", draw);
    read_patches(in, value, topology);
    read_range(in, value);
    check_range(in, value);
}

} // namespace isbesim::testbench

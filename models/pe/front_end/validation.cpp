// SPDX-License-Identifier: Apache-2.0
#include "models/pe/front_end/validation.h"

#include <algorithm>
#include <string>

#include "models/isbe/functional/names.h"
#include "tlm/hex.h"

namespace isbesim {

namespace {

/// Ids are 32 bits wide.
constexpr std::uint64_t id_limit = std::uint64_t{1} << 32;
/// Bytes per thread; the fields of the header allow 32 MiB, but no Maxwell or Turing part has more than this.
constexpr std::uint64_t local_memory_limit = 512 * 1024;
constexpr unsigned mapped_bytes = mapped_attribute_ids * 4;

void require(bool condition, const char* text)
{
    if (!condition) throw draw_error(text);
}

/// `text` is called only on failure: building a message takes longer than a check.
template <typename Text>
auto require(bool condition, Text&& text) -> decltype(void(text()))
{
    if (!condition) throw draw_error(text());
}

shader_type type_of(stage which, const draw_call& draw)
{
    switch (which) {
    case stage::mesh:
        return draw.stages.count(stage::task) != 0 ? shader_type::tess : shader_type::vertex;
    case stage::tess_init:
        return shader_type::tess_init;
    case stage::tess:
        return shader_type::tess;
    case stage::geometry:
        return shader_type::geometry;
    default:
        return shader_type::vertex;
    }
}

void check_stages(const draw_call& draw)
{
    const auto mesh = draw.topology == topology::mesh;
    require(mesh || draw.stages.count(stage::vertex) != 0, "the draw has no vertex stage");
    require(!mesh || draw.stages.count(stage::mesh) != 0, "topology mesh needs a mesh stage");
    for (const auto& [each, program] : draw.stages) {
        const auto which = each;
        const auto& header = program.header;
        const auto check = [&](bool condition, const auto& text) {
            require(condition, [&] { return std::string("stage ") + name_of(which) + ": " + text(); });
        };
        check(mesh == (which == stage::task || which == stage::mesh), [&] {
            return mesh ? "expected only task and mesh with topology mesh" : "expected topology mesh with it";
        });
        const auto expected = type_of(which, draw);
        check(accepts_header_type(which, expected, header.shader_type), [&] {
            return "the header is for another stage: ShaderType " +
                   std::to_string(static_cast<unsigned>(header.shader_type)) + ", expected " +
                   std::to_string(static_cast<unsigned>(expected));
        });
        const auto no_code = program.program.code.empty();
        check(!no_code || (which == stage::geometry && header.geometry_passthrough),
              [] { return "the program is empty, expected at least an EXIT"; });
        check(no_code || program.program.arch == draw.arch,
              [] { return "the program is of another architecture than the draw"; });
        const auto local = std::uint64_t{header.local_memory_low_size} + header.local_memory_high_size;
        check(local <= local_memory_limit, [&] {
            return "the header asks for " + std::to_string(local) + " bytes of local memory per thread, at most " +
                   std::to_string(local_memory_limit) + " exist";
        });
    }
}

void check_geometry(const draw_call& draw)
{
    const auto geometry = draw.stages.find(stage::geometry);
    require(draw.gs_mode == geometry_mode::any || geometry != draw.stages.end(),
            "gs_mode fast: the draw has no geometry stage");
    if (geometry == draw.stages.end()) return;
    const auto& header = geometry->second.header;
    const auto found = [&] {
        return "stage geometry: OutputTopology " + std::to_string(static_cast<unsigned>(header.output_topology));
    };
    if (!is_fast_geometry(draw))
        require(vertices_per_output_primitive(header.output_topology) != 0,
                [&] { return found() + ", expected 1 (points), 6 (line strip) or 7 (triangle strip)"; });
    else if (!header.geometry_passthrough)
        require(header.output_topology == output_topology::points,
                [&] { return found() + " with gs_mode fast, expected 1 (points): a thread leaves one vertex"; });
    require(header.max_output_vertex_count <= 1024, [&] {
        return "stage geometry: MaxOutputVertexCount " + std::to_string(header.max_output_vertex_count) +
               ", expected at most 1024";
    });
    require(header.threads_per_input_primitive <= 32, [&] {
        return "stage geometry: ThreadsPerInputPrimitive " + std::to_string(header.threads_per_input_primitive) +
               ", expected at most 32";
    });
}

void check_tessellation(const draw_call& draw)
{
    const auto has = [&](stage which) { return draw.stages.count(which) != 0; };
    require(!has(stage::tess_init) || has(stage::tess),
            "stage tess_init: the draw has no tess stage, expected one after it");
    require((draw.topology == topology::patches) == has(stage::tess),
            has(stage::tess) ? "stage tess: expected topology patches" : "topology patches needs a tess stage");
    if (!has(stage::tess)) return;
    require(draw.patch_vertices >= 1 && draw.patch_vertices <= 32,
            [&] { return "patch_vertices " + std::to_string(draw.patch_vertices) + ", expected 1 to 32"; });
    if (has(stage::tess_init)) {
        const auto threads = draw.stages.at(stage::tess_init).header.threads_per_input_primitive;
        require(threads <= 32, [&] {
            return "stage tess_init: ThreadsPerInputPrimitive " + std::to_string(threads) + ", expected at most 32";
        });
    }
    const auto& state = draw.tessellation;
    const auto lines = state.domain == tess_domain::isolines;
    require(state.output == tess_output::points || (state.output == tess_output::lines) == lines,
            lines ? "tessellation: the isolines domain yields lines or points, expected output \"lines\" or \"points\""
                  : "tessellation: only the isolines domain yields lines, expected output \"triangles_cw\", "
                    "\"triangles_ccw\" or \"points\"");
}

void check_topology(const draw_call& draw)
{
    require(draw.first_vertex < id_limit && draw.vertex_count <= id_limit - draw.first_vertex,
            "first_vertex + vertex_count is above 2^32, vertex ids have 32 bits");
    require(!draw.indexed || draw.first_vertex + draw.vertex_count <= draw.indices.size(), [&] {
        return "the draw reads " + std::to_string(draw.first_vertex + draw.vertex_count) + " indices, the list has " +
               std::to_string(draw.indices.size());
    });
    require(draw.draws() <= 1 || draw.instance_count <= 1, [&] {
        return "vertices_per_draw with " + std::to_string(draw.instance_count) +
               " instances, expected at most one instance or one draw";
    });
}

/// One more than the largest vertex id that the draw fetches.
std::uint64_t vertex_limit(const draw_call& draw)
{
    if (draw.instance_count == 0 || draw.vertex_count == 0) return 0;
    if (!draw.indexed) return draw.first_vertex + draw.vertex_count;
    std::uint64_t limit = 0;
    for (auto i = draw.first_vertex; i < draw.first_vertex + draw.vertex_count; ++i) {
        const auto id = draw.indices[i];
        if (!draw.restart_index || id != *draw.restart_index) limit = std::max(limit, std::uint64_t{id} + 1);
    }
    return limit;
}

void check_attribute(const draw_call& draw, unsigned address, const attribute_source& source, std::uint64_t vertices)
{
    const auto check = [&](bool holds, const auto& text) {
        require(holds, [&] { return "attribute " + hex(address) + ": " + text(); });
    };
    const auto components = [&] { return std::to_string(source.components); };
    check(address % 4 == 0, [] { return "the address is not a multiple of 4"; });
    check(source.components >= 1 && source.components <= 4,
          [&] { return components() + " components, expected 1 to 4"; });
    check(address < mapped_bytes && address + 4 * source.components <= mapped_bytes,
          [] { return "no vertex input there, expected an address below " + hex(mapped_bytes); });
    check(source.words.size() % source.components == 0, [&] {
        return std::to_string(source.words.size()) + " words are not whole elements of " + components() + " components";
    });
    const auto needed = source.per_instance ? (vertices == 0 ? 0 : draw.instance_count) : vertices;
    const auto elements = source.words.size() / source.components;
    if (source.repeat)
        check(elements != 0 || needed == 0, [] { return "no data to repeat"; });
    else
        check(elements >= needed, [&] {
            return "data for " + std::to_string(elements) + (source.per_instance ? " instances" : " vertices") +
                   ", the draw needs " + std::to_string(needed) + " (\"repeat\": true starts over)";
        });
}

void check_attributes(const draw_call& draw)
{
    const auto vertices = vertex_limit(draw);
    for (const auto& each : draw.attributes) check_attribute(draw, each.first, each.second, vertices);
}

void check_capture(const draw_call& draw)
{
    for (const auto& columns : draw.capture)
        for (const auto address : columns)
            if (address % 4 != 0 || address >= mapped_bytes)
                throw draw_error("capture " + hex(address) + ": expected a multiple of 4 below " + hex(mapped_bytes));
}

void check_field(const char* field, unsigned value, unsigned low, unsigned high)
{
    require(value >= low && value <= high, [&] {
        return std::string(field) + " is " + std::to_string(value) + ", expected " + std::to_string(low) + " to " +
               std::to_string(high);
    });
}

void check_task(const task_settings& task)
{
    check_field("task.threads", task.threads, 1, most_workgroup_threads);
    // The first line holds the grid.
    check_field("task.local_lines", task.local_lines, 1, most_workgroup_lines);
    check_field("task.output_lines", task.output_lines, 1, task.local_lines);
}

void check_mesh(const mesh_settings& mesh)
{
    check_field("mesh.threads", mesh.threads, 1, most_workgroup_threads);
    check_field("mesh.max_vertices", mesh.max_vertices, 1, most_mesh_vertices);
    check_field("mesh.max_primitives", mesh.max_primitives, 1, most_mesh_primitives);
    check_field("mesh.shared_lines", mesh.shared_lines, 0, most_workgroup_lines);
    attribute_set seen;
    for (const auto address : mesh.per_primitive) {
        require(address % 4 == 0 && address < mapped_bytes, [&, at = address] {
            return "mesh.per_primitive " + hex(at) + ": expected a multiple of 4 below " + hex(mapped_bytes);
        });
        require(!seen.contains(address / 4),
                [&, at = address] { return "mesh.per_primitive names " + hex(at) + " twice"; });
        seen.insert(address / 4);
    }
}

void check_mesh_draw(const draw_call& draw)
{
    require(draw.arch != isa::architecture::sm50, "topology mesh: mesh programs exist from sm75 on");
    if (draw.stages.count(stage::task) != 0) check_task(draw.task);
    check_mesh(draw.mesh);
    require(draw.attributes.empty(), "topology mesh: a mesh draw has no vertex attributes");
    require(!draw.indexed && draw.first_vertex == 0 && draw.instance_count <= 1,
            "topology mesh: expected no indices, first_vertex 0 and one instance");
    require(draw.vertex_count <= id_limit, "the draw has more than 2^32 workgroups, their ids have 32 bits");
}

} // namespace

bool accepts_header_type(stage which, shader_type expected, shader_type type)
{
    return type == expected ||
           (which == stage::mesh && expected == shader_type::tess && type == shader_type::tess_init);
}

void validate_draw(const draw_call& draw)
{
    check_stages(draw);
    if (draw.topology == topology::mesh) {
        check_mesh_draw(draw);
        check_capture(draw);
        return;
    }
    check_geometry(draw);
    check_tessellation(draw);
    check_topology(draw);
    check_attributes(draw);
    check_capture(draw);
}

bool is_fast_geometry(const draw_call& draw)
{
    const auto geometry = draw.stages.find(stage::geometry);
    return geometry != draw.stages.end() &&
           (draw.gs_mode == geometry_mode::fast || geometry->second.header.geometry_passthrough);
}

std::vector<std::string> warnings_of_draw(const draw_call& draw)
{
    std::vector<std::string> warnings;
    for (const auto& [which, program] : draw.stages)
        for (const auto& text : warnings_of_header(program.header))
            warnings.push_back(std::string(name_of(which)) + ": " + text);
    const auto tess_init = draw.stages.find(stage::tess_init);
    if (tess_init != draw.stages.end())
        for (const auto& text : warnings_of_patch_size(tess_init->second.header, draw.stages.at(stage::tess).header))
            warnings.push_back(text);

    for (const auto& [which, program] : draw.stages)
        if (program.header.shared_spaces && program.program.code.empty())
            warnings.push_back(std::string(name_of(which)) +
                               ": header bit 25 (shared spaces) is ignored, there is no program");

    if (!is_fast_geometry(draw)) return warnings;
    const auto& geometry = draw.stages.at(stage::geometry).header;
    if (geometry.max_output_vertex_count != 1)
        warnings.push_back("geometry: MaxOutputVertexCount " + std::to_string(geometry.max_output_vertex_count) +
                           " is ignored, a fast geometry thread outputs one vertex");
    if (geometry.geometry_passthrough && (geometry.stream_out_mask & 1U) == 0)
        warnings.emplace_back("geometry: StreamOutMask is ignored, passed-through primitives go to stream 0");
    return warnings;
}

} // namespace isbesim

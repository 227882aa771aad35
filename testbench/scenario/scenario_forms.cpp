// SPDX-License-Identifier: Apache-2.0
#include "testbench/scenario/scenario_forms.h"

#include <tuple>

#include "models/isa/execution/executor.h"
#include "models/pe/front_end/mesh.h"
#include "testbench/files/header_fields.h"
#include "testbench/files/program_file.h"
#include "testbench/scenario/draw_names.h"
#include "testbench/scenario/memory_image.h"
#include "testbench/scenario/scenario.h"
#include "testbench/scenario/scenario_reader.h"
#include "testbench/scenario/texture_tables.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

std::string attribute_pattern()
{
    return "^" + std::string(mapped_attribute_pattern) + "$";
}

json::object addresses()
{
    return form::list(form::text(attribute_pattern()));
}

json::object memory_address()
{
    return form::either({form::text("^0x[0-9a-fA-F]{1,16}$"), form::integer(0, ~std::uint64_t{0})});
}

json::object constant_banks_form()
{
    std::string numbers;
    for (std::size_t i = 0; i < std::tuple_size_v<isa::constant_banks>; ++i)
        numbers += (i == 0 ? "" : "|") + std::to_string(i);
    // Multiples of 4 below 64 KiB.
    return form::map("^(" + numbers + ")$", form::map("^0[xX]0{0,4}[0-9a-fA-F]{0,3}[048cC]$", form::words()));
}

} // namespace

const object_form& scenario_form()
{
    static const object_form keys({
        schema_key(),
        {"description", form::text(), "For people."},
        {"arch", form::one_of(architecture_names()), "Of all programs.", true},
        {"stages", form::reference("stages"), "Programs and headers.", true},
        {"draw", form::reference("any_draw"), "The draw call.", true},
        {"attributes", form::map(attribute_pattern(), form::reference("attribute")),
         "Vertex inputs by attribute address."},
        {"constants", form::reference("constants"), "Words of the constant banks, by bank and byte offset."},
        {"stage_constants", form::reference("stage_constants"), "The same for single stages, instead of constants."},
        {"uniforms", form::map(".", form::reference("uniform")),
         "What shaders read by name, with type and places; each value replaces the constants or the memory there."},
        {"capture", form::or_null(form::either({addresses(), form::reference("capture")})),
         "Attributes to stream out; default: what the last stage's header says it writes."},
        {"expect", form::text(), "CSV that the vertices are compared with."},
        {"expect_ulp", form::integer(0, 0x7fffff), "Units in the last place that float words may differ (default 0)."},
        {"expect_tolerance", form::real(0, most_real), "T allows |a-b| <= T*max(1,|b|) (default 0)."},
        {"expect_order", form::one_of({"exact", "set"}),
         "set: primitives in any order, each up to rotation (default exact)."},
        {"library", form::reference("library"), "The driver's routines, for calls to absolute addresses."},
        {"memory", form::list(form::reference("memory")), "Buffers of global memory."},
        {"expect_memory", form::list(form::reference("expect_memory")), "Bytes that must be there in the end."},
        {"textures", form::reference("textures"), "Tables of texture headers and samplers."},
        {"windows", form::reference("windows"), "Where generic addresses mean local and shared memory."},
    });
    return keys;
}

const object_form& stages_form()
{
    static const object_form keys([] {
        std::vector<form_key> list;
        for (const auto& each : stage_keys)
            list.push_back({each.name, form::reference("stage"), "Program and header of this stage."});
        return list;
    }());
    return keys;
}

const object_form& stage_form()
{
    static const object_form keys({
        {"code", form::text(), "Program: .bin, little-endian words with control words, or .sass, text."},
        {"sph", form::either({form::text(), form::words(), form::reference("header")}),
         "Header: a file of 80 (sm50) or 128 bytes, its words, or its fields by name.", true},
        {"lines", form::text(),
         "Listing of the program with source lines, for --profile: //## File \"NAME\", line N before /*0008*/ ..., as "
         "nvdisasm -g prints it."},
    });
    return keys;
}

namespace {

using member::choice;
using member::flag;
using member::integer;
using draw_row = draw_part_form::row;

/// Adds the keys of both kinds of draws.
std::vector<draw_row> with_culling(std::vector<draw_row> keys)
{
    constexpr auto cull = &draw_call::cull;
    auto faces = choice<&draw_call::patch_vertices>("cull_face", {"none", "front", "back", "both"},
                                                    "Triangles that a rasteriser drops (default none).");
    faces.get = [](const draw_call& draw) { return (draw.cull.front ? 1.0 : 0.0) + (draw.cull.back ? 2.0 : 0.0); };
    faces.set = [](draw_call& draw, double value) {
        draw.cull.front = value == 1 || value == 3;
        draw.cull.back = value >= 2;
    };
    keys.insert(keys.end(), {faces,
                             choice<cull, &cull_settings::clockwise_is_front>(
                                 "front_face", {"ccw", "cw"}, "The front of a triangle, seen with y up (default ccw)."),
                             flag<cull, &cull_settings::depth_from_zero>(
                                 "depth_from_zero", "The near plane is z = 0, not z = -w (default false).")});
    return keys;
}

template <stage Stage>
described_key<draw_call> shared_bytes_key()
{
    auto key = integer<&draw_call::patch_vertices>("shared_bytes", 0, most_shared_bytes,
                                                   "Shared memory of a workgroup, which LDS reaches.");
    key.get = [](const draw_call& draw) {
        const auto found = draw.stages.find(Stage);
        return found == draw.stages.end() ? 0.0 : found->second.shared_bytes;
    };
    key.set = [](draw_call& draw, double value) {
        if (const auto found = draw.stages.find(Stage); found != draw.stages.end())
            found->second.shared_bytes = static_cast<unsigned>(value);
    };
    return key;
}

} // namespace

const draw_part_form& draw_form()
{
    using d = draw_call;
    static const draw_part_form keys(with_culling({
        {choice<&d::topology>("topology", {std::begin(topology_names), std::end(topology_names)},
                              "How vertices make primitives."),
         true},
        integer<&d::vertex_count>("vertex_count", 0, max_draw_vertices, "Vertices, or indices, per instance."),
        integer<&d::first_vertex>("first_vertex", 0, most_word, "The first of them (default 0)."),
        integer<&d::instance_count>("instance_count", 0, max_draw_vertices, "Instances (default 1)."),
        integer<&d::vertices_per_draw>(
            "vertices_per_draw", 0, max_draw_vertices,
            "The vertices are those of consecutive draws of so many each (default 0: of one draw)."),
        integer<&d::record_bytes>("record_bytes", 0, 65536,
                                  "Bytes from the record of an indirect draw to the next (default 0: direct draws)."),
        form_key{"indices", form::or_null(form::list(form::integer(0, most_word))), "Makes the draw an indexed one."},
        integer<&d::index_bytes>(
            "index_bytes", 0, d::whole_index,
            "Bytes of an index in memory, for its time: 1, 2, 4 (default), or 0, no memory holds them.",
            {"0", "1", "2", "4"}),
        integer<&d::restart_index>("restart_index", 0, most_word, "Index that ends a strip."),
        integer<&d::patch_vertices>("patch_vertices", 1, 32, "Control points per patch."),
        form_key{"tessellation", form::reference("tessellation"), "Of topology patches."},
        choice<&d::gs_mode>("gs_mode", {"any", "fast"}, "fast: a geometry thread leaves one vertex."),
    }));
    return keys;
}

const draw_part_form& mesh_draw_form()
{
    static const draw_part_form keys(with_culling({
        form_key{"topology", form::one_of({"mesh"}), "Workgroups make the primitives.", true},
        {integer<&draw_call::vertex_count>("group_count", 0, max_draw_vertices,
                                           "Workgroups of the first stage, one warp each."),
         true},
        form_key{"task", form::reference("task"), "Of a draw with stage task."},
        form_key{"mesh", form::reference("mesh"), "Of the mesh stage."},
        form_key{"methods", form::reference("mesh_methods"), "Sizes of both as a driver writes them."},
    }));
    return keys;
}

const draw_part_form& tessellation_form()
{
    using t = tessellation_state;
    constexpr auto state = &draw_call::tessellation;
    static const draw_part_form keys({
        {choice<state, &t::domain>("domain", {"isolines", "triangles", "quads"}, "What a patch is."), true},
        {choice<state, &t::spacing>("spacing", {"equal", "fractional_odd", "fractional_even"},
                                    "How edges are divided."),
         true},
        {choice<state, &t::output>("output", {"points", "lines", "triangles_cw", "triangles_ccw"},
                                   "What the tessellator makes."),
         true},
        form_key{"default_outer", form::list(form::real(-most_real, most_real), 4),
                 "Levels of a draw without stage tess_init."},
        form_key{"default_inner", form::list(form::real(-most_real, most_real), 2),
                 "Levels of a draw without stage tess_init."},
    });
    return keys;
}

const draw_part_form& task_form()
{
    using t = task_settings;
    constexpr auto task = &draw_call::task;
    static const draw_part_form keys({
        integer<task, &t::threads>("threads", 1, most_workgroup_threads, "Of a workgroup (default 32)."),
        integer<task, &t::local_lines>("local_lines", 1, most_workgroup_lines,
                                       "Shared memory in lines of 128 bytes (default 1)."),
        integer<task, &t::output_lines>("output_lines", 1, most_workgroup_lines,
                                        "How many the mesh stage sees (default 1)."),
        shared_bytes_key<stage::task>(),
    });
    return keys;
}

const draw_part_form& mesh_form()
{
    using m = mesh_settings;
    constexpr auto mesh = &draw_call::mesh;
    static const draw_part_form keys({
        form_key{"output_topology", form::one_of(names_of(mesh_output_names)), "What the indices make."},
        integer<mesh, &m::max_vertices>("max_vertices", 1, most_mesh_vertices, "Of a workgroup."),
        integer<mesh, &m::max_primitives>("max_primitives", 1, most_mesh_primitives, "Of a workgroup."),
        integer<mesh, &m::shared_lines>("shared_lines", 0, most_workgroup_lines,
                                        "128-byte lines behind the attributes (default 0)."),
        shared_bytes_key<stage::mesh>(),
        integer<mesh, &m::threads>("threads", 1, most_workgroup_threads, "Of a workgroup (default 32)."),
        form_key{"per_primitive", form::either({addresses(), per_primitive_form().schema()}),
                 "Attributes that belong to primitives."},
    });
    return keys;
}

const std::map<std::string, described_key<draw_call>>& draw_keys()
{
    static const auto all = [] {
        std::map<std::string, described_key<draw_call>> keys;
        for (const auto& [part, form] : {std::pair{"", &draw_form()},
                                         {"", &mesh_draw_form()},
                                         {"tessellation.", &tessellation_form()},
                                         {"task.", &task_form()},
                                         {"mesh.", &mesh_form()}})
            for (const auto& each : form->rows())
                if (each.member) keys.emplace(std::string(part) + each.name, *each.member);
        return keys;
    }();
    return all;
}

const object_form& mesh_methods_form()
{
    static const object_form keys({
        {"0x1150", form::words(),
         "SET_MESH_SHADER_A: topology, vertices, primitives; further words: the next methods."},
        {"0x1154", form::words(), "SET_MESH_SHADER_B: lines of shared memory, threads."},
        {"0x1158", form::words(), "SET_MESH_INIT_SHADER: threads of the task, lines of its memory, of its output."},
    });
    return keys;
}

const object_form& per_primitive_form()
{
    static const object_form keys({{"sph", form::either({form::text(), form::words(), form::reference("header")}),
                                    "A geometry header that passes its input on; its output map names them.", true}});
    return keys;
}

const described_form<attribute_source>& attribute_form()
{
    using a = attribute_source;
    static const described_form<a> keys({
        integer<&a::components>("components", 1, max_components, "Words per vertex (default 4)."),
        form_key{"words", form::words(), "The words, vertex after vertex."},
        form_key{"file", form::text(), "The same as little-endian words."},
        flag<&a::repeat>("repeat", "Start over when the data is shorter than the draw (default false)."),
        flag<&a::per_instance>("per_instance", "An element per instance, not per vertex (default false)."),
        integer<&a::bytes>("bytes", 1, 16, "Of an element in memory, for its time (default: four for each component)."),
    });
    return keys;
}

const object_form& capture_form()
{
    static const object_form keys([] {
        std::vector<form_key> list;
        for (const auto* stream : {"0", "1", "2", "3"}) list.push_back({stream, addresses(), "Of this stream."});
        return list;
    }());
    return keys;
}

const object_form& memory_form()
{
    static const object_form keys({
        {"address", memory_address(), "Of the first byte.", true},
        {"file", form::text(), "The bytes; 0 behind its end."},
        {"size", form::integer(1, max_buffer_bytes), "Bytes (default: the file's)."},
    });
    return keys;
}

const object_form& expect_memory_form()
{
    static const object_form keys(
        {{"address", memory_address(), "Of the first byte.", true}, {"file", form::text(), "The bytes.", true}});
    return keys;
}

const object_form& library_form()
{
    static const object_form keys({{"address", memory_address(), "Of the first instruction.", true},
                                   {"code", form::text(), "A program as a stage's.", true}});
    return keys;
}

const object_form& texture_table_form()
{
    static const object_form keys({
        {"address", memory_address(), "Of the first entry, of 32 bytes.", true},
        {"count", form::integer(1, most_headers), "Entries that a buffer of memory holds there."},
        {"entries", form::list(form::words()), "Their words, eight each; they become a buffer."},
    });
    return keys;
}

const object_form& textures_form()
{
    static const object_form keys({
        {"headers", form::reference("texture_table"), "Texture headers (TIC).", true},
        {"samplers", form::reference("texture_table"), "Samplers (TSC)."},
        {"handle_bank", form::integer(0, std::tuple_size_v<isa::constant_banks> - 1),
         "Constant bank that SM50's instructions with a number take handles from (default 15)."},
    });
    return keys;
}

const object_form& uniform_form()
{
    static const object_form keys({
        {"type", form::text(), "Its type in GLSL: mat4, ivec2, sampler2D.", true},
        {"count", form::integer(1, max_memory_bytes / 4), "Elements of an array (default 1)."},
        {"array_stride", form::integer(4, max_memory_bytes), "Bytes from an element to the next (default: no gap)."},
        {"matrix_stride", form::integer(4, max_memory_bytes), "Bytes from a column to the next (default: no gap)."},
        {"row_major", form::flag(), "matrix_stride is from a row to the next (default false)."},
        {"places", form::list(form::reference("uniform_place")), "Where its first byte is.", true},
        {"value", form::either({form::list(form::either({{{"type", "number"}}, form::flag()})), form::text()}),
         "Numbers, columns first; an array may end after any element. Of a type without numbers a text: where its data "
         "is."},
    });
    return keys;
}

const object_form& uniform_place_form()
{
    static const object_form keys({
        {"stage", form::text(), "Whose constants hold it."},
        {"bank", form::integer(0, std::tuple_size_v<isa::constant_banks> - 1), "Of its constants."},
        {"offset", memory_address(), "In the bank, in bytes."},
        {"address", memory_address(), "Instead of these three: in a buffer of memory."},
    });
    return keys;
}

const object_form& windows_form()
{
    static const object_form keys({
        {"local", memory_address(), "Of local memory (default 0xff000000), a multiple of 0x1000000."},
        {"shared", memory_address(), "Of shared memory (default 0xfe000000), a multiple of 0x1000000."},
    });
    return keys;
}

json::object scenario_schema()
{
    auto schema = scenario_form().schema();
    auto draw = draw_form().schema();
    draw["anyOf"] = {{{"required", {"vertex_count"}}}, {{"required", {"indices"}}}};
    auto mesh_draw = mesh_draw_form().schema();
    mesh_draw["anyOf"] = {
        {{"required", {"methods"}}},
        {{"required", {"mesh"}},
         {"properties", {{"mesh", {{"required", {"output_topology", "max_vertices", "max_primitives"}}}}}}}};
    auto attribute = attribute_form().schema();
    attribute["oneOf"] = {{{"required", {"words"}}}, {{"required", {"file"}}}};
    auto stages = stages_form().schema();
    stages["anyOf"] = {{{"required", {"vertex"}}}, {{"required", {"mesh"}}}};
    auto stage_constants = stages_form().schema();
    for (auto& entry : stage_constants.at("properties").as_object()) entry.value() = form::reference("constants");
    schema["definitions"] = {
        {"stages", std::move(stages)},
        {"stage", stage_form().schema()},
        {"header", header_form().schema()},
        {"any_draw",
         {{"if", {{"properties", {{"topology", {{"const", "mesh"}}}}}}},
          {"then", form::reference("mesh_draw")},
          {"else", form::reference("draw")}}},
        {"draw", std::move(draw)},
        {"mesh_draw", std::move(mesh_draw)},
        {"tessellation", tessellation_form().schema()},
        {"task", task_form().schema()},
        {"mesh", mesh_form().schema()},
        {"mesh_methods", mesh_methods_form().schema()},
        {"attribute", std::move(attribute)},
        {"constants", constant_banks_form()},
        {"stage_constants", std::move(stage_constants)},
        {"capture", capture_form().schema()},
        {"memory", memory_form().schema()},
        {"expect_memory", expect_memory_form().schema()},
        {"library", library_form().schema()},
        {"textures", textures_form().schema()},
        {"texture_table", texture_table_form().schema()},
        {"windows", windows_form().schema()},
        {"uniform", uniform_form().schema()},
        {"uniform_place", uniform_place_form().schema()},
    };
    return schema;
}

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
#include "testbench/scenario/scenario_forms.h"

#include <algorithm>
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

/// Adds the keys of both kinds of draws.
std::vector<form_key> with_culling(std::vector<form_key> keys)
{
    keys.insert(
        keys.end(),
        {
            {"cull_face", form::one_of(names_of(cull_face_names)), "Triangles that a rasteriser drops (default none)."},
            {"front_face", form::one_of(names_of(face_names)),
             "The front of a triangle, seen with y up (default ccw)."},
            {"depth_from_zero", form::flag(), "The near plane is z = 0, not z = -w (default false)."},
        });
    return keys;
}

} // namespace

const object_form& draw_form()
{
    static const object_form keys(with_culling({
        {"topology", form::one_of(names_of(topology_names)), "How vertices make primitives.", true},
        {"vertex_count", form::integer(0, max_draw_vertices), "Vertices, or indices, per instance."},
        {"first_vertex", form::integer(any_word), "The first of them (default 0)."},
        {"instance_count", form::integer(0, max_draw_vertices), "Instances (default 1)."},
        {"vertices_per_draw", form::integer(0, max_draw_vertices),
         "The vertices are those of consecutive draws of so many each (default 0: of one draw)."},
        {"record_bytes", form::integer(0, 65536),
         "Bytes from the record of an indirect draw to the next (default 0: direct draws)."},
        {"indices", form::or_null(form::list(form::integer(any_word))), "Makes the draw an indexed one."},
        {"index_bytes",
         {{"enum", {0, 1, 2, 4}}},
         "Bytes of an index in memory, for its time: 1, 2, 4 (default), or 0, no memory holds them."},
        {"restart_index", form::or_null(form::integer(any_word)), "Index that ends a strip."},
        {"patch_vertices", form::integer(1, 32), "Control points per patch."},
        {"tessellation", form::reference("tessellation"), "Of topology patches."},
        {"gs_mode", form::one_of(names_of(geometry_mode_names)), "fast: a geometry thread leaves one vertex."},
    }));
    return keys;
}

const object_form& mesh_draw_form()
{
    static const object_form keys(with_culling({
        {"topology", form::one_of({"mesh"}), "Workgroups make the primitives.", true},
        {"group_count", form::integer(0, max_draw_vertices), "Workgroups of the first stage, one warp each.", true},
        {"task", form::reference("task"), "Of a draw with stage task."},
        {"mesh", form::reference("mesh"), "Of the mesh stage."},
        {"methods", form::reference("mesh_methods"), "Sizes of both as a driver writes them."},
    }));
    return keys;
}

const object_form& tessellation_form()
{
    static const object_form keys({
        {"domain", form::one_of(names_of(tess_domain_names)), "What a patch is.", true},
        {"spacing", form::one_of(names_of(tess_spacing_names)), "How edges are divided.", true},
        {"output", form::one_of(names_of(tess_output_names)), "What the tessellator makes.", true},
        {"default_outer", form::list(form::real(-most_real, most_real), 4),
         "Levels of a draw without stage tess_init."},
        {"default_inner", form::list(form::real(-most_real, most_real), 2),
         "Levels of a draw without stage tess_init."},
    });
    return keys;
}

const object_form& task_form()
{
    static const object_form keys({
        {"threads", form::integer(1, most_workgroup_threads), "Of a workgroup (default 32)."},
        {"local_lines", form::integer(1, most_workgroup_lines), "Shared memory in lines of 128 bytes (default 1)."},
        {"output_lines", form::integer(1, most_workgroup_lines), "How many the mesh stage sees (default 1)."},
        {"shared_bytes", form::integer(0, most_shared_bytes), "Shared memory of a workgroup, which LDS reaches."},
    });
    return keys;
}

const object_form& mesh_form()
{
    static const object_form keys({
        {"output_topology", form::one_of(names_of(mesh_output_names)), "What the indices make."},
        {"max_vertices", form::integer(1, most_mesh_vertices), "Of a workgroup."},
        {"max_primitives", form::integer(1, most_mesh_primitives), "Of a workgroup."},
        {"shared_lines", form::integer(0, most_workgroup_lines), "128-byte lines behind the attributes (default 0)."},
        {"shared_bytes", form::integer(0, most_shared_bytes), "Shared memory of a workgroup, which LDS reaches."},
        {"threads", form::integer(1, most_workgroup_threads), "Of a workgroup (default 32)."},
        {"per_primitive", form::either({addresses(), per_primitive_form().schema()}),
         "Attributes that belong to primitives."},
    });
    return keys;
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

const object_form& attribute_form()
{
    static const object_form keys({
        {"components", form::integer(1, max_components), "Words per vertex (default 4)."},
        {"words", form::words(), "The words, vertex after vertex."},
        {"file", form::text(), "The same as little-endian words."},
        {"repeat", form::flag(), "Start over when the data is shorter than the draw (default false)."},
        {"per_instance", form::flag(), "An element per instance, not per vertex (default false)."},
        {"bytes", form::integer(1, 16), "Of an element in memory, for its time (default: four for each component)."},
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

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>

#include "models/attribute/attribute_map.h"
#include "models/varying/allocation/allocation.h"

namespace isbesim::varying {

namespace {

shader_type type_of(const shader& program)
{
    switch (program.effective_kind()) {
    case processor::tess_control:
        return shader_type::tess_init;
    case processor::tess_eval:
        return shader_type::tess;
    case processor::geometry:
        return shader_type::geometry;
    case processor::fragment:
        throw shader_error(program.at,
                           "a fragment program has a header of another type, expected a vertex, tessellation "
                           "or geometry program");
    default:
        return shader_type::vertex;
    }
}

/// Value of a property, `fallback` without it; throws shader_error unless it is 1 to `most`.
unsigned number_in(const shader& program, const char* name, unsigned fallback, unsigned most)
{
    const auto* const found = program.find_property(name);
    if (found == nullptr) return fallback;
    const auto& text = found->values.front();
    unsigned value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec == std::errc::invalid_argument || read.ptr != text.data() + text.size())
        throw shader_error(found->at, std::string(name) + " is " + quoted(text) + ", expected a number");
    if (read.ec != std::errc() || value < 1 || value > most)
        throw shader_error(found->at, std::string(name) + " is " + text + ", expected 1 to " + std::to_string(most));
    return value;
}

void set_geometry_fields(const shader& program, program_header& header)
{
    header.output_topology = output_topology::triangle_strip;
    if (const auto* primitive = program.find_property("GS_OUTPUT_PRIMITIVE")) {
        const auto& name = primitive->values.front();
        if (name == "POINTS")
            header.output_topology = output_topology::points;
        else if (name == "LINE_STRIP")
            header.output_topology = output_topology::line_strip;
        else if (name != "TRIANGLE_STRIP")
            throw shader_error(primitive->at, "GS_OUTPUT_PRIMITIVE is " + quoted(name) +
                                                  ", expected POINTS, LINE_STRIP or TRIANGLE_STRIP");
    }
    header.max_output_vertex_count = number_in(program, "GS_MAX_OUTPUT_VERTICES", 32, 1024);
    header.threads_per_input_primitive = number_in(program, "GS_INVOCATIONS", 1, 32);
    // Several streams exist for points only (HARDWARE.md G, E14).
    header.stream_out_mask = header.output_topology == output_topology::points ? 0xf : 0x1;
}

/// True if the hardware generates the value for this stage, so that no program has to write it (HARDWARE.md A.5).
bool is_generated(processor consumer, semantic meaning)
{
    switch (meaning) {
    case semantic::primitive_id:
    case semantic::tess_coord:
        return true;
    case semantic::pcoord:
    case semantic::face:
    case semantic::position:
        return consumer == processor::fragment;
    default:
        return false;
    }
}

/// The output that a reader of `address` most likely meant.
const located_declaration* nearest_output(const located_declaration& reader, unsigned address,
                                          const allocation& written)
{
    const located_declaration* best = nullptr;
    const auto distance = [&](const located_declaration& each) {
        const unsigned end = each.address(each.declared->last, 3);
        const unsigned away = address < each.base ? each.base - address : address > end ? address - end : 0;
        return away + (each.meaning == reader.meaning ? 0U : 0x1000U);
    };
    for (const auto& each : written.declarations) {
        if (each.declared->file != register_file::output) continue;
        if (best == nullptr || distance(each) < distance(*best)) best = &each;
    }
    return best;
}

void check_shapes(const located_declaration& reader, const allocation& written)
{
    if (reader.declared->array == 0 || reader.declared->registers() == 1 || reader.declared->by_component) return;
    const unsigned end = reader.address(reader.declared->last, 0) + reader.stride;
    for (const auto& each : written.declarations) {
        if (each.declared->by_component) continue; // a run of scalars; the width of its registers is irrelevant
        const bool array = each.declared->file == register_file::output && each.declared->array != 0 &&
                           each.declared->registers() > 1 && each.space == reader.space;
        const bool meet = array && each.base < end && reader.base < each.address(each.declared->last, 0) + each.stride;
        if (!meet || (each.stride == reader.stride && (each.base - reader.base) % each.stride == 0)) continue;
        throw shader_error(reader.declared->at, describe(*reader.declared) + " reads elements of " +
                                                    std::to_string(reader.stride / 4) +
                                                    " components where the stage before writes elements of " +
                                                    std::to_string(each.stride / 4) + ", " + describe(*each.declared) +
                                                    ", expected the same array in both");
    }
}

} // namespace

program_header make_header(const shader& program, const allocation& placed, unsigned version)
{
    program_header header;
    header.version = version;
    header.shader_type = type_of(program);
    header.imap = placed.inputs;
    header.omap = placed.outputs;
    header.per_patch_attribute_count = placed.patch_words;
    if (header.shader_type == shader_type::geometry) set_geometry_fields(program, header);
    if (header.shader_type == shader_type::tess_init) {
        header.threads_per_input_primitive = number_in(program, "TCS_VERTICES_OUT", 1, 32);
        // Other threads' outputs are read back with ALD.O, even if the next stage does not read them (HARDWARE.md E.2).
        for (unsigned id = 0; id < mapped_attribute_ids; ++id) {
            if (!header.omap.contains(id)) continue;
            header.store_req_start = std::min(header.store_req_start, id);
            header.store_req_end = id;
        }
    }
    // Coordinates are read back with ALD.O, even if the next stage does not read them (HARDWARE.md A.2, E.2).
    constexpr unsigned first = attribute_address::tess_eval_u / 4, last = attribute_address::tess_eval_v / 4;
    if (header.shader_type == shader_type::tess && (header.omap.contains(first) || header.omap.contains(last))) {
        header.store_req_start = header.omap.contains(first) ? first : last;
        header.store_req_end = header.omap.contains(last) ? last : first;
    }
    return header;
}

void check_link(const allocation& written, const shader& consumer, const allocation& read)
{
    const auto stage = consumer.effective_kind();
    const auto places = written.components();
    for (const auto& place : read.components()) {
        const auto& reader = *place.owner;
        if (reader.declared->file == register_file::output || is_generated(stage, reader.meaning)) continue;
        const bool patch = reader.space == address_space::patch;
        if (stage == processor::tess_control && patch) continue;
        const bool found = std::any_of(places.begin(), places.end(), [&](const component_place& each) {
            return each.owner->declared->file == register_file::output && each.owner->space == reader.space &&
                   each.address == place.address;
        });
        // Levels have defaults (HARDWARE.md A.3).
        if (found || reader.meaning == semantic::tess_outer || reader.meaning == semantic::tess_inner) continue;
        const auto* nearest = nearest_output(reader, place.address, written);
        const auto name = patch ? patch_attribute_name(place.address) : attribute_name(place.address);
        throw shader_error(reader.declared->at,
                           describe(*reader.declared) + " reads " + name + ", which the stage before does not write" +
                               (nearest != nullptr ? ": the nearest output is " + describe(*nearest->declared)
                                                   : ": it has no outputs") +
                               ", expected an output at the same place");
    }
    for (const auto& reader : read.declarations)
        if (reader.declared->file != register_file::output) check_shapes(reader, written);
}

} // namespace isbesim::varying

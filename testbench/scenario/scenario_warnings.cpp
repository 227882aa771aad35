// SPDX-License-Identifier: Apache-2.0
#include <iterator>

#include "models/attribute/attribute_map.h"
#include "models/attribute/attribute_set.h"
#include "models/isbe/functional/names.h"
#include "models/pe/front_end/draw.h"
#include "models/pe/front_end/program_accesses.h"
#include "models/pe/front_end/validation.h"
#include "testbench/scenario/scenario_reader.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

// Attributes about which a draw's programs, headers, data and capture list disagree: legal, but usually a mistake.

/// Attributes that the first vertex program loads but neither the draw's data nor the hardware supplies: it reads
/// defaults. A vector with some components in the draw counts as supplied, the others are filled up on purpose.
attribute_set missing_inputs(const draw_call& draw)
{
    const auto& [first, program] = *draw.stages.begin();
    if (draw.topology == topology::mesh) return {};
    const auto loads = loads_of(program.program, space::input);
    const auto read = loads.indexed ? program.header.imap : program.header.imap & loads.fixed;
    auto missing = without(read, generated_inputs(first));
    for (const auto& [address, source] : draw.attributes) {
        for (unsigned id = address / 4; id < address / 4 + source.components; ++id) {
            for (unsigned component = 0; component < 4; ++component) missing.erase(id / 4 * 4 + component);
        }
    }
    return missing;
}

/// Attributes with a fixed address that a program loads from its input, or stores, but the header's map lacks: the load
/// returns the default value, the store is dropped.
attribute_set loads_beside_map(const stage_program& program)
{
    return without(loads_of(program.program, space::input).fixed, program.header.imap);
}

attribute_set stores_beside_map(const stage_program& program, const attribute_set& per_primitive)
{
    return without(stores_of(program.program).fixed, program.header.omap | per_primitive);
}

/// Captured attributes of a stream that the last stage's header does not list as written: every row of the column has
/// the default value.
attribute_set unwritten_captures(const draw_call& draw, unsigned stream)
{
    const auto last = std::prev(draw.stages.end());
    auto written = last->second.header.omap;
    if (last->second.header.geometry_passthrough && last != draw.stages.begin())
        written = written | std::prev(last)->second.header.omap;
    for (const auto address : draw.mesh.per_primitive) written.insert(address / 4);
    attribute_set captured;
    for (const auto address : draw.capture[stream])
        if (address / 4 < mapped_attribute_ids) captured.insert(address / 4);
    return without(captured, written);
}

/// For TI and TS. A 0 in the fields of a scenario is a size, but a 0 in the words of a compiled header is not.
void warn_of_patch_size(scenario_reader& in, const json::value& stages)
{
    const auto& programs = in.result.draw.stages;
    if (programs.count(stage::tess_init) == 0 || programs.count(stage::tess) == 0) return;
    const auto& header = programs.at(stage::tess).header;
    const auto* sph = json_document::find(stages.at("tess"), "sph");
    if (header.per_patch_attribute_count != 0 || sph == nullptr || !sph->is_object() ||
        !sph->as_object().contains("per_patch_attribute_count"))
        return; // the draw's own warnings cover the rest
    for (const auto& text : warnings_of_patch_size(programs.at(stage::tess_init).header, header, true))
        in.warn_of_stage("draw_setting", stage::tess, in.document.place_of_key(*sph, "per_patch_attribute_count"),
                         text);
}

} // namespace

void warn_of_maps(scenario_reader& in, const json::value& root)
{
    const auto& draw = in.result.draw;
    const auto& stages = in.document.member(root, "stages", "the scenario");
    warn_of_patch_size(in, stages);
    const auto* attributes = json_document::find(root, "attributes");
    const auto& first = draw.stages.begin()->first;
    if (const auto missing = missing_inputs(draw); !missing.empty()) {
        const auto place = attributes != nullptr ? in.document.place_of_key(root, "attributes")
                                                 : in.document.place_of_key(root, "draw");
        in.warn_of_stage("missing_attribute", first, place,
                         std::string("the program of stage '") + name_of(first) + "' loads attributes " +
                             address_list(missing) + ", of which the scenario has no data: it gets their defaults");
    }
    attribute_set per_primitive;
    for (const auto address : draw.mesh.per_primitive) per_primitive.insert(address / 4);
    for (const auto& [which, program] : draw.stages) {
        const std::string name = name_of(which);
        const auto place = [&] { return in.document.place_of_key(stages, name); }; // only warnings need it
        if (const auto loads = loads_beside_map(program); !loads.empty())
            in.warn_of_stage("beside_imap", which, place(),
                             "the program of stage '" + name + "' loads attributes " + address_list(loads) +
                                 ", which the imap of its header lacks: it gets their defaults");
        if (const auto stores = stores_beside_map(program, per_primitive); !stores.empty())
            in.warn_of_stage("beside_omap", which, place(),
                             "the program of stage '" + name + "' stores attributes " + address_list(stores) +
                                 ", which the omap of its header lacks: they are dropped");
        if (which == stage::geometry && !is_fast_geometry(draw) && program.header.max_output_vertex_count == 0)
            in.warn_of_stage("no_vertex", which, place(),
                             "max_output_vertex_count of the geometry header is 0 or left out: a thread has room for "
                             "no vertex, so nothing comes out");
    }
}

void warn_of_capture(scenario_reader& in, const json::value& root)
{
    const auto& draw = in.result.draw;
    const auto* capture = json_document::find(root, "capture");
    const auto place = [&] { return in.document.place_of_key(root, capture != nullptr ? "capture" : "stages"); };
    const auto geometry = draw.stages.find(stage::geometry);
    const bool streams = geometry != draw.stages.end() && !is_fast_geometry(draw);
    for (unsigned stream = 0; stream < draw.capture.size(); ++stream) {
        if (draw.capture[stream].empty()) continue;
        const auto number = std::to_string(stream);
        if (streams && (geometry->second.header.stream_out_mask >> stream & 1U) == 0)
            in.warn("no_stream", place(),
                    "stream " + number +
                        " is captured, but stream_out_mask of the geometry header leaves it out: "
                        "vertices.csv gets no rows of it");
        else if (!streams && stream != 0)
            in.warn("no_stream", place(),
                    "stream " + number +
                        " is captured, but the last stage of this draw has stream 0 only: "
                        "vertices.csv gets no rows of it");
        else if (const auto never = unwritten_captures(draw, stream); !never.empty())
            in.warn("unwritten_capture", place(),
                    "attributes " + address_list(never) +
                        " are captured, but the last stage's header does not write "
                        "them: the columns hold their defaults");
    }
}

} // namespace isbesim::testbench

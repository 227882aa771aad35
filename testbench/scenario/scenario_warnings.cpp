// SPDX-License-Identifier: Apache-2.0
#include "models/isbe/functional/names.h"
#include "models/pe/front_end/program_accesses.h"
#include "models/pe/front_end/validation.h"
#include "testbench/scenario/draw_warnings.h"
#include "testbench/scenario/scenario_reader.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

/// Of TI and TS; a 0 that the scenario spells out is a size, one in the words of a compiled header is not.
void warn_of_patch_size(scenario_reader& in, const json::value& stages)
{
    const auto& programs = in.result.draw.stages;
    if (programs.count(stage::tess_init) == 0 || programs.count(stage::tess) == 0) return;
    const auto& header = programs.at(stage::tess).header;
    const auto* sph = json_document::find(stages.at("tess"), "sph");
    if (header.per_patch_attribute_count != 0 || sph == nullptr || !sph->is_object() ||
        !sph->as_object().contains("per_patch_attribute_count"))
        return; // the draw's own warnings have the rest
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
        const auto place = [&] { return in.document.place_of_key(stages, name); }; // only an error needs it
        if (const auto loads = loads_beside_map(program); !loads.empty())
            in.warn_of_stage("beside_imap", which, place(),
                             "the program of stage '" + name + "' loads attributes " + address_list(loads) +
                                 ", which the imap of its header lacks: it gets their defaults");
        if (const auto stores = stores_beside_map(program, per_primitive); !stores.empty())
            in.warn_of_stage("beside_omap", which, place(),
                             "the program of stage '" + name + "' stores attributes " + address_list(stores) +
                                 ", which the omap of its header lacks: they are dropped");
        if (which == stage::geometry && !is_fast_geometry(draw) && program.header.max_output_vertex_count == 0)
            in.warn_of_stage("one_vertex", which, place(),
                             "max_output_vertex_count of the geometry header is 0 or left out: a thread has room for "
                             "one vertex only");
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

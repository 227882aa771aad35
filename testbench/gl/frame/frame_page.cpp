// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/frame/frame_page.h"

#include <map>
#include <ostream>
#include <tuple>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value_from.hpp>

#include "models/isbe/functional/names.h"
#include "testbench/report/page_text.h"
#include "testbench/report/report_tables.h"

namespace isbesim::gl {

namespace json = boost::json;

namespace {

constexpr const char* page_script =
#include "testbench/frame.js.inc" // written by testbench/CMakeLists.txt
    ;

/// Value in a report, by path; null if it is absent or the draw did not run.
const json::value* value_at(const frame_draw& draw, const char* pointer)
{
    boost::system::error_code missing;
    return draw.report.find_pointer(pointer, missing);
}

double number_at(const frame_draw& draw, const char* pointer)
{
    const auto* found = value_at(draw, pointer);
    return found == nullptr ? 0 : found->to_number<double>();
}

json::object of_stage(const stage_facts& facts)
{
    json::array banks;
    for (const auto& each : facts.constants) banks.push_back(json::array{each.bank, each.bytes});
    return {{"stage", name_of(facts.stage)},
            {"program", facts.program},
            {"instructions", facts.instructions},
            {"lines", facts.lines},
            {"constants", std::move(banks)}};
}

/// `meshlets`: primitives and cycles of each; null for other draws.
json::object of_picture(const wire_frame& picture, const json::value* meshlets)
{
    json::array edges;
    edges.reserve(picture.edges.size() * 4);
    for (const auto& edge : picture.edges)
        for (const auto coordinate : edge) edges.push_back(coordinate);
    json::object result{{"edges", std::move(edges)},
                        {"primitives", picture.primitives},
                        {"every", picture.every},
                        {"behind", picture.behind_eye},
                        {"positions", picture.has_positions}};
    if (meshlets == nullptr) return result;
    result["meshlets"] = *meshlets;
    result["primitive_of"] = json::value_from(picture.primitive_of);
    return result;
}

json::object of_draw(const frame_draw& draw)
{
    const auto& facts = draw.facts;
    auto result = summary_of(draw);
    json::array attributes, stages;
    for (const auto& [address, components] : facts.attributes) attributes.push_back(json::array{address, components});
    for (const auto& each : facts.stages) stages.push_back(of_stage(each));
    result["link"] = draw.folder + "/report.html";
    result["topology"] = facts.topology;
    result["indexed"] = facts.indexed;
    result["vertices"] = facts.vertices;
    result["instances"] = facts.instances;
    result["captured"] = facts.captured;
    result["attributes"] = std::move(attributes);
    result["stages"] = std::move(stages);
    result["problem"] = facts.problem;
    result["picture"] = of_picture(draw.picture, value_at(draw, "/series/meshlets"));
    for (const auto* key : {"stalls", "invocations", "output"})
        if (const auto* found = value_at(draw, (std::string("/") + key).c_str())) result[key] = *found;
    const auto* warnings = value_at(draw, "/warnings");
    result["warnings"] = warnings == nullptr ? 0 : warnings->get_array().size();
    result["traps"] = number_at(draw, "/trap_count");
    return result;
}

/// Instructions of all draws (--profile), once per program, with the cycles that warps lost before them.
json::array of_lines(const std::vector<frame_draw>& draws)
{
    struct line {
        std::string text;
        std::uint64_t lost = 0;
        std::uint64_t issues = 0;
        std::uint64_t passes = 0;
        std::uint64_t draws = 0;
    };
    std::map<std::tuple<stage, std::size_t, std::uint64_t>, line> lines;
    for (const auto& draw : draws)
        for (const auto& each : draw.facts.stages) {
            const auto* found = value_at(draw, (std::string("/profile/") + name_of(each.stage)).c_str());
            if (found == nullptr) continue;
            for (const auto& one : found->get_array()) {
                const auto& row = one.get_object();
                auto& to = lines[{each.stage, each.program, row.at("pc").to_number<std::uint64_t>()}];
                to.text = testbench::line_name(name_of(each.stage), row);
                to.lost += testbench::lost_cycles(row);
                to.issues += row.at("issues").to_number<std::uint64_t>();
                to.passes += row.at("passes").to_number<std::uint64_t>();
                ++to.draws;
            }
        }
    json::array all;
    for (const auto& [where, each] : lines)
        all.push_back({{"program", std::get<1>(where)},
                       {"text", each.text},
                       {"lost", each.lost},
                       {"issues", each.issues},
                       {"passes", each.passes},
                       {"draws", each.draws}});
    return all;
}

} // namespace

json::object summary_of(const frame_draw& draw)
{
    json::object summary{{"draw", draw.facts.number}, {"frame", draw.facts.frame}, {"status", draw.status}};
    if (const auto* cycles = value_at(draw, "/cycles")) {
        summary["cycles"] = *cycles;
        if (const auto* lines = value_at(draw, "/occupancy/isbe_lines_mean"))
            summary["line_cycles"] = cycles->to_number<double>() * lines->to_number<double>();
    }
    if (draw.span) {
        summary["begin"] = draw.span->begin;
        summary["end"] = draw.span->end;
    }
    return summary;
}

void write_frame_page(std::ostream& out, const std::string& title, const std::vector<frame_draw>& draws,
                      const frame_machine& machine, const std::string& origin)
{
    json::object data;
    json::array list;
    for (const auto& each : draws) {
        list.push_back(of_draw(each));
        for (const auto* key : {"config", "backend"})
            if (const auto* found = value_at(each, (std::string("/") + key).c_str())) data[key] = *found;
    }
    data["draws"] = std::move(list);
    data["lines"] = of_lines(draws);
    data["machine"] =
        json::object{{"cycles", machine.cycles}, {"problem", machine.problem}, {"estimate", machine.estimate}};
    data["unit"] = wire_frame::unit;
    out << testbench::page_text({{"title", title},
                                 {"answer", json::array()}, // in words that the script puts together
                                 {"of", origin},
                                 {"parts", json::array()},
                                 {"data", std::move(data)}},
                                page_script);
}

} // namespace isbesim::gl

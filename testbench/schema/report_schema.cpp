// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sstream>

#include "models/isbe/functional/names.h"
#include "models/pipe_names.h"
#include "testbench/figures/figures.h"
#include "testbench/files/object_form.h"
#include "testbench/scenario/scenario_forms.h"
#include "testbench/schema/schemas.h"
#include "testbench/system/config.h"
#include "testbench/system/machine_schema.h"

namespace isbesim::testbench {
namespace json = boost::json;

namespace {

std::vector<std::string> split(const std::string& path)
{
    std::vector<std::string> steps;
    std::istringstream in(path);
    for (std::string step; std::getline(in, step, '.');) steps.push_back(step);
    return steps;
}

/// The names for <opcode> and similar ranges in a section; empty for ranges that depend on the run. BIND is not an
/// instruction: only figures about all operations of a port have it.
std::vector<std::string> names_of_range(const std::string& range, const std::string& section)
{
    const bool bind = section == "latency" || section == "transactions" || section == "histograms";
    if (range == "opcode") return {opcode_names.begin(), opcode_names.end() - (bind ? 0 : 1)};
    if (range == "stage") return {stage_names.begin(), stage_names.end()};
    if (range == "queue") return {"0", "1"};
    if (range == "stream") return {"0", "1", "2", "3"};
    return {};
}

json::object figure_schema(const figure& f)
{
    json::object result;
    if (f.value) {
        const bool whole = std::holds_alternative<std::uint64_t>(f.value({}, {}, 0));
        result["type"] = whole ? "integer" : "number";
    } else if (!f.unit.empty()) { // stated by the run; a figure without unit may also be a flag or a name
        result["type"] = "number";
    } else {
        result["type"] = {"number", "boolean", "string"};
    }
    result["description"] = f.description + (f.unit.empty() ? "" : " [" + f.unit + "]");
    return result;
}

/// Adds the figure with the keys from `steps[at]` on to the schema of an object or an array.
void put(json::object& schema, const std::vector<std::string>& steps, std::size_t depth, const json::object& leaf)
{
    if (depth == steps.size()) {
        schema = leaf;
        return;
    }
    const auto& step = steps[depth];
    const auto open = step.find('<');
    const auto close = step.find('>');
    const auto range = open == std::string::npos ? "" : step.substr(open + 1, close - open - 1);
    const auto below = [&](json::value& inner) {
        if (!inner.is_object()) inner.emplace_object();
        put(inner.get_object(), steps, depth + 1, leaf);
    };
    const auto names = names_of_range(range, steps.front());
    if (!range.empty() && names.empty() && steps.front() != "coverage") {
        schema["type"] = "array";
        below(schema["items"]);
        return;
    }
    schema["type"] = "object";
    if (!range.empty() && names.empty()) { // names of coverage bins contain dots
        below(schema["additionalProperties"]);
        return;
    }
    schema["additionalProperties"] = false;
    auto& properties = schema["properties"];
    if (!properties.is_object()) properties.emplace_object();
    if (range.empty()) {
        below(properties.get_object()[step]);
        return;
    }
    for (const auto& name : names) below(properties.get_object()[step.substr(0, open) + name + step.substr(close + 1)]);
}

json::object any_of_type(json::array types)
{
    return {{"type", std::move(types)}};
}

/// Keys that are not figures.
const object_form& facts_form()
{
    static const object_form keys({
        {"tool", form::reference("tool"), "The simulator.", true},
        {"of", form::reference("of"), "The command, the machine and the version that gave this result."},
        {"scenario", form::text(), "The file that was run, or what made the traffic.", true},
        {"draw", form::reference("draw"), "Of a draw: what tells it from others."},
        {"backend", form::text(), "What stood in the ISBE's place.", true},
        {"timing", form::text(), "lt: SMs were loosely timed. Not there otherwise."},
        {"estimate", form::reference("estimate"),
         "Of loosely timed runs and of replays on another machine: the figure that is an estimate, and its error."},
        {"traffic", form::map("^", any_of_type({"string", "integer"})), "Of traffic: the options of its generator."},
        {"result", form::reference("result"), "How it ended.", true},
        {"traps", form::list(form::reference("trap")), "Warp instructions that raised an error."},
        {"warnings", form::list(form::reference("warning")), "Legal but suspicious."},
        {"bottleneck", form::text(), "What the draw waits for, and what would be next: one sentence."},
        {"rests_on", form::text(), "How many keys the sentences rest on; which of them are assumed, and set by hand."},
        {"measured", form::reference("measured"), "The best single step to another machine, of those tried by reruns."},
        {"stacks", form::map("^", form::reference("stack")), "Where every cycle of each resource went, by its name."},
        {"critical_path", form::reference("critical_path"), "What every cycle of the draw was for, from its end back."},
        {"profile", form::map("^", form::list(form::reference("profile_line"))),
         "Of every instruction that was issued, by stage and address (--profile)."},
        {"what_if", form::reference("what_if"), "The draw on machines that differ in one key or two (--what-if)."},
        {"covers", form::map("^", form::text()), "What each part of the report covers, in words.", true},
        {"config", form::reference("config"), "The machine.", true},
    });
    return keys;
}

json::object call_schema()
{
    return object_form({{"scenario", form::text(), "The file that was run, or what made the traffic.", true},
                        {"machine", form::text(), "As given to --config; default: no preset.", true},
                        {"changed", form::map("^", any_of_type({"string", "number", "boolean"})),
                         "Keys that were set by hand, with their values.", true},
                        {"isbe", form::text(), "The back end.", true},
                        {"timing", form::text(), "at or lt.", true},
                        {"version", form::text(), "Of isbesim.", true},
                        {"command", form::list(form::text()),
                         "The command line, without --out, --jobs, --quiet and --progress.", true},
                        {"date", form::text(), "The end of the run, UTC.", true}})
        .schema();
}

json::object tool()
{
    return object_form({{"name", form::text(), "isbesim.", true},
                        {"version", form::text(), "Of the simulator.", true},
                        {"seed", form::integer(0, ~std::uint64_t{0}), "Every random choice derives from it.", true}})
        .schema();
}

json::object draw()
{
    const auto count = form::integer(0, ~std::uint64_t{0});
    return object_form({{"arch", form::text(), "Of the programs.", true},
                        {"topology", form::text(), "As drawn.", true},
                        {"vertices", count, "Per instance; of a mesh draw workgroups.", true},
                        {"first_vertex", count, "Or the first position in the indices.", true},
                        {"instances", count, "How often it is drawn.", true},
                        {"programs", form::map("^", form::text()), "By stage, digests: code and header.", true},
                        {"constants", form::text(), "Digest: banks, tables of textures, windows.", true},
                        {"inputs", form::text(), "Digest: indices and attributes.", true},
                        {"settings", form::text(), "Digest: restart, patches, tessellation, geometry, mesh.", true},
                        {"memory", form::text(), "Digest: the buffers before the run.", true},
                        {"capture", form::text(), "Digest: what is streamed out.", true},
                        {"tpc", count, "The only TPC of a chip that ran (--tpc)."},
                        {"batches", form::text(), "Digest: the batches that this TPC got."}})
        .schema();
}

json::object estimate()
{
    return object_form(
               {{"of", form::text(), "cycles, and all that follows from them.", true},
                {"error", {{"type", "number"}}, "Largest relative error where it was measured."},
                {"not_replayed", form::text(), "Keys that change which operations come and when, not so in a replay."}})
        .schema();
}

json::object result()
{
    return object_form({{"status", form::text(), "One word; done: all checks held.", true},
                        {"text", form::text(), "The same in words.", true}})
        .schema();
}

json::object trap()
{
    const json::object number = {{"type", "integer"}};
    return object_form({{"code", number, "As the hardware reports it (models/HARDWARE.md E.5).", true},
                        {"stage", form::text(), "Of the warp.", true},
                        {"sm", number, "Its SM.", true},
                        {"warp", number, "Its slot.", true},
                        {"lane_mask", form::text(), "Lanes that raised it.", true},
                        {"pc", number, "Byte address of the instruction.", true},
                        {"cycle", number, "When.", true}})
        .schema();
}

json::object warning()
{
    return object_form({{"kind", form::text(), "One word.", true},
                        {"text", form::text(), "A line.", true},
                        {"stage", any_of_type({"string", "null"}), "null: of the whole draw.", true},
                        {"pc", any_of_type({"integer", "null"}), "Byte address of the instruction.", true},
                        {"count", {{"type", "integer"}}, "Occurrences.", true},
                        {"first_cycle", any_of_type({"integer", "null"}), "Of the first.", true}})
        .schema();
}

json::object critical_path()
{
    const json::object number = {{"type", "integer"}};
    return object_form({{"cycles", number, "Of the draw; the sum of the parts.", true},
                        {"parts", form::map("^", number), "Cycles by reason and stage.", true},
                        {"counts", form::map("^", number), "How often the path comes through each.", true}})
        .schema();
}

json::object profile_line()
{
    const json::object number = {{"type", "integer"}};
    return object_form(
               {{"pc", number, "Byte address.", true},
                {"text", form::text(), "The instruction."},
                {"source", form::text(), "NAME:LINE, where the scenario's listing says it."},
                {"issues", number, "By warps, all SMs.", true},
                {"stall_count", number, "Cycles of its warps that the stall count of the one before took.", true},
                {"scoreboard", number, "Then cycles that a scoreboard took.", true},
                {"pipe", number, "Then cycles that other instructions in its pipe took.", true},
                {"unit", form::one_of({std::begin(pipe_names), std::end(pipe_names)}), "That pipe."},
                {"issue_slot", number, "Then other warps, or a full attribute queue.", true},
                {"latency_mean", any_of_type({"number"}), "Cycles from issue to result."},
                {"latency_max", number, "The longest."},
                {"passes", number, "Cycles of the pass engine.", true},
                {"bank_conflict", number, "Passes beyond the ideal.", true}})
        .schema();
}

/// Steps to another machine.
json::object steps_form()
{
    const json::object number = {{"type", "number"}};
    const auto step = object_form({{"key", form::text(), "Of the configuration.", true},
                                   {"from", number, "Its value.", true},
                                   {"to", number, "Another value.", true}});
    return form::list(step.schema());
}

json::object measured()
{
    const json::object number = {{"type", "integer"}};
    const auto other =
        object_form({{"steps", steps_form(), "What differs.", true}, {"cycles", number, "Of the rerun.", true}});
    return object_form(
               {{"steps", steps_form(), "What differs; empty if nothing tried gains.", true},
                {"cycles", number, "Of the rerun.", true},
                {"same_sms", other.schema(), "The best step that leaves the number of SMs, if another one does not."},
                {"tried", number, "Single steps that were measured.", true},
                {"of", number, "Single steps that --what-if measures.", true}})
        .schema();
}

json::object what_if()
{
    const json::object number = {{"type", "integer"}};
    const auto steps = steps_form();
    const auto change = object_form({{"steps", steps, "What differs.", true},
                                     {"cycles", number, "Of the rerun.", true},
                                     {"energy_pj", any_of_type({"number"}), "By the proxies.", true},
                                     {"area_mm2", any_of_type({"number"}), "Of the ISBEs, where it changes."}});
    const auto missing = object_form({{"steps", steps, "What differs.", true}, {"reason", form::text(), "Why.", true}});
    return object_form({{"reordering_cycles", number, "What only another order of warps explains.", true},
                        {"changes", form::list(change.schema()), "By key.", true},
                        {"not_measured", form::list(missing.schema()), "Changes without a rerun that ended.", true}})
        .schema();
}

json::object stack()
{
    const json::object number = {{"type", "integer"}};
    return object_form({{"cycles", number, "Of the run; the sum of the parts.", true},
                        {"busy", number, "Those in which the resource worked.", true},
                        {"parts", form::map("^", number), "Cycles by what they went to.", true}})
        .schema();
}

/// Every key of the machine, nested, with a plain value.
json::object config()
{
    json::object schema;
    for (const auto& key : config_keys()) put(schema, split(key.name), 0, key.schema());
    return schema;
}

} // namespace

json::object report_schema()
{
    json::object schema = facts_form().schema();
    for (const auto& f : figures()) put(schema, split(f.key()), 0, figure_schema(f));
    const auto in_windows = [](const figure& f) {
        return f.value ? f.merge != merge_rule::at_once : f.bins || f.cost == cost_of::draw;
    };
    for (const auto& f : figures())
        for (const auto& section : figure_sections())
            if (section.of_run && f.section == section.name && in_windows(f))
                put(schema, split("window." + f.key()), 0, figure_schema(f));
    for (const auto* end : {"first", "last"})
        put(schema, {"window", end}, 0, {{"type", "integer"}, {"description", "Cycle (--cycles)."}});
    put(schema, {"window", "stacks"}, 0, form::map("^", form::reference("stack")));
    for (const auto& section : figure_sections()) {
        if (!section.of_instances) continue;
        const std::string one = std::string("per_instance.<sm>.") + section.name + ".";
        for (const auto& f : figures())
            if (f.section == section.name) put(schema, split(one + f.path), 0, figure_schema(f));
    }
    put(schema, {"per_instance", "<sm>", "sm"}, 0, {{"type", "integer"}, {"description", "Number of the SM."}});
    schema["definitions"] = {{"tool", tool()},
                             {"of", call_schema()},
                             {"result", result()},
                             {"trap", trap()},
                             {"draw", draw()},
                             {"estimate", estimate()},
                             {"warning", warning()},
                             {"stack", stack()},
                             {"critical_path", critical_path()},
                             {"profile_line", profile_line()},
                             {"measured", measured()},
                             {"what_if", what_if()},
                             {"config", config()}};
    return schema;
}

const std::vector<schema_row>& schema_rows()
{
    static const std::vector<schema_row> rows = {
        {"scenario", "A draw for isbesim run (testbench/scenario/README.md)", scenario_schema},
        {"machine", "A machine for --config (testbench/system/README.md)", machine_schema},
        {"sweep", "A sweep for scripts/explore (scripts/exploration/README.md)", sweep_schema},
        {"report", "report.json (testbench/report/README.md)", report_schema},
    };
    return rows;
}

boost::json::value find_schema(const std::string& name)
{
    for (const auto& row : schema_rows()) {
        if (name != row.name) continue;
        boost::json::object document = {{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", row.title}};
        for (auto& entry : row.make()) document.insert(entry);
        return document;
    }
    return nullptr;
}

} // namespace isbesim::testbench

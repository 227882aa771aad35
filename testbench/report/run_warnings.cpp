// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/run_warnings.h"

#include <algorithm>
#include <cstdio>

#include <boost/json/object.hpp>

#include "models/isbe/functional/names.h"
#include "models/sm/warnings/trap_codes.h"
#include "testbench/report/run_account.h"
#include "testbench/system/system.h"
#include "tlm/count_text.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

/// The stage at the beginning of a text ("vertex: ..."), or "".
std::string stage_of(const std::string& text, const linked_pipeline& pipeline)
{
    for (const auto& linked : pipeline.stages) {
        std::string name = name_of(linked.stage);
        if (text.rfind(name + ": ", 0) == 0) return name;
    }
    return "";
}

bool same_place(const run_warning& a, const run_warning& b)
{
    return a.kind == b.kind && a.stage == b.stage && a.pc == b.pc && a.text == b.text;
}

/// Adds a warning for a task or mesh stage whose program accessed memory beyond the draw's sizes.
void add_beyond_limits(std::vector<run_warning>& result, stage which, simulated_system& system)
{
    std::uint64_t count = 0;
    for (unsigned i = 0; i < system.sm_count(); ++i)
        for (const auto& warning : system.sm(i).counters().warnings.warnings())
            if (warning.stage == which && warning.kind == warning_kind::isbe_range) count += warning.count;
    if (count == 0) return;
    const auto& pipeline = system.pe().pipeline();
    const auto& task = pipeline.task.settings;
    const auto text = which == stage::task
                          ? describe_limits(task)
                          : describe_limits(pipeline.mesh.settings, pipeline.has(stage::task) ? task.output_lines : 0);
    result.push_back({"workgroup", text, name_of(which), {}, count, {}, {}});
}

} // namespace

std::vector<run_warning> collect_warnings(const std::vector<input_warning>& input, simulated_system& system)
{
    std::vector<run_warning> result;
    result.reserve(input.size());
    for (const auto& each : input) result.push_back({each.kind, each.text, each.stage, each.pc, 1, {}, {}});
    const auto& pipeline = system.pe().pipeline();
    for (const auto& text : pipeline.warnings)
        result.push_back({"draw_setting", text, stage_of(text, pipeline), {}, 1, {}, {}});
    for (const auto which : {stage::task, stage::mesh}) add_beyond_limits(result, which, system);
    for (unsigned i = 0; i < system.sm_count(); ++i) {
        const auto& table = system.sm(i).counters().warnings;
        for (const auto& warning : table.warnings())
            result.push_back({kind_name(warning.kind), describe(warning), name_of(warning.stage), warning.pc,
                              warning.count, warning.first_cycle, i});
        if (table.beyond_limit() != 0)
            result.push_back(
                {"more", "warnings at further places of the programs", "", {}, table.beyond_limit(), {}, i});
    }
    const auto losses = system.pe().draw_counters().losses;
    for (const auto& row : draw_loss_rows)
        if (const auto count = losses[row.loss]; count != 0)
            result.push_back({row.name,
                              std::string(name_of(row.stage)) + ": " + row.unit + " " + row.text,
                              name_of(row.stage),
                              {},
                              count,
                              {},
                              {}});
    for (const auto& [text, count] : system.pe().sharing_warnings())
        result.push_back({"shared_spaces", text, "", {}, count, {}, {}});
    return result;
}

std::vector<run_warning> merged(const std::vector<run_warning>& warnings)
{
    std::vector<run_warning> result;
    for (const auto& each : warnings) {
        const auto known =
            std::find_if(result.begin(), result.end(), [&](const run_warning& w) { return same_place(w, each); });
        if (known == result.end()) {
            result.push_back(each);
            result.back().sm.reset();
            continue;
        }
        known->count += each.count;
        if (each.first_cycle && (!known->first_cycle || *each.first_cycle < *known->first_cycle))
            known->first_cycle = each.first_cycle;
    }
    return result;
}

json::array warnings_json(const std::vector<run_warning>& warnings)
{
    const auto or_null = [](const auto& value) { return value ? json::value(*value) : json::value(nullptr); };
    json::array result;
    for (const auto& each : warnings) {
        result.push_back(json::object{{"kind", each.kind},
                                      {"text", each.text},
                                      {"stage", each.stage.empty() ? json::value(nullptr) : json::value(each.stage)},
                                      {"pc", or_null(each.pc)},
                                      {"count", each.count},
                                      {"first_cycle", or_null(each.first_cycle)}});
    }
    return result;
}

std::vector<run_warning> traps_of(const std::vector<site_account>& sites)
{
    std::vector<run_warning> traps;
    for (unsigned i = 0; i < sites.size(); ++i)
        for (const auto& trap : sites[i].sm.traps) {
            const auto row = trap_code::row_of(trap.code);
            char text[200];
            std::snprintf(text, sizeof text, "0x%02x %s (%s): %s 0x%04x", trap.code, row.name, row.meaning,
                          name_of(trap.stage), trap.pc);
            traps.push_back({"trap", text, name_of(trap.stage), trap.pc, 1, trap.cycle, i});
        }
    traps = merged(traps);
    std::stable_sort(traps.begin(), traps.end(),
                     [](const run_warning& a, const run_warning& b) { return *a.first_cycle < *b.first_cycle; });
    return traps;
}

void print_warnings(std::ostream& err, const std::vector<run_warning>& warnings, const std::string& what,
                    std::uint64_t number, const std::string& where)
{
    constexpr std::size_t shown = 5;
    for (std::size_t i = 0; i < std::min(shown, warnings.size()); ++i) {
        const auto& each = warnings[i];
        err << "isbesim: " << what << ": " << each.text;
        if (each.first_cycle)
            err << " (" << count_text(each.count, "time") << ", first in cycle " << *each.first_cycle << ")";
        else if (each.count != 1)
            err << " (" << count_text(each.count, "time") << ")";
        err << "\n";
    }
    if (warnings.empty()) return;
    err << "isbesim: " << count_text(number, what);
    if (warnings.size() > shown) err << ", the first " << shown << " are above";
    err << "; all are " << where << std::endl;
}

} // namespace isbesim::testbench

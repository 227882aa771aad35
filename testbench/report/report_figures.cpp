// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/report_figures.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <sys/resource.h>

#include "models/isbe/functional/names.h"
#include "testbench/figures/figures.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

/// The indices of a range and their names, in the report's order.
std::vector<std::pair<unsigned, std::string>> names_of(figure_range each, const report_scope& scope)
{
    std::vector<std::pair<unsigned, std::string>> names;
    switch (each) {
    case figure_range::one:
        names.emplace_back(0, "");
        break;
    case figure_range::opcode:
        for (unsigned i = 0; i < scope.opcodes; ++i) names.emplace_back(i, opcode_names[i]);
        break;
    case figure_range::stage:
        for (const auto stage : scope.stages) names.emplace_back(static_cast<unsigned>(stage), name_of(stage));
        break;
    case figure_range::queue:
        for (std::size_t q = 0; q < scope.counters.request_queues.size(); ++q) names.emplace_back(q, std::to_string(q));
        break;
    case figure_range::stream:
        for (unsigned s = 0; s < scope.counters.draw.vertices_out.size(); ++s) names.emplace_back(s, std::to_string(s));
        break;
    }
    return names;
}

std::string with_name(const std::string& path, const std::string& name)
{
    const auto begin = path.find('<');
    return begin == std::string::npos ? path : path.substr(0, begin) + name + path.substr(path.find('>') + 1);
}

} // namespace

void put(json::object& object, const std::string& path, json::value value)
{
    const auto dot = path.find('.');
    if (dot == std::string::npos) {
        object[path] = std::move(value);
        return;
    }
    auto& inner = object[path.substr(0, dot)];
    if (!inner.is_object()) inner.emplace_object();
    put(inner.get_object(), path.substr(dot + 1), std::move(value));
}

const json::value* value_at(const json::object& object, std::string_view path)
{
    const auto dot = path.find('.');
    const auto first = path.substr(0, dot);
    const auto* found = object.if_contains(json::string_view(first.data(), first.size()));
    if (found == nullptr || dot == std::string_view::npos) return found;
    return found->is_object() ? value_at(found->get_object(), path.substr(dot + 1)) : nullptr;
}

void add_figures(const json::value& value, const std::string& name, json::object& figures)
{
    const auto below = [&](const std::string& key) { return name.empty() ? key : name + "." + key; };
    if (const auto* object = value.if_object()) {
        for (const auto& entry : *object) add_figures(entry.value(), below(entry.key()), figures);
    } else if (const auto* array = value.if_array()) {
        for (std::size_t i = 0; i < array->size(); ++i) add_figures((*array)[i], below(std::to_string(i)), figures);
    } else if (!value.is_string()) {
        figures[name] = value;
    }
}

json::object figures_of(const json::object& report)
{
    static constexpr std::string_view others[] = {
        "config", "covers", "critical_path", "draw", "histograms", "host",     "per_instance", "profile", "measured",
        "series", "stacks", "tool",          "tpcs", "traps",      "warnings", "what_if",      "window"};
    json::object figures;
    for (const auto& entry : report)
        if (std::find(std::begin(others), std::end(others), entry.key()) == std::end(others))
            add_figures(entry.value(), entry.key(), figures);
    return figures;
}

json::object section_json(const char* section, const report_scope& scope, const json::object& stated)
{
    json::object result;
    std::vector<const figure*> here;
    for (const auto& f : figures())
        if (f.section == section && scope.has(f)) here.push_back(&f);
    for (std::size_t i = 0; i < here.size();) {
        auto end = i; // neighbours over the same range alternate
        while (end < here.size() && here[end]->each == here[i]->each) ++end;
        for (const auto& [index, name] : names_of(here[i]->each, scope)) {
            for (auto k = i; k < end; ++k) {
                const auto& f = *here[k];
                const auto path = with_name(f.path, name);
                if (f.shown && !f.shown(scope.counters, index) && !(scope.all_names && f.merge == merge_rule::sum)) {
                    if (scope.all_names) put(result, path, nullptr);
                } else if (const auto* value = value_at(stated, path)) {
                    put(result, path, *value);
                } else if (f.bins) {
                    json::array bins;
                    for (const auto& bin : f.bins(scope.counters, index))
                        bins.push_back(json::array{bin.first, bin.last, bin.count});
                    if (!bins.empty()) put(result, path, std::move(bins));
                } else if (f.value) {
                    std::visit([&](auto number) { put(result, path, number); },
                               f.value(scope.counters, scope.over, index));
                }
            }
        }
        i = end;
    }
    return result;
}

json::object host_json(std::uint64_t operations, double wall_s)
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return {{"wall_s", wall_s},
            {"transactions_per_s", ratio(static_cast<double>(operations), wall_s)},
            {"peak_memory_mb", static_cast<double>(usage.ru_maxrss) / 1024.0}};
}

std::string series_covers(bool trace)
{
    std::string text =
        "Of all instances, in bins of bin_cycles from cycle 0, the last of last_bin_cycles. Sums, which add up to the "
        "run's: bytes, passes (of bank_conflicts) and busy_cycles (of the ports: those and the passes of operations "
        "that do not touch the storage), each evenly over the passes of its operation; bank_words and bank_excess, by "
        "bank: words served, and those beyond the ideal passes of their component.";
    if (!trace)
        text +=
            " stalls: sums too, scheduler cycles. Means over the cycles of the bin: isbe_lines, warps. "
            "first_warps: SM, slot, stage, launch and completion of the first 512. meshlets, of mesh draws: primitives "
            "and cycles from launch to completion, in the order of the primitives, of the first 4096 with any.";
    return text;
}

std::string bandwidth_covers(double peak)
{
    char text[400];
    std::snprintf(
        text, sizeof text,
        "Bytes that lanes read from or wrote to the storage, all clients, over all cycles; peak_fraction is of "
        "%g bytes per cycle and ISBE, one conflict-free pass a cycle, reads and writes together. Lanes that read the "
        "same word count each, and warps of --timing lt do not wait for each other: both can bring it above 1.",
        peak);
    return text;
}

} // namespace isbesim::testbench

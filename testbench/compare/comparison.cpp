// SPDX-License-Identifier: Apache-2.0
#include "testbench/compare/comparison.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>

#include "testbench/figures/figures.h"
#include "testbench/report/cycle_stacks.h"
#include "testbench/report/report_figures.h"
#include "testbench/report/report_tables.h"
#include "testbench/system/config.h"
#include "testbench/version.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

using result_list = std::vector<compared_result>;
/// The cycles of one result; none if not measured.
using measured = std::optional<std::uint64_t>;

json::value or_null(const measured& value)
{
    return value ? json::value(*value) : json::value(nullptr);
}

/// The keys of all objects, in the order in which they first appear.
std::vector<std::string> all_keys(const std::vector<const json::object*>& objects)
{
    std::vector<std::string> keys;
    for (const auto* object : objects)
        if (object != nullptr)
            for (const auto& entry : *object)
                if (std::find(keys.begin(), keys.end(), entry.key()) == keys.end()) keys.emplace_back(entry.key());
    return keys;
}

/// The object at a path of each report; null if a report does not have it.
std::vector<const json::object*> objects_at(const result_list& results,
                                            const std::function<const json::value*(const json::object&)>& find)
{
    std::vector<const json::object*> objects;
    for (const auto& each : results) {
        const auto* found = find(each.report);
        objects.push_back(found == nullptr ? nullptr : found->if_object());
    }
    return objects;
}

measured cycles_in(const json::object* parts, const std::string& name)
{
    const auto* found = parts == nullptr ? nullptr : parts->if_contains(name);
    if (found == nullptr) return {};
    return found->to_number<std::uint64_t>();
}

// ---- comparable results ---------------------------------------------------------------------------------------------

bool is_draw(const json::object& report)
{
    return report.contains("draw");
}

/// "topology (points and lines)", "programs.vertex": for digests only the name.
void add_differences(const json::object& one, const json::object& other, const std::string& prefix, std::string& text)
{
    for (const auto& key : all_keys({&one, &other})) {
        const auto* a = one.if_contains(key);
        const auto* b = other.if_contains(key);
        if (a != nullptr && b != nullptr && *a == *b) continue;
        if (a != nullptr && b != nullptr && a->is_object() && b->is_object()) {
            add_differences(a->get_object(), b->get_object(), prefix + key + ".", text);
            continue;
        }
        const auto shown = [](const json::value* value) { return value == nullptr ? "none" : cell_text(*value); };
        text += (text.empty() ? "" : ", ") + prefix + key;
        const bool digest = (a != nullptr ? shown(a) : shown(b)).rfind("0x", 0) == 0;
        if (!digest || a == nullptr || b == nullptr)
            text += digest ? (a == nullptr ? " (only the second has one)" : " (only the first has one)")
                           : " (" + shown(a) + " and " + shown(b) + ")";
    }
}

/// Identifies traffic: by its generator's options; a trace by operations and bytes, which no machine changes. (For
/// generated traffic they depend on the machine: operations arrive until the last measured one has its response.)
json::object traffic_identity(const json::object& report)
{
    if (const auto* traffic = report.if_contains("traffic")) return {{"traffic", *traffic}};
    json::object identity;
    for (const auto* key : {"transactions", "bandwidth.read.bytes", "bandwidth.write.bytes"})
        if (const auto* value = value_at(report, key)) identity[key] = *value;
    return identity;
}

// ---- settings of the results ----------------------------------------------------------------------------------------

json::object difference(const std::string& key, const std::string& unit, json::array values)
{
    return {{"key", key}, {"unit", unit}, {"values", std::move(values)}};
}

bool differ(const json::array& values)
{
    return std::any_of(values.begin(), values.end(), [&](const auto& each) { return each != values.front(); });
}

/// Differences in the options of the runs and in the machine's keys.
json::array differences(const result_list& results)
{
    json::array rows;
    const auto add = [&](const char* key, const char* unit, const char* path, const json::value& otherwise = {}) {
        json::array values;
        for (const auto& each : results) {
            const auto* found = value_at(each.report, path);
            values.push_back(found == nullptr ? otherwise : *found);
        }
        if (differ(values)) rows.push_back(difference(key, unit, std::move(values)));
    };
    add("--isbe", "", "backend");
    add("--timing", "", "timing", "at");
    if (!is_draw(results.front().report)) add("--seed", "", "tool.seed"); // draws make no random choices
    for (const auto& key : config_keys()) add(key.name, key.unit, ("config." + std::string(key.name)).c_str());
    return rows;
}

// ---- cycles ---------------------------------------------------------------------------------------------------------

json::array aligned(const std::vector<const json::object*>& parts, const std::string& name, bool zero_when_absent)
{
    json::array values;
    for (const auto* each : parts) {
        auto value = cycles_in(each, name);
        if (!value && each != nullptr && zero_when_absent) value = 0;
        values.push_back(or_null(value));
    }
    return values;
}

/// {resource: {part: [cycles of each result]}}
json::object aligned_stacks(const result_list& results)
{
    json::object stacks;
    const auto at_key = [](const char* path) {
        return [path](const json::object& report) { return report.if_contains(path); };
    };
    for (const auto& resource : all_keys(objects_at(results, at_key("stacks")))) {
        const auto parts = objects_at(results, [&](const json::object& report) -> const json::value* {
            const auto* all = report.if_contains("stacks");
            const auto* stack = all == nullptr ? nullptr : all->get_object().if_contains(resource);
            return stack == nullptr ? nullptr : &stack->at("parts");
        });
        auto& rows = stacks[resource].emplace_object();
        for (const auto& part : all_keys(parts)) rows[part] = aligned(parts, part, false);
    }
    return stacks;
}

/// {part: {"cycles": [...], "counts": [...]}}; a path without a part has 0 cycles for it.
json::object aligned_path(const result_list& results)
{
    json::object path;
    const auto inner = [&](const char* key) {
        return objects_at(results, [key](const json::object& report) -> const json::value* {
            const auto* found = report.if_contains("critical_path");
            return found == nullptr ? nullptr : &found->at(key);
        });
    };
    const auto cycles = inner("parts"), counts = inner("counts");
    for (const auto& part : all_keys(counts))
        path[part] = {{"cycles", aligned(cycles, part, true)}, {"counts", aligned(counts, part, true)}};
    return path;
}

/// [{"line", "lost": [...], "issues": [...], ...}] of all instructions of any result.
json::array aligned_lines(const result_list& results)
{
    std::vector<json::object> found(results.size()); // by name
    std::vector<const json::object*> objects;
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (const auto* profile = results[i].report.if_contains("profile"))
            for (const auto& [stage, lines] : profile->get_object())
                for (const auto& line : lines.get_array()) found[i][line_name(stage, line.get_object())] = line;
        objects.push_back(&found[i]);
    }
    json::array rows;
    for (const auto& name : all_keys(objects)) {
        json::object row{{"line", name}};
        json::array lost;
        for (const auto* each : objects) {
            const auto* line = each->if_contains(name);
            lost.push_back(line == nullptr ? json::value(nullptr) : lost_cycles(line->get_object()));
        }
        row["lost"] = std::move(lost);
        for (const auto* key : {"issues", "latency_mean", "passes"}) {
            json::array values;
            for (const auto* each : objects) {
                const auto* line = each->if_contains(name);
                const auto* value = line == nullptr ? nullptr : line->get_object().if_contains(key);
                values.push_back(value == nullptr ? json::value(nullptr) : *value);
            }
            row[key] = std::move(values);
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

/// Figures that differ between results, by report.json's names.
json::array moved_figures(const result_list& results)
{
    std::vector<json::object> figures;
    for (const auto& each : results) figures.push_back(figures_of(each.report));
    std::vector<const json::object*> objects;
    objects.reserve(figures.size());
    for (const auto& each : figures) objects.push_back(&each);
    json::array rows;
    for (const auto& key : all_keys(objects)) {
        json::array values;
        for (const auto* each : objects) {
            const auto* found = each->if_contains(key);
            values.push_back(found == nullptr ? json::value(nullptr) : *found);
        }
        if (!differ(values)) continue;
        if (const auto* known = find_figure(key)) rows.push_back(difference(key, known->unit, std::move(values)));
    }
    return rows;
}

// ---- largest changes ------------------------------------------------------------------------------------------------

struct part_move {
    std::string name;
    std::uint64_t from = 0;
    std::uint64_t to = 0;
};

/// Finds the largest change in the same direction as the cycles.
class furthest {
public:
    explicit furthest(bool up) : up_(up) {}

    void see(const std::string& name, const json::value& before, const json::value& after)
    {
        if (before.is_null() || after.is_null()) return;
        const part_move move{name, before.to_number<std::uint64_t>(), after.to_number<std::uint64_t>()};
        if ((up_ ? move.to > move.from : move.to < move.from) && (!most_ || size(move) > size(*most_))) most_ = move;
    }
    const std::optional<part_move>& most() const { return most_; }

private:
    static std::uint64_t size(const part_move& move)
    {
        return std::max(move.from, move.to) - std::min(move.from, move.to);
    }

    bool up_;
    std::optional<part_move> most_;
};

json::object move_json(const part_move& move)
{
    return {{"part", move.name}, {"from", move.from}, {"to", move.to}};
}

std::string move_text(const part_move& move, bool up)
{
    return move.name + (up ? " grew most" : " shrank most") + ", from " + std::to_string(move.from) + " to " +
           std::to_string(move.to) + " cycles";
}

/// The reason for the change in cycles, as far as the results show it.
std::string cause_text(const json::array& differ_in, const compared_result& before, const compared_result& after,
                       std::size_t index, json::object& change)
{
    std::vector<const json::value*> changed;
    for (const auto& each : differ_in) {
        const auto& values = each.at("values").get_array();
        if (values.front() != values[index]) changed.push_back(&each);
    }
    if (changed.empty())
        return before.cycles() == after.cycles() ? ""
                                                 : "No key differs: it is the simulator that does, by another build.";
    if (changed.size() > 1)
        return std::to_string(changed.size()) + " of the settings above differ: what each of them did is not known "
                                                "without runs that differ in one.";
    const auto& only = changed.front()->get_object();
    const auto& values = only.at("values").get_array();
    const auto shown = [&](const json::value& value) { return value.is_null() ? "none" : cell_text(value); };
    const auto key = cell_text(only.at("key")), unit = cell_text(only.at("unit"));
    std::string text = "Only " + key + " differs (" + shown(values.front()) + " and " + shown(values[index]) +
                       (unit.empty() ? "" : " " + unit) + ")";
    if (before.cycles() == after.cycles()) return text + ".";
    if (before.is_estimate() || after.is_estimate())
        return text + "; cycles that are estimated do not show what it did.";
    change["cause"] = key;
    return text + ": it is the cause.";
}

std::string error_text(const compared_result& result)
{
    const auto* error = result.report.at("estimate").get_object().if_contains("error");
    if (error == nullptr) return "of unknown error";
    return "within " + cell_text(error->to_number<double>() * 100) + " % over the shipped draws on such machines";
}

/// A caution about cycles that are estimates.
std::string estimate_text(const compared_result& before, const compared_result& after)
{
    if (!before.is_estimate() && !after.is_estimate()) return "";
    if (before.is_estimate() && after.is_estimate())
        return " Both are estimates (" + before.name + " " + error_text(before) + ", " + after.name + " " +
               error_text(after) + ").";
    const auto& estimate = before.is_estimate() ? before : after;
    const auto& exact = before.is_estimate() ? after : before;
    return " " + estimate.name + " is an estimate, " + error_text(estimate) + ", and " + exact.name +
           " is exact: what lies between them is no measure of the machines alone.";
}

/// Without the numbers of SM and unit: "waiting.geometry" for pe.sm1.waiting.geometry.
std::string unit_of(std::string_view resource)
{
    const auto kind = kind_of(resource);
    const auto after = kind.rfind("sm", 0) == 0 ? kind.find_first_not_of("0123456789", 2) : std::string::npos;
    return after != std::string::npos && after > 2 && kind[after] == '.' ? kind.substr(after + 1) : kind;
}

/// Units whose numbers differ between two machines, with both numbers: their stacks differ because work goes elsewhere.
/// A chip's stack adds up the cycles of all its units.
std::map<std::string, std::array<std::uint64_t, 2>> uneven_units(const compared_result& before,
                                                                 const compared_result& after)
{
    std::map<std::string, std::array<std::uint64_t, 2>> units;
    const std::array results{&before, &after};
    for (std::size_t i = 0; i < results.size(); ++i) {
        const auto* stacks = results[i]->report.if_contains("stacks");
        if (stacks == nullptr) return {};
        const auto cycles = std::max<std::uint64_t>(results[i]->cycles(), 1);
        for (const auto& [resource, stack] : stacks->get_object())
            units[unit_of(resource)][i] += (stack.at("cycles").to_number<std::uint64_t>() + cycles / 2) / cycles;
    }
    for (auto unit = units.begin(); unit != units.end();)
        unit = unit->second[0] == unit->second[1] ? units.erase(unit) : std::next(unit);
    return units;
}

std::string uneven_text(const std::map<std::string, std::array<std::uint64_t, 2>>& units)
{
    std::string text;
    for (const auto& [unit, counts] : units)
        text += (text.empty() ? " Numbers of units differ, whose stacks are no reason: " : ", ") + unit + " (" +
                std::to_string(counts[0]) + " and " + std::to_string(counts[1]) + ")";
    return text.empty() ? text : text + ".";
}

json::object change_json(const result_list& results, std::size_t index, const json::object& comparison)
{
    const auto& before = results.front();
    const auto& after = results[index];
    const auto a = before.cycles(), b = after.cycles();
    const bool up = b > a;
    json::object change{{"from", before.name}, {"to", after.name}};
    change["cycles"] = up ? static_cast<std::int64_t>(b - a) : -static_cast<std::int64_t>(a - b);
    if (a != 0) change["percent"] = 100 * (static_cast<double>(b) - static_cast<double>(a)) / static_cast<double>(a);
    std::string text = after.label() + " takes " + std::to_string(b) + " cycles, ";
    if (a == b)
        text += "as " + before.label() + " does.";
    else
        text += std::to_string(up ? b - a : a - b) + (up ? " more" : " fewer") + " than " + before.label() + " (" +
                change_text(static_cast<double>(a), static_cast<double>(b)) + ").";
    text += estimate_text(before, after);
    furthest stack(up), path(up), line(up);
    const auto uneven = uneven_units(before, after);
    for (const auto& [resource, parts] : comparison.at("stacks").get_object())
        for (const auto& [part, values] : parts.get_object())
            if (!is_idle_part({part.data(), part.size()}) && uneven.count(unit_of(resource)) == 0)
                stack.see(std::string(resource) + " " + std::string(part), values.at(0), values.at(index));
    for (const auto& [part, values] : comparison.at("critical_path").get_object())
        path.see(std::string(part), values.at("cycles").at(0), values.at("cycles").at(index));
    text += uneven_text(uneven);
    if (a != b && stack.most()) {
        change["stack"] = move_json(*stack.most());
        text += " In the stacks " + move_text(*stack.most(), up) + ".";
    }
    if (a != b && path.most()) {
        change["critical_path"] = move_json(*path.most());
        text += " On the critical path " + move_text(*path.most(), up) + ".";
    }
    for (const auto& each : comparison.at("lines").get_array())
        line.see(cell_text(each.at("line")), each.at("lost").at(0), each.at("lost").at(index));
    if (a != b && line.most()) {
        change["line"] = move_json(*line.most());
        text += " What warps lost before " + move_text(*line.most(), up) + ".";
    }
    for (const auto* part : {"stacks", "critical_path"})
        for (const auto* each : {&before, &after})
            if (!each->report.contains(part) && is_draw(each->report))
                text += " " + each->name + " has no " + (part[0] == 's' ? "stacks" : "critical path") + ".";
    if (const auto cause = cause_text(comparison.at("differs").get_array(), before, after, index, change);
        !cause.empty())
        text += " " + cause;
    change["text"] = text;
    return change;
}

json::object facts_of(const compared_result& result)
{
    json::object facts{{"name", result.name}, {"path", result.path}};
    for (const auto* key : {"scenario", "backend", "timing", "cycles", "time_ns", "estimate", "of"})
        if (const auto* value = result.report.if_contains(key)) facts[key] = *value;
    facts["status"] = result.report.at("result").at("status");
    return facts;
}

} // namespace

cycle_limit read_cycle_limit(const std::string& text, const source_place& place)
{
    constexpr std::size_t most_digits = 12; // of 64 bits; the comparison has 128
    cycle_limit limit;
    std::size_t digits = 0;
    bool point = false;
    const auto end = !text.empty() && text.back() == '%' ? text.size() - 1 : text.size();
    for (std::size_t i = 0; i < end; ++i) {
        if (text[i] == '.' && !point && digits != 0) {
            point = true;
            continue;
        }
        if (text[i] < '0' || text[i] > '9' || ++digits > most_digits) {
            digits = 0;
            break;
        }
        limit.percent = limit.percent * 10 + static_cast<unsigned>(text[i] - '0');
        if (point) limit.scale *= 10;
    }
    if (digits == 0 || text[end - 1] == '.')
        throw input_error(place, "--fail-above is '" + text + "', expected a percentage such as 2% or 0.5%");
    return limit;
}

bool cycle_limit::is_exceeded(std::uint64_t base, std::uint64_t cycles) const
{
    __extension__ using wide = unsigned __int128;
    return cycles > base && wide{cycles - base} * 100 * scale > wide{base} * percent;
}

std::string different_work(const json::object& report, const json::object& other)
{
    if (is_draw(report) != is_draw(other))
        return is_draw(report) ? "a draw and traffic straight into an ISBE"
                               : "traffic straight into an ISBE and a draw";
    std::string text;
    if (is_draw(report))
        add_differences(report.at("draw").get_object(), other.at("draw").get_object(), "", text);
    else
        add_differences(traffic_identity(report), traffic_identity(other), "", text);
    return text;
}

json::object compare_results(const result_list& results)
{
    json::object comparison{{"tool", {{"name", "isbesim"}, {"version", version_text}}}};
    json::array facts, changes;
    for (const auto& each : results) facts.push_back(facts_of(each));
    comparison["results"] = std::move(facts);
    if (const auto* draw = results.front().report.if_contains("draw")) comparison["draw"] = *draw;
    comparison["differs"] = differences(results);
    comparison["stacks"] = aligned_stacks(results);
    comparison["critical_path"] = aligned_path(results);
    comparison["lines"] = aligned_lines(results);
    comparison["figures"] = moved_figures(results);
    for (std::size_t i = 1; i < results.size(); ++i) changes.push_back(change_json(results, i, comparison));
    comparison["changes"] = std::move(changes);
    return comparison;
}

bool is_idle_part(std::string_view part)
{
    static constexpr std::string_view names[] = {"no_warp", "no_request", "no_vertices", "idle", "none_waits", "ended"};
    return std::find(std::begin(names), std::end(names), part) != std::end(names);
}

std::string change_text(double before, double after)
{
    if (before == 0) return "";
    char text[40];
    std::snprintf(text, sizeof text, "%+.2f %%", 100 * (after - before) / before);
    return text;
}

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/report_tables.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "testbench/files/json_text.h"
#include "testbench/report/cycle_stacks.h"
#include "tlm/hex.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

std::string name(json::string_view key)
{
    return {key.data(), key.size()};
}

/// {x: {a: 1}, y: {a: 2, b: 3}} -> a row per x, y and a column per a, b.
report_table grid(const json::object& object, const char* first)
{
    report_table table{{first}, {}};
    for (const auto& entry : object) {
        std::vector<std::string> row = {name(entry.key())};
        for (const auto& inner : entry.value().get_object()) {
            if (row.size() == table.header.size()) table.header.push_back(name(inner.key()));
            row.push_back(cell_text(inner.value()));
        }
        table.rows.push_back(std::move(row));
    }
    for (auto& row : table.rows) row.resize(table.header.size());
    return table;
}

} // namespace

std::string cell_text(const json::value& value)
{
    if (value.is_double()) {
        char text[32];
        const double number = value.get_double();
        std::snprintf(text, sizeof text, std::abs(number) < 1000 ? "%.4g" : "%.0f", number);
        return text;
    }
    if (value.is_int64()) return std::to_string(value.get_int64());
    if (value.is_uint64()) return std::to_string(value.get_uint64());
    if (value.is_bool()) return value.get_bool() ? "true" : "false";
    if (value.is_string()) return {value.get_string().data(), value.get_string().size()};
    if (value.is_null()) return "";
    return json_text(value, 1000);
}

report_table pair_table(const json::object& object, const char* first, const char* second)
{
    report_table table{{first, second}, {}};
    for (const auto& entry : object) table.rows.push_back({name(entry.key()), cell_text(entry.value())});
    return table;
}

report_table list_table(const json::array& array)
{
    report_table table;
    for (const auto& entry : array) {
        std::vector<std::string> row;
        for (const auto& inner : entry.get_object()) {
            if (table.rows.empty()) table.header.push_back(name(inner.key()));
            row.push_back(cell_text(inner.value()));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

void flatten(const json::object& object, const std::string& prefix, report_table& table)
{
    for (const auto& entry : object) {
        const auto key = prefix + name(entry.key());
        if (entry.value().is_object()) {
            flatten(entry.value().get_object(), key + ".", table);
        } else if (entry.value().is_array()) {
            json::object numbered; // a list of ports: ports.0, ports.1
            for (const auto& each : entry.value().get_array()) numbered[std::to_string(numbered.size())] = each;
            flatten(numbered, key + ".", table);
        } else {
            table.rows.push_back({key, cell_text(entry.value())});
        }
    }
}

report_table isbe_table(const json::object& config)
{
    report_table table{{"key", "value"}, {}};
    flatten({{"clock_ghz", config.at("clock_ghz")}, {"isbe", config.at("isbe")}}, "", table);
    return table;
}

report_table instance_table(const json::array& array)
{
    report_table table{{"figure"}, {}};
    for (std::size_t i = 0; i < array.size(); ++i) {
        report_table one;
        flatten(array[i].get_object(), "", one);
        table.header.push_back("sm " + std::to_string(i));
        // An instance has no latency of an opcode that it has not executed: rows belong together by their names.
        auto place = table.rows.begin();
        for (const auto& figure : one.rows) {
            const auto found = std::find_if(table.rows.begin(), table.rows.end(),
                                            [&](const auto& row) { return row.front() == figure.front(); });
            place = found == table.rows.end() ? table.rows.emplace(place, 1, figure.front()) : found;
            place->resize(i + 1);
            place->push_back(figure.back());
            ++place;
        }
    }
    for (auto& row : table.rows) row.resize(table.header.size());
    return table;
}

report_table figure_table(const json::object& values, const figure_section& section)
{
    const auto grouped = [](const auto& entry) { return entry.value().is_object(); };
    if (!values.empty() && std::all_of(values.begin(), values.end(), grouped)) return grid(values, section.item);
    report_table table{{section.item, section.value}, {}};
    flatten(values, "", table);
    return table;
}

report_table stack_table(const json::object& stacks)
{
    report_table table{{"resource", "cycles", "busy", "parts"}, {}};
    for (const auto& entry : stacks) {
        const auto& stack = entry.value().get_object();
        const auto percent = [&](const json::value& part) {
            return percent_text(part.to_number<std::uint64_t>(), stack.at("cycles").to_number<std::uint64_t>());
        };
        std::string parts;
        for (const auto& part : stack.at("parts").get_object())
            if (part.value().to_number<std::uint64_t>() != 0)
                parts += (parts.empty() ? "" : ", ") + name(part.key()) + " " + percent(part.value());
        table.rows.push_back({name(entry.key()), cell_text(stack.at("cycles")), percent(stack.at("busy")), parts});
    }
    return table;
}

report_table path_table(const json::object& path)
{
    report_table table{{"part", "cycles", "share", "times"}, {}};
    std::vector<std::pair<std::uint64_t, const json::key_value_pair*>> order;
    const auto& parts = path.at("parts").get_object();
    for (const auto& count : path.at("counts").get_object()) {
        const auto* cycles = parts.if_contains(count.key());
        order.emplace_back(cycles == nullptr ? 0 : cycles->to_number<std::uint64_t>(), &count);
    }
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [cycles, count] : order)
        table.rows.push_back({name(count->key()), std::to_string(cycles),
                              percent_text(cycles, path.at("cycles").to_number<std::uint64_t>()),
                              cell_text(count->value())});
    return table;
}

void for_each_histogram(const json::object& histograms,
                        const std::function<void(const std::string& name, const json::array& bins)>& take)
{
    for (const auto& [key, value] : histograms) {
        const std::string name(key);
        if (value.is_array())
            take(name, value.get_array());
        else
            for_each_histogram(value.get_object(), [&](const std::string& inner, const json::array& bins) {
                take(name + "." + inner, bins);
            });
    }
}

report_table histogram_table(const json::object& histograms)
{
    report_table table{{"of", "all", "value: how many"}, {}};
    for_each_histogram(histograms, [&](const std::string& name, const json::array& bins) {
        std::uint64_t all = 0;
        std::string text;
        for (const auto& bin : bins) {
            const auto& [first, last, count] = std::tie(bin.at(0), bin.at(1), bin.at(2));
            all += count.to_number<std::uint64_t>();
            text += (text.empty() ? "" : ", ") + cell_text(first) + (first == last ? "" : "-" + cell_text(last)) +
                    ": " + cell_text(count);
        }
        table.rows.push_back({name, std::to_string(all), text});
    });
    return table;
}

std::string line_name(const std::string& stage, const json::object& line)
{
    const auto* text = line.if_contains("text");
    return stage + " " + hex(line.at("pc").to_number<std::uint64_t>(), 4) + (text == nullptr ? "" : " ") +
           (text == nullptr ? "" : cell_text(*text));
}

std::uint64_t lost_cycles(const json::object& line)
{
    std::uint64_t sum = 0;
    for (const auto* reason : {"stall_count", "scoreboard", "pipe", "issue_slot"})
        if (const auto* cycles = line.if_contains(reason)) sum += cycles->to_number<std::uint64_t>();
    return sum;
}

bool has_sources(const json::object& profile)
{
    for (const auto& [stage, lines] : profile)
        for (const auto& line : lines.get_array())
            if (line.get_object().contains("source")) return true;
    return false;
}

report_table source_table(const json::object& profile)
{
    static constexpr const char* columns[] = {"issues", "passes", "bank_conflict"};
    std::map<std::pair<std::string, std::string>, std::array<std::uint64_t, 4>> sums; // lost cycles, then columns
    for (const auto& [stage, lines] : profile)
        for (const auto& each : lines.get_array()) {
            const auto& line = each.get_object();
            auto& sum = sums[{stage, line.contains("source") ? cell_text(line.at("source")) : "(no line)"}];
            sum[0] += lost_cycles(line);
            for (std::size_t c = 0; c < std::size(columns); ++c)
                sum[c + 1] += line.at(columns[c]).to_number<std::uint64_t>();
        }
    std::vector<std::pair<std::vector<std::string>, std::uint64_t>> order;
    for (const auto& [where, sum] : sums) {
        order.push_back({{where.first + " " + where.second}, sum[0]});
        for (const auto value : sum) order.back().first.push_back(std::to_string(value));
    }
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    report_table table{{"source line", "cycles lost", "issues", "passes", "bank conflict"}, {}};
    for (auto& [row, lost] : order) table.rows.push_back(std::move(row));
    return table;
}

report_table profile_table(const json::object& profile)
{
    static constexpr const char* columns[] = {"issues",     "stall_count",  "scoreboard",  "pipe",   "unit",
                                              "issue_slot", "latency_mean", "latency_max", "passes", "bank_conflict"};
    const bool sources = has_sources(profile);
    report_table table{{"instruction", "cycles lost"}, {}};
    if (sources) table.header.emplace_back("source");
    for (const auto* column : columns) {
        table.header.emplace_back(column);
        for (auto& c : table.header.back()) c = c == '_' ? ' ' : c; // so that a heading can wrap
    }
    std::vector<std::pair<std::uint64_t, std::vector<std::string>>> order;
    for (const auto& [stage, lines] : profile)
        for (const auto& each : lines.get_array()) {
            const auto& line = each.get_object();
            const auto lost = lost_cycles(line);
            std::vector<std::string> row{line_name(stage, line), std::to_string(lost)};
            if (sources) row.push_back(line.contains("source") ? cell_text(line.at("source")) : "");
            for (const auto* column : columns) {
                const auto* value = line.if_contains(column);
                row.push_back(value == nullptr ? "" : cell_text(*value));
            }
            order.emplace_back(lost, std::move(row));
        }
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (auto& [lost, row] : order) table.rows.push_back(std::move(row));
    return table;
}

std::string profile_covers()
{
    return "Instructions that were issued, all SMs. stall_count, scoreboard, pipe, issue_slot: cycles of its warps "
           "between the issue before, or the launch, and its own, by what held them back last: the stall count of the "
           "one before, a scoreboard (of what an earlier instruction makes), other instructions in its pipe, the unit, "
           "other warps of the scheduler or a full attribute queue. "
           "Latency: from issue to result, of the attribute path as under latency. passes: cycles that its operations "
           "held the pass engine, bank_conflict: those beyond the ideal.";
}

std::vector<figure_note> figure_notes(const std::string& section)
{
    std::vector<figure_note> result;
    for (const auto& f : figures())
        if (f.section == section) result.push_back({f.path, f.unit, f.description});
    return result;
}

std::vector<report_section> figure_page_sections(const json::object& report)
{
    std::vector<figure_section> order;
    for (const auto& section : figure_sections())
        if (section.page_place != 0 && report.contains(section.name)) order.push_back(section);
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.page_place < b.page_place; });
    std::vector<report_section> sections;
    sections.reserve(order.size());
    for (const auto& section : order)
        sections.push_back({section.title, cell_text(report.at("covers").at(section.name)),
                            figure_table(report.at(section.name).get_object(), section), figure_notes(section.name)});
    return sections;
}

} // namespace isbesim::testbench

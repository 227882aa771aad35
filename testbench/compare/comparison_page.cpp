// SPDX-License-Identifier: Apache-2.0
#include "testbench/compare/comparison_page.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <ostream>
#include <utility>

#include "testbench/compare/comparison.h"
#include "testbench/figures/figures.h"
#include "testbench/report/critical_path.h"
#include "testbench/report/cycle_stacks.h"
#include "testbench/report/origin.h"
#include "testbench/report/page_text.h"
#include "testbench/report/report_tables.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

constexpr const char* page_script =
#include "testbench/compare.js.inc" // written by testbench/CMakeLists.txt
    ;
/// Not measured, or no such resource.
constexpr const char* not_measured = "none";

std::string name_of_result(const json::object& result)
{
    return cell_text(result.at("name")) + (result.contains("estimate") ? " (estimate)" : "");
}

/// {first, "A", "B (estimate)", ...}
std::vector<std::string> header(const json::array& results, const char* first)
{
    std::vector<std::string> titles{first};
    for (const auto& each : results) titles.push_back(name_of_result(each.get_object()));
    return titles;
}

/// ..., "B - A", "C - A"
void add_changes(const json::array& results, std::vector<std::string>& titles)
{
    const auto& first = results.front().get_object();
    for (std::size_t i = 1; i < results.size(); ++i) {
        const auto& other = results[i].get_object();
        const bool estimated = first.contains("estimate") || other.contains("estimate");
        titles.push_back(cell_text(other.at("name")) + " - " + cell_text(first.at("name")) +
                         (estimated ? " (estimate)" : ""));
    }
}

std::string value_text(const json::value& value)
{
    return value.is_null() ? not_measured : cell_text(value);
}

/// "+12", "-3", "0"; empty if one was not measured.
std::string step_text(const json::value& before, const json::value& after)
{
    if (before.is_null() || after.is_null()) return "";
    const auto a = before.to_number<std::int64_t>(), b = after.to_number<std::int64_t>();
    return (b > a ? "+" : "") + std::to_string(b - a);
}

/// Against the first result; results that did not measure the part do not count.
std::uint64_t largest_change(const json::array& values)
{
    std::uint64_t most = 0;
    for (const auto& each : values) {
        if (each.is_null() || values.front().is_null()) continue;
        const auto a = values.front().to_number<std::uint64_t>(), b = each.to_number<std::uint64_t>();
        most = std::max(most, std::max(a, b) - std::min(a, b));
    }
    return most;
}

bool is_all_zero(const json::array& values)
{
    return std::all_of(values.begin(), values.end(),
                       [](const json::value& each) { return each.is_null() || each.to_number<std::uint64_t>() == 0; });
}

struct part_row {
    std::string name;
    const json::array* cycles;
    const json::array* counts; ///< of a path, or null
    bool idle = false;
};

/// Largest changes first, idle parts last; if `most` limits the rows, only changed parts that are not idle.
report_table parts_table(const json::array& results, const char* first, std::vector<part_row> rows,
                         const char* counted_as, std::size_t most)
{
    report_table table{header(results, first), {}};
    add_changes(results, table.header);
    const bool counted = !rows.empty() && rows.front().counts != nullptr;
    for (std::size_t i = 0; counted && i < results.size(); ++i)
        table.header.push_back(counted_as + (" " + cell_text(results[i].at("name"))));
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        return std::make_pair(a.idle, largest_change(*b.cycles)) < std::make_pair(b.idle, largest_change(*a.cycles));
    });
    if (most < rows.size()) {
        const auto is_unchanged = [](const auto& row) { return row.idle || largest_change(*row.cycles) == 0; };
        rows.erase(std::find_if(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(most), is_unchanged),
                   rows.end());
    }
    for (const auto& row : rows) {
        std::vector<std::string> cells{row.name};
        for (const auto& each : *row.cycles) cells.push_back(value_text(each));
        for (std::size_t i = 1; i < row.cycles->size(); ++i)
            cells.push_back(step_text(row.cycles->front(), (*row.cycles)[i]));
        for (std::size_t i = 0; counted && i < row.counts->size(); ++i) cells.push_back(value_text((*row.counts)[i]));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

std::vector<part_row> stack_rows(const json::object& stacks)
{
    std::vector<part_row> rows;
    for (const auto& [resource, parts] : stacks)
        for (const auto& [part, values] : parts.get_object())
            if (!is_all_zero(values.get_array()))
                rows.push_back({std::string(resource) + " " + std::string(part), &values.get_array(), nullptr,
                                is_idle_part({part.data(), part.size()})});
    return rows;
}

std::vector<part_row> critical_path_rows(const json::object& path)
{
    std::vector<part_row> rows;
    for (const auto& [part, both] : path)
        rows.push_back({part, &both.at("cycles").get_array(), &both.at("counts").get_array(), false});
    return rows;
}

report_table differs_table(const json::object& comparison)
{
    const auto& results = comparison.at("results").get_array();
    report_table table{header(results, "key"), {}};
    table.header.emplace_back("unit");
    for (const auto& each : comparison.at("differs").get_array()) {
        std::vector<std::string> row{cell_text(each.at("key"))};
        for (const auto& value : each.at("values").get_array()) row.push_back(value_text(value));
        row.push_back(cell_text(each.at("unit")));
        table.rows.push_back(std::move(row));
    }
    return table;
}

report_table results_table(const json::object& comparison)
{
    const auto& results = comparison.at("results").get_array();
    report_table table{header(results, "result"), {}};
    const auto add = [&](const char* title, const char* key) {
        std::vector<std::string> row{title};
        for (const auto& each : results) {
            const auto* value = each.get_object().if_contains(key);
            row.push_back(value == nullptr ? "" : cell_text(*value));
        }
        table.rows.push_back(std::move(row));
    };
    add("result of", "path");
    add("back end", "backend");
    add("ended", "status");
    add("cycles", "cycles");
    std::vector<std::string> change{"change", ""};
    for (const auto& each : comparison.at("changes").get_array()) {
        const auto* percent = each.get_object().if_contains("percent");
        change.push_back(percent == nullptr ? "" : change_text(100, 100 + percent->to_number<double>()));
    }
    table.rows.push_back(std::move(change));
    add("time (ns)", "time_ns");
    return table;
}

report_table figures_table(const json::object& comparison)
{
    const auto& results = comparison.at("results").get_array();
    report_table table{header(results, "figure"), {}};
    add_changes(results, table.header);
    table.header.emplace_back("unit");
    for (const auto& each : comparison.at("figures").get_array()) {
        const auto& values = each.at("values").get_array();
        std::vector<std::string> row{cell_text(each.at("key"))};
        for (const auto& value : values) row.push_back(value_text(value));
        for (std::size_t i = 1; i < values.size(); ++i)
            row.push_back(values.front().is_number() && values[i].is_number()
                              ? change_text(values.front().to_number<double>(), values[i].to_number<double>())
                              : "");
        row.push_back(cell_text(each.at("unit")));
        table.rows.push_back(std::move(row));
    }
    return table;
}

/// The data of the charts.
json::object chart_data(const std::vector<compared_result>& results)
{
    json::array all;
    for (const auto& each : results) {
        json::object one{{"label", each.label()}};
        for (const auto* key : {"cycles", "stacks", "critical_path"})
            if (const auto* value = each.report.if_contains(key)) one[key] = *value;
        if (const auto* series = each.report.if_contains("series"); series != nullptr && series->is_object()) {
            json::object kept;
            for (const auto* key :
                 {"bin_cycles", "last_bin_cycles", "read_bytes", "write_bytes", "isbe_lines", "warps"})
                if (const auto* value = series->get_object().if_contains(key)) kept[key] = *value;
            if (kept.contains("read_bytes")) one["series"] = std::move(kept);
        }
        all.push_back(std::move(one));
    }
    json::object known;
    for (const auto* key : {"bandwidth.read.bytes_per_cycle", "bandwidth.write.bytes_per_cycle",
                            "occupancy.isbe_lines_mean", "occupancy.warps_mean"})
        if (const auto* f = find_figure(key)) known[key] = {{"unit", f->unit}};
    return {{"results", std::move(all)}, {"figures", std::move(known)}};
}

} // namespace

report_page make_comparison_page(const json::object& comparison, std::size_t most_rows)
{
    const auto& results = comparison.at("results").get_array();
    report_page page;
    std::string names;
    for (const auto& each : results) names += (names.empty() ? "" : ", ") + cell_text(each.at("path"));
    page.title = "isbesim compare: " + names;
    for (const auto& each : comparison.at("changes").get_array())
        page.verdict += (page.verdict.empty() ? "" : "\n") + cell_text(each.at("text"));
    if (const auto* call = comparison.if_contains("of")) page.origin = call_text(call->get_object());
    for (const auto& each : results)
        if (const auto text = origin_text(each.get_object()); !text.empty())
            page.origin += "\n" + name_of_result(each.get_object()) + ": " + text;
    if (const auto* limit = comparison.if_contains("limit")) page.bottleneck = cell_text(limit->at("text"));
    const auto add = [&](const char* title, std::string covers, report_table table) {
        if (!table.rows.empty()) page.sections.push_back({title, std::move(covers), std::move(table)});
    };
    add("What differs", "How the runs were made, and keys of the machine; isbesim help config explains each key.",
        differs_table(comparison));
    add("Cycles", "Changes are those against the first result.", results_table(comparison));
    page.in_front = page.sections.size();
    add("Where every cycle went",
        "Cycles of the parts of each resource, those that moved furthest first, without work last; none: not measured, "
        "or no such resource. " +
            stacks_cover(),
        parts_table(results, "part", stack_rows(comparison.at("stacks").get_object()), "", most_rows));
    add("Critical path",
        "Cycles, those that moved furthest first, and how often the path comes through; none: not measured. " +
            path_covers(),
        parts_table(results, "part", critical_path_rows(comparison.at("critical_path").get_object()), "times",
                    most_rows));
    std::vector<part_row> lines;
    for (const auto& each : comparison.at("lines").get_array())
        lines.push_back(
            {cell_text(each.at("line")), &each.at("lost").get_array(), &each.at("issues").get_array(), false});
    add("Where in the programs",
        "Cycles that warps lost before the instruction, those that moved furthest first, and its issues. " +
            profile_covers(),
        parts_table(results, "instruction", std::move(lines), "issues", most_rows));
    page.in_summary = page.sections.size();
    add("Figures that moved",
        "Those that are the same in all results are left out; isbesim help figures explains each.",
        figures_table(comparison));
    return page;
}

void write_comparison_html(std::ostream& out, const json::object& comparison,
                           const std::vector<compared_result>& results)
{
    auto page = make_comparison_page(comparison, std::numeric_limits<std::size_t>::max());
    if (!comparison.at("differs").get_array().empty()) {
        page.first = std::move(page.sections.front());
        page.sections.erase(page.sections.begin());
        --page.in_front;
    }
    auto shown = page_json(page);
    shown["data"] = chart_data(results);
    out << page_text(shown, page_script);
}

} // namespace isbesim::testbench

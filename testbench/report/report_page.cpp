// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/report_page.h"

#include <algorithm>
#include <iomanip>
#include <ostream>
#include <sstream>
#include <utility>

#include <boost/json/value_from.hpp>

#include "testbench/figures/figures.h"
#include "testbench/files/growing_text.h"
#include "testbench/files/json_text.h"
#include "testbench/report/critical_path.h"
#include "testbench/report/estimate.h"
#include "testbench/report/origin.h"
#include "testbench/report/page_text.h"
#include "testbench/report/result_folder.h"
#include "testbench/report/what_if.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

constexpr const char* page_script =
#include "testbench/report.js.inc" // written by testbench/CMakeLists.txt
    ;

/// The data of the charts.
json::object chart_data(const json::object& report)
{
    json::object data;
    for (const auto* key :
         {"cycles", "latency", "stalls", "series", "stacks", "critical_path", "config", "tpcs", "histograms"})
        if (const auto* value = report.if_contains(key)) data[key] = *value;
    const auto* instances = report.if_contains("per_instance");
    data["isbes"] = instances == nullptr ? 1 : instances->get_array().size();
    if (const auto* text = report.at("covers").get_object().if_contains("stalls")) data["covers"] = {{"stalls", *text}};
    json::object known;
    for (const auto& f : figures())
        if (f.section.empty() || report.contains(f.section))
            known[f.key()] = {{"unit", f.unit}, {"description", f.description}};
    data["figures"] = std::move(known);
    return data;
}

/// The figures of the summary: the first ten that are there and not 0.
std::vector<std::vector<std::string>> main_figures(const json::object& report, const std::string& label)
{
    constexpr std::size_t most = 10;
    std::vector<std::vector<std::string>> rows;
    for (const std::string name :
         {"cycles", "output.primitives_in", "output.vertices_captured", "occupancy.isbe_lines_peak",
          "occupancy.warps_mean", "latency.ald.p50", "latency.ald.p99", "latency.ast.p50", "bank_conflicts.efficiency",
          "bandwidth.total.bytes_per_cycle", "stalls.isbe_full", "stalls.port_contention", "stalls.scoreboard"}) {
        const json::value* value = nullptr;
        const json::object* in = &report;
        for (std::size_t begin = 0; in != nullptr && begin <= name.size();) {
            const auto end = std::min(name.find('.', begin), name.size());
            value = in->if_contains(name.substr(begin, end - begin));
            in = value != nullptr ? value->if_object() : nullptr;
            begin = end + 1;
        }
        if (value == nullptr || !value->is_number() || value->to_number<double>() == 0 || rows.size() == most) continue;
        rows.push_back({name, cell_text(*value), " (" + find_figure(name)->unit + ")" + (rows.empty() ? label : "")});
    }
    return rows;
}

} // namespace

report_page make_page(const json::object& report)
{
    report_page page;
    const auto object = [&](const char* key) -> const json::object& { return report.at(key).get_object(); };
    const auto covers = [&](const char* key) { return cell_text(object("covers").at(key)); };
    const auto& result = object("result");
    page.title = "isbesim: " + cell_text(report.at("scenario"));
    page.origin = origin_text(report);
    page.verdict = cell_text(result.at("text"));
    if (const auto* text = report.if_contains("bottleneck")) page.bottleneck = cell_text(*text);
    if (const auto* path = report.if_contains("critical_path")) page.bottleneck += " " + path_text(path->get_object());
    page.first = {"Warnings", "Legal but suspicious input and behaviour of the programs, by place; count: how often.",
                  list_table(report.at("warnings").get_array())};

    const auto known = estimate_of(cell_text(report.at("backend")), report.contains("timing"), object("config"));
    if (known) page.bottleneck = known->text();
    const std::string label = known ? " (estimate)" : "";
    page.measured = measured_text(report);
    page.figures = main_figures(report, label);
    if (report.contains("what_if")) {
        page.measured = what_if_text(report);
        page.sections.push_back({"What if", covers("what_if"), what_if_table(report)});
        ++page.in_summary;
        ++page.in_front;
    }
    if (const auto* text = report.if_contains("rests_on")) page.bottleneck += " " + cell_text(*text);
    report_table overview{{"figure", "value"}, {{"backend", cell_text(report.at("backend"))}}};
    if (const auto* timing = report.if_contains("timing")) overview.rows.push_back({"timing", cell_text(*timing)});
    overview.rows.push_back({"cycles", cell_text(report.at("cycles")) + label});
    overview.rows.push_back({"time (ns)", cell_text(report.at("time_ns")) + label});
    for (const auto& entry : object("output"))
        overview.rows.push_back({std::string(entry.key()), cell_text(entry.value())});
    auto draw_notes = figure_notes("");
    for (auto& note : figure_notes("output")) draw_notes.push_back(std::move(note));
    page.sections.push_back({"Draw",
                             "Cycles: " + covers("cycles") + " Time: " + covers("time_ns") + " " + covers("output") +
                                 " " + covers("consumer"),
                             std::move(overview), std::move(draw_notes)});
    if (const auto* chip = report.if_contains("chip")) {
        report_table table{{"figure", "value"}, {}};
        flatten(chip->get_object(), "", table);
        page.sections.push_back({"Chip", covers("chip"), std::move(table), figure_notes("chip")});
        ++page.in_summary;
    }
    for (auto& section : figure_page_sections(report)) page.sections.push_back(std::move(section));
    if (const auto* tpcs = report.if_contains("tpcs")) {
        auto table = list_table(tpcs->get_array());
        table.header.insert(table.header.begin(), "tpc");
        for (std::size_t t = 0; t < table.rows.size(); ++t)
            table.rows[t].insert(table.rows[t].begin(), std::to_string(t));
        page.sections.push_back({"TPCs", covers("tpcs"), std::move(table), figure_notes("tpcs")});
    }
    if (const auto* stacks = report.if_contains("stacks"))
        page.sections.push_back({"Where every cycle went", covers("stacks"), stack_table(stacks->get_object())});
    if (const auto* path = report.if_contains("critical_path"))
        page.sections.push_back({"Critical path", covers("critical_path"), path_table(path->get_object())});
    if (const auto* profile = report.if_contains("profile")) {
        if (has_sources(profile->get_object()))
            page.sections.push_back({"Where in the sources", "The instructions of each line together.",
                                     source_table(profile->get_object())});
        page.sections.push_back({"Where in the programs", covers("profile"), profile_table(profile->get_object())});
    }
    if (const auto* histograms = report.if_contains("histograms"))
        page.sections.push_back({"Histograms", covers("histograms"), histogram_table(histograms->get_object()),
                                 figure_notes("histograms")});
    if (const auto* window = report.if_contains("window")) {
        auto shown = window->get_object();
        for (const auto* key : {"histograms", "stacks"}) shown.erase(key);
        report_table table{{"figure", "value"}, {}};
        flatten(shown, "", table);
        page.sections.push_back({"Window", covers("window"), std::move(table)});
    }
    page.sections.push_back({"Per instance", covers("per_instance"),
                             instance_table(report.at("per_instance").get_array()), figure_notes(port_section)});
    if (!report.at("traps").get_array().empty()) {
        page.sections.push_back({"Traps", covers("traps"), list_table(report.at("traps").get_array())});
    }
    report_table configuration{{"key", "value"}, {}};
    flatten(object("config"), "", configuration);
    page.sections.push_back({"Machine", "isbesim help config explains each key.", std::move(configuration)});
    page.sections.push_back(
        {"Host", covers("host"), pair_table(object("host"), "figure", "value"), figure_notes("host")});
    return page;
}

namespace {

std::string in_parentheses(const std::string& unit)
{
    return unit.empty() ? "" : " (" + unit + ")";
}

/// Text escaped for one cell: file names and messages may contain any character.
std::string markdown_cell(const std::string& text)
{
    std::string out;
    for (const char c : text) {
        if (c == '|' || c == '\\') out += '\\';
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return out;
}

} // namespace

std::string markdown_page(const report_page& page)
{
    growing_text out;
    out << "# " << page.title << "\n\n" << page.verdict << "\n";
    for (const auto* text : {&page.measured, &page.bottleneck, &page.origin})
        if (!text->empty()) out << "\n" << *text << "\n";
    const auto write = [&](const report_section& section) {
        out << "\n## " << section.title << "\n\n" << section.covers << "\n\n|";
        for (const auto& title : section.table.header) out << " " << title << " |";
        out << "\n|";
        for (std::size_t i = 0; i < section.table.header.size(); ++i) out << (i == 0 ? "---|" : "---:|");
        out << "\n";
        for (const auto& row : section.table.rows) {
            out << "|";
            for (const auto& text : row) out << " " << markdown_cell(text) << " |";
            out << "\n";
        }
        if (!section.notes.empty()) out << "\n";
        for (const auto& note : section.notes)
            out << "- `" << note.name << "`" << in_parentheses(note.unit) << ": " << note.description << "\n";
    };
    if (!page.first.table.rows.empty()) write(page.first);
    for (const auto& section : page.sections) write(section);
    return out.take();
}

namespace {

json::object page_part(const report_section& section, bool open)
{
    json::array notes;
    for (const auto& note : section.notes) notes.push_back(json::array{note.name, note.unit, note.description});
    return {{"title", section.title},
            {"text", section.covers},
            {"header", json::value_from(section.table.header)},
            {"rows", json::value_from(section.table.rows)},
            {"notes", std::move(notes)},
            {"open", open}};
}

} // namespace

json::object page_json(const report_page& page)
{
    json::array answer, parts;
    std::istringstream lines(page.verdict);
    for (std::string line; std::getline(lines, line);) answer.emplace_back(line);
    for (const auto* text : {&page.measured, &page.bottleneck})
        if (!text->empty()) answer.emplace_back(*text);
    if (!page.first.table.rows.empty()) parts.push_back(page_part(page.first, true));
    for (std::size_t i = 0; i < page.sections.size(); ++i)
        parts.push_back(page_part(page.sections[i], i < page.in_front));
    return {{"title", page.title}, {"answer", std::move(answer)}, {"of", page.origin}, {"parts", std::move(parts)}};
}

void write_reports(const result_folder& folder, const report_page& page, const json::object& report,
                   const json::array& charts)
{
    folder.write("report.json", json_text(report));
    folder.write("report.md", markdown_page(page));
    auto shown = page_json(page);
    const auto* series = report.if_contains("series");
    const bool drawn = charts.empty() && series != nullptr && !series->get_object().empty();
    if (drawn) shown["data"] = chart_data(report);
    if (!charts.empty()) shown["charts"] = charts;
    folder.write("report.html", drawn ? page_text(shown, page_script) : page_text(shown));
}

void write_summary(std::ostream& out, const report_page& page, bool full)
{
    out << page.verdict << "\n";
    for (const auto* text : {&page.measured, &page.bottleneck})
        if (!text->empty()) out << *text << "\n";
    if (!full) {
        out << "\n";
        for (const auto& row : page.figures)
            out << "  " << std::left << std::setw(32) << row[0] << std::right << std::setw(12) << row[1] << row[2]
                << "\n";
        return;
    }
    for (std::size_t s = 0; s < std::min(page.in_summary, page.sections.size()); ++s) {
        const auto& section = page.sections[s];
        std::vector<std::size_t> widths(section.table.header.size());
        for (std::size_t c = 0; c < widths.size(); ++c) {
            widths[c] = section.table.header[c].size();
            for (const auto& row : section.table.rows) widths[c] = std::max(widths[c], row[c].size());
        }
        out << "\n" << section.title << "\n";
        const auto print = [&](const std::vector<std::string>& row) {
            out << "  " << std::left << std::setw(static_cast<int>(std::max<std::size_t>(widths[0], 20))) << row[0];
            for (std::size_t c = 1; c < row.size(); ++c) {
                out << "  " << std::right << std::setw(static_cast<int>(std::max<std::size_t>(widths[c], 8))) << row[c];
            }
            out << "\n";
        };
        if (widths.size() > 2) print(section.table.header);
        for (const auto& row : section.table.rows) {
            // A wide row of zeros (an opcode that did not occur) is skipped.
            const bool says_nothing = row.size() > 2 && std::all_of(row.begin() + 1, row.end(),
                                                                    [](const std::string& c) { return c == "0"; });
            if (!says_nothing) print(row);
        }
    }
}

} // namespace isbesim::testbench

#include "testbench/report/report_page.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <ostream>

#include "models/statistics/figure.h"
#include "testbench/files/json_text.h"
#include "testbench/report/cycle_stacks.h"
#include "testbench/report/page_text.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

/// A value for a cell: integers and large numbers in full, other numbers to four digits.
std::string cell(const json::value& value)
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

std::string name(json::string_view key)
{
    return {key.data(), key.size()};
}

/// {a: 1, b: 2} -> rows "a 1", "b 2".
report_table pairs(const json::object& object, const char* first, const char* second)
{
    report_table table{{first, second}, {}};
    for (const auto& entry : object) table.rows.push_back({name(entry.key()), cell(entry.value())});
    return table;
}

/// {x: {a: 1}, y: {a: 2}} -> a row per x, y and a column per a.
report_table grid(const json::object& object, const char* first)
{
    report_table table{{first}, {}};
    for (const auto& entry : object) {
        std::vector<std::string> row = {name(entry.key())};
        for (const auto& inner : entry.value().get_object()) {
            if (table.rows.empty()) table.header.push_back(name(inner.key()));
            row.push_back(cell(inner.value()));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

/// [{a: 1}, {a: 2}] -> a row each.
report_table list(const json::array& array)
{
    report_table table;
    for (const auto& entry : array) {
        std::vector<std::string> row;
        for (const auto& inner : entry.get_object()) {
            if (table.rows.empty()) table.header.push_back(name(inner.key()));
            row.push_back(cell(inner.value()));
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
            table.rows.push_back({key, cell(entry.value())});
        }
    }
}

/// The figures of the instances, one row per figure and one column per instance.
report_table instances(const json::array& array)
{
    report_table table{{"figure"}, {}};
    for (std::size_t i = 0; i < array.size(); ++i) {
        report_table one;
        flatten(array[i].get_object(), "", one);
        table.header.push_back("sm " + std::to_string(i));
        for (std::size_t r = 0; r < one.rows.size(); ++r) {
            if (i == 0) {
                table.rows.push_back(one.rows[r]);
            } else if (r < table.rows.size()) {
                table.rows[r].push_back(one.rows[r][1]);
            }
        }
    }
    return table;
}

/// The table of a section: a row per opcode, direction, ... when each has several figures, else one per figure.
report_table figure_table(const json::object& values, const figure_section& section)
{
    const auto grouped = [](const auto& entry) { return entry.value().is_object(); };
    if (!values.empty() && std::all_of(values.begin(), values.end(), grouped)) return grid(values, section.item);
    report_table table{{section.item, section.value}, {}};
    flatten(values, "", table);
    return table;
}

/// A row per resource: cycles, then its parts in words.
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
        table.rows.push_back({name(entry.key()), cell(stack.at("cycles")), percent(stack.at("busy")), parts});
    }
    return table;
}

std::vector<figure_note> notes(const std::string& section)
{
    std::vector<figure_note> result;
    for (const auto& f : figures())
        if (f.section == section) result.push_back({f.path, f.unit, f.description});
    return result;
}

constexpr const char* page_style =
#include "testbench/report.css.inc" // written by testbench/CMakeLists.txt
    ;
constexpr const char* page_script =
#include "testbench/common.js.inc"
#include "testbench/report.js.inc"
    ;

/// What the script draws, as JSON that may stand in a page.
std::string script_data(const json::object& report)
{
    json::object data;
    for (const auto* key : {"cycles", "latency", "stalls", "series", "stacks", "config"}) data[key] = report.at(key);
    data["covers"] = {{"stalls", report.at("covers").at("stalls")}};
    json::object known;
    for (const auto& f : figures())
        if (f.section.empty() || report.contains(f.section))
            known[f.key()] = {{"unit", f.unit}, {"description", f.description}};
    data["figures"] = std::move(known);
    return script_json(data);
}

} // namespace

report_page make_page(const json::object& report)
{
    report_page page;
    const auto object = [&](const char* key) -> const json::object& { return report.at(key).get_object(); };
    const auto covers = [&](const char* key) { return cell(object("covers").at(key)); };
    const auto& result = object("result");
    page.title = "isbesim: " + cell(report.at("scenario"));
    page.verdict = cell(result.at("text"));
    if (const auto* text = report.if_contains("bottleneck")) page.bottleneck = cell(*text);
    page.warnings = {"Warnings",
                     "Legal but suspicious input and behaviour of the programs, by place; count: how often.",
                     list(report.at("warnings").get_array())};

    report_table overview{{"figure", "value"}, {}};
    overview.rows = {{"backend", cell(report.at("backend"))},
                     {"cycles", cell(report.at("cycles"))},
                     {"time (ns)", cell(report.at("time_ns"))}};
    for (const auto& entry : object("output")) overview.rows.push_back({name(entry.key()), cell(entry.value())});
    auto draw_notes = notes("");
    for (auto& note : notes("output")) draw_notes.push_back(std::move(note));
    page.sections.push_back({"Draw",
                             "Cycles: " + covers("cycles") + " Time: " + covers("time_ns") + " " + covers("output") +
                                 " " + covers("consumer"),
                             std::move(overview), std::move(draw_notes)});
    std::vector<figure_section> sections;
    for (const auto& section : figure_sections())
        if (section.page_place != 0) sections.push_back(section);
    std::sort(sections.begin(), sections.end(),
              [](const auto& a, const auto& b) { return a.page_place < b.page_place; });
    for (const auto& section : sections)
        page.sections.push_back(
            {section.title, covers(section.name), figure_table(object(section.name), section), notes(section.name)});
    if (const auto* stacks = report.if_contains("stacks"))
        page.sections.push_back({"Where every cycle went", covers("stacks"), stack_table(stacks->get_object())});
    page.sections.push_back({"Per instance", covers("per_instance"), instances(report.at("per_instance").get_array()),
                             notes(port_section)});
    if (!report.at("traps").get_array().empty()) {
        page.sections.push_back({"Traps", covers("traps"), list(report.at("traps").get_array())});
    }
    report_table configuration{{"key", "value"}, {}};
    flatten(object("config"), "", configuration);
    page.sections.push_back({"Machine", "isbesim help config explains each key.", std::move(configuration)});
    page.sections.push_back({"Host", covers("host"), pairs(object("host"), "figure", "value"), notes("host")});
    return page;
}

namespace {

std::string in_parentheses(const std::string& unit)
{
    return unit.empty() ? "" : " (" + unit + ")";
}

/// A text that stays one cell: file names and messages may hold anything.
std::string markdown_cell(const std::string& text)
{
    std::string out;
    for (const char c : text) {
        if (c == '|' || c == '\\') out += '\\';
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return out;
}

/// The sections as they are written: the warnings, where there are some, before all others.
std::vector<report_section> written_sections(const report_page& page)
{
    auto sections = page.sections;
    if (!page.warnings.table.rows.empty()) sections.insert(sections.begin(), page.warnings);
    return sections;
}

} // namespace

void write_markdown(std::ostream& out, const report_page& page)
{
    out << "# " << page.title << "\n\n" << page.verdict << "\n";
    if (!page.bottleneck.empty()) out << "\n" << page.bottleneck << "\n";
    for (const auto& section : written_sections(page)) {
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
    }
}

void write_html(std::ostream& out, const report_page& page, const json::object& report)
{
    write_page_head(out, page.title, page_style);
    out << "<p><strong>" << html_text(page.verdict) << "</strong></p>\n";
    if (!page.bottleneck.empty()) out << "<p>" << html_text(page.bottleneck) << "</p>\n";
    const auto write = [&](const report_section& section) {
        out << "<h2>" << html_text(section.title) << "</h2>\n<p>" << html_text(section.covers)
            << "</p>\n<div class=\"wide\"><table><tr>";
        for (const auto& title : section.table.header) out << "<th>" << html_text(title) << "</th>";
        out << "</tr>\n";
        for (const auto& row : section.table.rows) {
            out << "<tr>";
            for (const auto& text : row) out << "<td>" << html_text(text) << "</td>";
            out << "</tr>\n";
        }
        out << "</table></div>\n";
        if (section.notes.empty()) return;
        out << "<details><summary>What each figure is</summary><ul>\n";
        for (const auto& note : section.notes)
            out << "<li><b>" << html_text(note.name) << "</b>" << html_text(in_parentheses(note.unit)) << ": "
                << html_text(note.description) << "</li>\n";
        out << "</ul></details>\n";
    };
    if (!page.warnings.table.rows.empty()) write(page.warnings);
    out << "<div id=\"plots\"></div><div id=\"tip\"></div>\n";
    for (const auto& section : page.sections) write(section);
    out << "<script type=\"application/json\" id=\"report\">" << script_data(report) << "</script>\n<script>\n"
        << page_script << "</script>\n</body></html>\n";
}

void write_summary(std::ostream& out, const report_page& page)
{
    out << page.verdict << "\n";
    if (!page.bottleneck.empty()) out << page.bottleneck << "\n";
    constexpr std::size_t shown = 7; // up to and including the stalls
    for (std::size_t s = 0; s < std::min(shown, page.sections.size()); ++s) {
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
            // A wide row of zeros (an opcode that did not occur) says nothing.
            const bool says_nothing = row.size() > 2 && std::all_of(row.begin() + 1, row.end(),
                                                                    [](const std::string& c) { return c == "0"; });
            if (!says_nothing) print(row);
        }
    }
}

} // namespace isbesim::testbench

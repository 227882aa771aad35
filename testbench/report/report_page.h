// The report for people: sections of tables, made once from report.json's object, written as Markdown, as one HTML
// page that works offline, and in short on the terminal.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

namespace isbesim::testbench {

struct report_table {
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows; ///< cells after the first are right-aligned
};

/// What one figure of a table is.
struct figure_note {
    std::string name;
    std::string unit;
    std::string description;
};

struct report_section {
    std::string title;
    std::string covers; ///< what the numbers count, from where to where
    report_table table;
    std::vector<figure_note> notes{}; ///< not in the summary
};

struct report_page {
    std::string title;
    std::string verdict;     ///< one line: what ran, how it ended
    std::string bottleneck;  ///< one sentence: what the draw waits for; empty in reports without stacks
    report_section warnings; ///< first of all, without rows when there are none; not in the summary
    std::vector<report_section> sections;
};

report_page make_page(const boost::json::object& report);

void write_markdown(std::ostream& out, const report_page& page);
/// With plots of `report`, drawn by a small script of its own: the page needs nothing else.
void write_html(std::ostream& out, const report_page& page, const boost::json::object& report);
/// Verdict, the first sections as aligned tables; no colours, at most a screen.
void write_summary(std::ostream& out, const report_page& page);

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
// The report for people: sections of tables, made once from report.json's object, written as Markdown, as one HTML
// page that works offline, and in short on the terminal.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "testbench/report/report_tables.h"

namespace isbesim::testbench {

class result_folder;

struct report_page {
    std::string title;
    std::string verdict;    ///< one line: what ran, how it ended
    std::string bottleneck; ///< one sentence: the cause of the draw's waits; empty if unknown
    report_section first;   ///< above the plots: warnings; nothing without rows; not in the summary
    std::vector<report_section> sections;
    std::size_t in_summary = 7; ///< of them, the first ones: up to and including the stalls
};

/// Of a draw.
report_page make_page(const boost::json::object& report);
/// Of traffic that went straight into an ISBE: a replay, or one load. There is no draw, no SM and no PE to speak of.
report_page make_traffic_page(const boost::json::object& report);

void write_markdown(std::ostream& out, const report_page& page);
/// What a page's script draws: JSON for a script element, and the script.
struct page_plots {
    std::string data; ///< empty: no plots
    const char* script = "";
};
void write_html(std::ostream& out, const report_page& page, const page_plots& plots);
/// With plots of `report`, drawn by a small script of its own: the page needs nothing else.
void write_html(std::ostream& out, const report_page& page, const boost::json::object& report);
/// report.json, report.md and report.html.
void write_reports(const result_folder& folder, const report_page& page, const boost::json::object& report);
/// Verdict, the first sections as aligned tables; no colours, at most a screen.
void write_summary(std::ostream& out, const report_page& page);

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
// The report for people: sections of tables, built once from report.json's object, written as Markdown, as one HTML
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
    std::string origin;     ///< origin_text()
    std::string verdict;    ///< one line: what ran, how it ended
    std::string measured;   ///< gain of other machines; empty if unknown
    std::string bottleneck; ///< one sentence: the cause of the draw's waits; empty if unknown
    report_section first;   ///< warnings, above the charts; omitted without rows; not in the summary
    std::vector<report_section> sections;
    std::vector<std::vector<std::string>> figures; ///< name, value and unit of those that matter most
    std::size_t in_summary = 7;                    ///< number of first sections: up to and including the stalls
    std::size_t in_front = 0; ///< number of first sections in front of the charts; the others are folded
};

/// The page of a draw.
report_page make_page(const boost::json::object& report);
/// The page of traffic without a draw, SMs and PE: a replay, or a single load.
report_page make_traffic_page(const boost::json::object& report);

std::string markdown_page(const report_page& page);
/// For page_text(), without the data of charts.
boost::json::object page_json(const report_page& page);
/// report.json, report.md and report.html. `charts`: in place of those that a run has.
void write_reports(const result_folder& folder, const report_page& page, const boost::json::object& report,
                   const boost::json::array& charts = {});
/// Verdict and figures; no colours, so few lines that all stay on a screen. `full`: also the first sections, as aligned
/// tables.
void write_summary(std::ostream& out, const report_page& page, bool full);

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
// The registry of figures: all numbers of a report. The machine's figures are declared beside their counters
// (models/statistics/statistic.h); figures of commands are listed here. Reports, help, database, series and the
// exploration use it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/figures/instance_counters.h"

namespace isbesim {

/// All figures; those of a section are in the order of the report.
const std::vector<figure>& figures();
/// The entry of a key of report.json, `latency.ald.p99` or `per_instance.0.latency.ald.p99`; null if unknown.
const figure* find_figure(const std::string& key);

/// The parts of a report, in its order.
struct figure_section {
    const char* name;
    const char* title;
    const char* item; ///< headings of its table
    const char* value;
    bool of_run;                  ///< in the report of every draw
    bool of_instances;            ///< also for each SM with its ISBE
    unsigned page_place;          ///< on the page for people; 0: no separate section
    const char* covers = nullptr; ///< the report's text about it; null if it depends on the run or is missing
};
const std::vector<figure_section>& figure_sections();
/// `covers` of a section. Throws std::logic_error if it has none.
const char* covers_of(std::string_view section);

/// "a, b: text. c: text.": a paragraph about the stalls.
std::string stalls_paragraph();

} // namespace isbesim

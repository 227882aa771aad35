// SPDX-License-Identifier: Apache-2.0
// The registry of figures: everything that a report says in numbers. The machine's are declared where they are counted
// (models/statistics/statistic.h); what a command states of itself is listed here. Reports, help, database, series and
// the exploration read it.
#pragma once

#include <string>
#include <vector>

#include "models/figures/instance_counters.h"

namespace isbesim {

/// All of them; those of a section are in the order in which a report shows them.
const std::vector<figure>& figures();
/// The entry of a key of report.json, `latency.ald.p99` or `per_instance.0.latency.ald.p99`; null without one.
const figure* find_figure(const std::string& key);

/// The parts of a report, in its order.
struct figure_section {
    const char* name;
    const char* title;
    const char* item; ///< headings of its table
    const char* value;
    bool of_run;         ///< of every draw
    bool of_instances;   ///< also of each SM with its ISBE
    unsigned page_place; ///< on the page for people; 0: not a section of its own
};
const std::vector<figure_section>& figure_sections();

/// "a, b: text. c: text.": the stalls in a paragraph.
std::string stalls_paragraph();

} // namespace isbesim

// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/origin.h"
#include "testbench/report/report_page.h"

namespace isbesim::testbench {

namespace json = boost::json;

report_page make_traffic_page(const json::object& report)
{
    report_page page;
    const auto covers = [&](const char* key) -> std::string {
        const auto* text = report.at("covers").get_object().if_contains(key);
        return text == nullptr ? "" : cell_text(*text);
    };
    page.title = "isbesim: " + cell_text(report.at("scenario"));
    page.origin = origin_text(report);
    page.verdict = cell_text(report.at("result").at("text"));

    const std::string label = report.contains("estimate") ? " (estimate)" : "";
    report_section overview{"Traffic", "Cycles: " + covers("cycles") + " Time: " + covers("time_ns"), {}};
    overview.table = {{"figure", "value"},
                      {{"backend", cell_text(report.at("backend"))},
                       {"cycles", cell_text(report.at("cycles")) + label},
                       {"time (ns)", cell_text(report.at("time_ns")) + label}}};
    for (const auto* part : {"replay", "load", "crosscheck"}) {
        const auto* figures = report.if_contains(part);
        if (figures == nullptr) continue;
        flatten(figures->get_object(), part + std::string("."), overview.table);
        if (const auto text = covers(part); !text.empty()) overview.covers += " " + text;
        for (auto& note : figure_notes(part)) {
            note.name = part + ("." + note.name);
            overview.notes.push_back(std::move(note));
        }
    }
    page.sections.push_back(std::move(overview));
    page.in_front = 1;
    page.sections.push_back({"Transactions", covers("transactions"),
                             pair_table(report.at("transactions").get_object(), "opcode", "operations"),
                             figure_notes("transactions")});
    for (auto& section : figure_page_sections(report)) page.sections.push_back(std::move(section));
    if (const auto* stacks = report.if_contains("stacks"))
        page.sections.push_back({"Where every cycle went", covers("stacks"), stack_table(stacks->get_object())});
    page.sections.push_back({"ISBE",
                             "Only this part of the machine is simulated. isbesim help config explains each key.",
                             isbe_table(report.at("config").get_object())});
    page.sections.push_back(
        {"Host", covers("host"), pair_table(report.at("host").get_object(), "figure", "value"), figure_notes("host")});
    return page;
}

} // namespace isbesim::testbench

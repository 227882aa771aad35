// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/what_if.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>

#include <boost/json/array.hpp>

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

json::array steps_json(const machine_change& change)
{
    json::array steps;
    for (const auto& step : change.steps) steps.push_back({{"key", step.key}, {"from", step.from}, {"to", step.to}});
    return steps;
}

/// A shorter latency can make a draw slower, and a longer latency faster, only because warps meet in another order: the
/// largest such change measures the effect of order alone.
std::uint64_t reordering_of(const std::vector<machine_change>& changes, const std::vector<rerun>& reruns,
                            std::uint64_t cycles)
{
    std::uint64_t largest = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const auto& step = changes[i].steps.front();
        if (changes[i].steps.size() != 1 || !step.is_latency || !reruns[i].figures) continue;
        const auto there = reruns[i].figures->cycles;
        if (step.is_better() ? there > cycles : there < cycles)
            largest = std::max(largest, std::max(there, cycles) - std::min(there, cycles));
    }
    return largest;
}

/// The what_if of one report, with the figures that every change is compared to.
struct comparison {
    explicit comparison(const json::object& report)
        : cycles(report.at("cycles").to_number<std::uint64_t>()),
          energy(report.at("proxies").at("energy_pj").to_number<double>()),
          area(report.at("proxies").at("area").at("mm2").to_number<double>()),
          what_if(report.at("what_if").as_object()),
          reordering(what_if.at("reordering_cycles").to_number<std::uint64_t>())
    {
        for (const auto& change : what_if.at("changes").as_array()) order.push_back(&change.as_object());
        std::stable_sort(order.begin(), order.end(),
                         [](const auto* a, const auto* b) { return cycles_of(*a) < cycles_of(*b); });
    }

    static std::uint64_t cycles_of(const json::object& change)
    {
        return change.at("cycles").to_number<std::uint64_t>();
    }
    /// True if two keys change; buffers that grow with isbe.lines do not count.
    static bool is_pair(const json::object& change)
    {
        const auto& steps = change.at("steps").as_array();
        return std::count_if(steps.begin(), steps.end(), [](const json::value& step) {
                   return std::find(std::begin(buffer_keys), std::end(buffer_keys), step.at("key").as_string()) ==
                          std::end(buffer_keys);
               }) > 1;
    }
    bool gains(const json::object& change) const { return cycles_of(change) + reordering < cycles; }
    bool loses(const json::object& change) const { return cycles_of(change) > cycles + reordering; }
    using costs = std::array<double, 3>;
    static costs costs_of(const json::object& change)
    {
        return {static_cast<double>(cycles_of(change)), change.at("energy_pj").to_number<double>(),
                change.at("area_mm2").to_number<double>()};
    }
    /// A single step of known area that neither this machine nor another such step equals or beats in cycles, energy
    /// and ISBE area.
    bool on_pareto_line(const json::object& change) const
    {
        const auto priced = [](const json::object& one) { return !is_pair(one) && one.contains("area_mm2"); };
        if (!priced(change)) return false;
        const auto own = costs_of(change);
        const auto beaten_by = [&](const costs& other) {
            return other[0] <= own[0] && other[1] <= own[1] && other[2] <= own[2] && other != own;
        };
        return !beaten_by({static_cast<double>(cycles), energy, area}) &&
               std::none_of(order.begin(), order.end(),
                            [&](const auto* one) { return priced(*one) && beaten_by(costs_of(*one)); });
    }

    std::uint64_t cycles;
    double energy;
    double area;
    const json::object& what_if;
    std::uint64_t reordering;
    std::vector<const json::object*> order; ///< the fewest cycles first
};

std::string percent(double value, double of)
{
    char text[32];
    std::snprintf(text, sizeof text, "%+.1f %%", of == 0 ? 0 : 100 * (value - of) / of);
    return text;
}

std::string steps_text(const json::object& change)
{
    std::string text;
    for (const auto& step : change.at("steps").as_array())
        text += (text.empty() ? "" : ", ") + std::string(step.at("key").as_string()) + " " +
                cell_text(step.at("from")) + " -> " + cell_text(step.at("to"));
    return text;
}

std::string step_name(const comparison& all, const json::object& change)
{
    return steps_text(change) + " (" +
           percent(static_cast<double>(comparison::cycles_of(change)), static_cast<double>(all.cycles)) + ")";
}

} // namespace

void add_what_if(json::object& report, const std::vector<machine_change>& changes, const std::vector<rerun>& reruns,
                 const coefficient_table& coefficients)
{
    const auto own_area = report.at("proxies").at("area").at("mm2").to_number<double>();
    json::array measured, missing;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const auto& [steps, machine] = changes[i];
        if (!reruns[i].figures) {
            missing.push_back({{"steps", steps_json(changes[i])}, {"reason", reruns[i].reason}});
            continue;
        }
        const auto& figures = *reruns[i].figures;
        const auto proxies =
            stated_proxies(figures.isbe, machine.isbe, machine.sm_count * machine.chip.all_tpcs(), coefficients);
        json::object change = {
            {"steps", steps_json(changes[i])}, {"cycles", figures.cycles}, {"energy_pj", proxies.at("energy_pj")}};
        const auto& area = proxies.at("area").at("mm2");
        if (area.to_number<double>() != own_area) change["area_mm2"] = area;
        measured.push_back(std::move(change));
    }
    const auto cycles = report.at("cycles").to_number<std::uint64_t>();
    report["what_if"] = {{"reordering_cycles", reordering_of(changes, reruns, cycles)},
                         {"changes", std::move(measured)},
                         {"not_measured", std::move(missing)}};
    report.at("covers").as_object()["what_if"] =
        "Reruns of the draw on machines that differ in one key, and with twice the lines and slots together "
        "(--what-if=pairs: in every two better ones): a latency an eighth "
        "shorter and longer, anything else half and twice as large (lines with the buffers in them). Changes are to "
        "this run. Energy and area: the "
        "proxies; area is that of the ISBEs, empty where the change leaves it as it is (SM and PE are not in it). "
        "Pareto line: single steps of known area that neither another one nor this machine beats in cycles, energy and "
        "ISBE area. reordering: no more cycles than a latency step the wrong way moves, which only another order of "
        "warps does.";
}

std::string what_if_text(const json::object& report)
{
    comparison all(report);
    all.reordering = std::max(all.reordering, all.cycles / 1000); // smaller changes are not mentioned
    const auto single = [](const json::object* change) { return !comparison::is_pair(*change); };
    const auto best = std::find_if(all.order.begin(), all.order.end(), single);
    if (best == all.order.end()) return "No change was measured.";
    std::string text = all.gains(**best) ? "What pays most is " + step_name(all, **best)
                                         : "No single step gains more than 0.1 % and more than reordering";
    const auto pair = std::find_if_not(all.order.begin(), all.order.end(), single);
    if (pair != all.order.end() && all.gains(**pair) &&
        comparison::cycles_of(**pair) + all.reordering < comparison::cycles_of(**best))
        text += ", of steps together " + step_name(all, **pair);
    text += ".";
    std::string line;
    for (const auto* change : all.order)
        if (all.on_pareto_line(*change)) line += (line.empty() ? "" : "; ") + step_name(all, *change);
    if (!line.empty()) text += " The Pareto line of single steps in cycles, energy and ISBE area: " + line + ".";
    const auto worst = std::find_if(all.order.rbegin(), all.order.rend(), single);
    if (all.loses(**worst)) text += " What costs most is " + step_name(all, **worst) + ".";
    if (const auto missing = all.what_if.at("not_measured").as_array().size(); missing != 0)
        text += " Not measured: " + std::to_string(missing) + " of " + std::to_string(missing + all.order.size()) +
                " changes.";
    return text;
}

report_table what_if_table(const json::object& report)
{
    const comparison all(report);
    report_table table{{"change", "cycles", "change of cycles", "of energy", "of ISBE area", "Pareto line", "remark"},
                       {}};
    for (const auto* change : all.order) {
        const auto there = comparison::cycles_of(*change);
        const auto* area = change->if_contains("area_mm2");
        table.rows.push_back({steps_text(*change), std::to_string(there),
                              percent(static_cast<double>(there), static_cast<double>(all.cycles)),
                              percent(change->at("energy_pj").to_number<double>(), all.energy),
                              area == nullptr ? "" : percent(area->to_number<double>(), all.area),
                              all.on_pareto_line(*change) ? "on it" : "",
                              there == all.cycles                        ? "no change"
                              : all.gains(*change) || all.loses(*change) ? ""
                                                                         : "reordering"});
    }
    for (const auto& each : all.what_if.at("not_measured").as_array())
        table.rows.push_back({steps_text(each.as_object()), "", "", "", "", "",
                              "not measured: " + std::string(each.at("reason").as_string())});
    return table;
}

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/what_if.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>

#include <boost/json/array.hpp>

#include "testbench/report/cycle_stacks.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

json::array steps_json(const machine_change& change)
{
    json::array steps;
    const auto number = [](double value) {
        const auto whole = static_cast<std::uint64_t>(value);
        return static_cast<double>(whole) == value ? json::value(whole) : json::value(value);
    };
    for (const auto& step : change.steps)
        steps.push_back({{"key", step.key}, {"from", number(step.from)}, {"to", number(step.to)}});
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

/// True if the steps are of one resource: buffers grow with isbe.lines, or exchange lines.
bool is_single(const machine_change& change)
{
    return std::count_if(change.steps.begin(), change.steps.end(), [](const auto& step) {
               return std::find(std::begin(buffer_keys), std::end(buffer_keys), step.key) == std::end(buffer_keys);
           }) <= 1;
}

bool changes_sms(const machine_change& change)
{
    const auto& key = change.steps.front().key;
    return key == "sm_count" || key == "chip.gpcs" || key == "chip.tpcs";
}

/// Smaller gains are not mentioned.
std::uint64_t least_gain(std::uint64_t cycles, std::uint64_t reordering)
{
    return std::max(reordering, cycles / 1000);
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

std::string percent(double value, double base)
{
    char text[32];
    std::snprintf(text, sizeof text, "%+.1f %%", base == 0 ? 0 : 100 * (value - base) / base);
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
    add_measured(report, changes, reruns,
                 static_cast<std::size_t>(std::count_if(changes.begin(), changes.end(), is_single)));
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

void add_measured(json::object& report, const std::vector<machine_change>& changes, const std::vector<rerun>& reruns,
                  std::size_t all_changes)
{
    const auto cycles = report.at("cycles").to_number<std::uint64_t>();
    const auto least = least_gain(cycles, reordering_of(changes, reruns, cycles));
    const auto best = [&](bool with_sms) {
        json::array steps;
        auto fewest = cycles;
        for (std::size_t i = 0; i < changes.size(); ++i) {
            if (!is_single(changes[i]) || !reruns[i].figures || (!with_sms && changes_sms(changes[i]))) continue;
            const auto there = reruns[i].figures->cycles;
            if (there >= fewest || there + least >= cycles) continue;
            fewest = there;
            steps = steps_json(changes[i]);
        }
        return json::object{{"steps", std::move(steps)}, {"cycles", fewest}};
    };
    unsigned tried = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) tried += is_single(changes[i]) && reruns[i].figures ? 1 : 0;
    if (tried == 0) return;
    auto measured = best(true);
    measured["tried"] = tried;
    measured["of"] = all_changes;
    auto other = best(false);
    if (!other.at("steps").as_array().empty() && other.at("steps") != measured.at("steps"))
        measured["same_sms"] = std::move(other);
    report["measured"] = std::move(measured);
    report.at("covers").as_object()["measured"] =
        "The best single step of --what-if, of those tried by reruns of the draw; same_sms: the best one that leaves "
        "the "
        "number of SMs. Without --what-if the steps are tried that the stacks and the critical path leave most to "
        "expect of: at most 6 in runs of up to 20,000 cycles (added up over SMs), 4 up to 200,000, 2 up to "
        "1,000,000, none in longer ones; at most 4 of a chip.";
}

std::string measured_text(const json::object& report)
{
    const auto* measured = report.if_contains("measured");
    if (measured == nullptr) return "";
    const auto tried = measured->at("tried").to_number<std::uint64_t>(),
               of = measured->at("of").to_number<std::uint64_t>();
    const auto among = (tried < of ? std::to_string(tried) + " tried of " : "") + std::to_string(of) + " single steps";
    if (measured->at("steps").as_array().empty())
        return "Measured: none of " + among + " gains more than 0.1 % and more than reordering.";
    const auto saving = [&](const json::object& step) {
        const auto cycles = report.at("cycles").to_number<std::uint64_t>();
        return steps_text(step) + " would save " + percent_text(cycles - comparison::cycles_of(step), cycles);
    };
    auto text = "Measured: " + saving(measured->as_object()) + ", the most of " + among;
    if (const auto* other = measured->as_object().if_contains("same_sms"))
        text += "; with the same SMs " + saving(other->as_object());
    return text + ".";
}

std::string what_if_text(const json::object& report)
{
    comparison all(report);
    all.reordering = least_gain(all.cycles, all.reordering);
    const auto single = [](const json::object* change) { return !comparison::is_pair(*change); };
    const auto best = std::find_if(all.order.begin(), all.order.end(), single);
    if (best == all.order.end()) return "No change was measured.";
    auto text = measured_text(report);
    const auto pair = std::find_if_not(all.order.begin(), all.order.end(), single);
    if (pair != all.order.end() && all.gains(**pair) &&
        comparison::cycles_of(**pair) + all.reordering < comparison::cycles_of(**best))
        text += " Best steps together: " + step_name(all, **pair) + ".";
    std::string line;
    for (const auto* change : all.order)
        if (all.on_pareto_line(*change)) line += (line.empty() ? "" : "; ") + step_name(all, *change);
    if (!line.empty()) text += " Not dominated in cycles, energy and ISBE area: " + line + ".";
    const auto worst = std::find_if(all.order.rbegin(), all.order.rend(), single);
    if (all.loses(**worst)) text += " Worst single step: " + step_name(all, **worst) + ".";
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

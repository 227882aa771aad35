#include "testbench/what_if/what_if.h"

#include <algorithm>
#include <cstdio>

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

std::uint64_t number_of(const json::object& change, const char* key)
{
    return change.at(key).to_number<std::uint64_t>();
}

/// What is known best.
std::uint64_t cycles_with(const json::object& change)
{
    return number_of(change, change.contains("measured") ? "measured" : "predicted");
}

std::string signed_percent(std::uint64_t value, std::uint64_t of, const char* format)
{
    char text[32];
    const auto difference = static_cast<double>(value) - static_cast<double>(of);
    std::snprintf(text, sizeof text, format, 100 * difference / static_cast<double>(std::max<std::uint64_t>(of, 1)));
    return text;
}

std::string change_text(const json::object& change, std::uint64_t cycles)
{
    const bool bound = change.at("bound").as_string() == "at_least" && !change.contains("measured");
    return std::string(change.at("key").as_string()) + " " + std::to_string(number_of(change, "from")) + " -> " +
           std::to_string(number_of(change, "to")) + " (" + (bound ? "at least " : "") +
           signed_percent(cycles_with(change), cycles, "%+.1f %%") + ")";
}

std::vector<const json::object*> by_gain(const json::object& report)
{
    std::vector<const json::object*> order;
    for (const auto& change : report.at("what_if").as_array()) order.push_back(&change.as_object());
    std::stable_sort(order.begin(), order.end(),
                     [](const auto* a, const auto* b) { return cycles_with(*a) < cycles_with(*b); });
    return order;
}

} // namespace

json::array what_if_json(const std::vector<machine_change>& changes, const std::vector<predicted_cycles>& predictions,
                         const std::vector<std::optional<std::uint64_t>>& measured)
{
    json::array result;
    for (std::size_t i = 0; i < predictions.size(); ++i) {
        if (!measured.empty() && !measured[i]) continue;
        json::object change = {{"key", changes[i].key},
                               {"from", changes[i].from},
                               {"to", changes[i].to},
                               {"predicted", predictions[i].cycles},
                               {"bound", predictions[i].at_least ? "at_least" : "about"}};
        if (!measured.empty()) change["measured"] = *measured[i];
        result.push_back(std::move(change));
    }
    return result;
}

std::string what_if_text(const json::object& report)
{
    const auto cycles = report.at("cycles").to_number<std::uint64_t>();
    const auto order = by_gain(report);
    if (order.empty()) return "";
    std::string text;
    if (cycles_with(*order.front()) < cycles)
        text = "What pays most is " + change_text(*order.front(), cycles) + ".";
    else
        text = "No single step to a better machine makes it faster.";
    if (cycles_with(*order.back()) > cycles) text += " What costs most is " + change_text(*order.back(), cycles) + ".";
    return text;
}

report_table what_if_table(const json::object& report)
{
    const auto cycles = report.at("cycles").to_number<std::uint64_t>();
    report_table table{{"key", "from", "to", "bound", "predicted", "measured", "change", "error"}, {}};
    for (const auto* change : by_gain(report)) {
        const bool measured = change->contains("measured");
        const bool at_least = change->at("bound").as_string() == "at_least";
        table.rows.push_back(
            {std::string(change->at("key").as_string()), std::to_string(number_of(*change, "from")),
             std::to_string(number_of(*change, "to")), at_least ? "at least" : "about",
             std::to_string(number_of(*change, "predicted")),
             measured ? std::to_string(number_of(*change, "measured")) : "",
             signed_percent(cycles_with(*change), cycles, "%+.1f %%"),
             measured ? signed_percent(number_of(*change, "predicted"), number_of(*change, "measured"), "%+.2f %%")
                      : ""});
    }
    return table;
}

void add_what_if(json::object& report, json::array what_if)
{
    report["what_if"] = std::move(what_if);
    report.at("covers").as_object()["what_if"] =
        "Cycles of the draw on machines that differ in one key: a latency an eighth shorter and longer, anything else "
        "half and twice as large. predicted: from this run alone, which keeps account of when each event would happen "
        "there, in the order in which things happen here. about: all that the events wait for there is known; at "
        "least: something that they wait for there happens later in this run, so that the draw takes no less, but "
        "maybe more. measured: by a rerun (not with --what-if=predict). change: to this run. error: of the prediction "
        "to the rerun.";
}

} // namespace isbesim::testbench

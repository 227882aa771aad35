// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/critical_path.h"

#include <algorithm>
#include <utility>

#include "models/isbe/functional/names.h"
#include "testbench/report/cycle_stacks.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

std::uint64_t cycles_of(const std::vector<path_part>& path)
{
    std::uint64_t sum = 0;
    for (const auto& part : path) sum += part.cycles;
    return sum;
}

} // namespace

std::string place_name(path_place place)
{
    std::string name = name_of(place.stage);
    if (place.of == path_place::part::input) name += "_input";
    if (place.of == path_place::part::output) name += "_output";
    return name;
}

std::string part_name(const path_part& part)
{
    return std::string(name_of(part.reason)) + "." + place_name(part.place);
}

json::object path_json(const std::vector<path_part>& path)
{
    json::object parts, counts;
    for (const auto& part : path) {
        const auto name = part_name(part);
        if (part.cycles != 0) parts[name] = part.cycles;
        counts[name] = part.count;
    }
    return {{"cycles", cycles_of(path)}, {"parts", std::move(parts)}, {"counts", std::move(counts)}};
}

std::string path_text(const json::object& path)
{
    const auto all = path.at("cycles").to_number<std::uint64_t>();
    std::vector<std::pair<std::uint64_t, std::string>> order;
    for (const auto& part : path.at("parts").get_object())
        order.emplace_back(part.value().to_number<std::uint64_t>(), part.key());
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    constexpr std::size_t shown = 4;
    order.resize(std::min(order.size(), shown));
    std::string text = "Its critical path goes through";
    const char* separator = " ";
    for (const auto& [cycles, name] : order) {
        text += separator + name + " " + percent_text(cycles, all);
        separator = ", ";
    }
    return text + ".";
}

std::string path_covers()
{
    std::string text =
        "From the end of the draw back to its start: each event with the one that it waited for last, so that every "
        "cycle of the draw counts once; of several things that came true in the same cycle the first in the order in "
        "which the model asks, the pass engine before the operation. parts: cycles by <reason>.<stage>, the stage's "
        "warps on an SM; <stage>_input: the PE writes what they read, <stage>_output: it reads what they left. counts: "
        "how often the path comes through. What a change costs is no part of it: run --what-if measures that.";
    for (const auto& row : path_rows)
        if (row.reason != path_reason::none && row.reason != path_reason::unexplained)
            text += std::string(" ") + row.name + ": " + row.description + ".";
    return text;
}

} // namespace isbesim::testbench

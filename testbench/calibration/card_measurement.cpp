// SPDX-License-Identifier: Apache-2.0
#include "testbench/calibration/card_measurement.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

constexpr const char* format = "isbesim measure 2";

/// Warps of different speeds meet at the queues, and how they meet changes in the course of a draw, so that its times
/// are not on a line. Returns how much the first or the last trips change the line's slope, in the times' unit per
/// trips of the first point. `rows` are the repetitions: the least change of all counts, since the rest is noise.
double bend_of(const json_document& file, const json::value& rows, std::size_t least_rows)
{
    constexpr double longest = 1e12, weight = 0.3; // of the first and the last of three differences
    constexpr unsigned points = 4;
    double bend = longest;
    if (const auto count = file.array(rows, "the times").size(); count < least_rows)
        file.fail(rows, "the times have " + std::to_string(count) + " repetitions, expected at least " +
                            std::to_string(least_rows));
    for (const auto& row : rows.get_array()) {
        const auto& times = file.array(row, "the times of a repetition");
        if (times.size() != points)
            file.fail(row, "a repetition has " + std::to_string(times.size()) + " times, expected 4");
        double least = longest, most = -longest;
        for (unsigned i = 1; i < points; ++i) {
            const auto difference =
                file.real(times[i], "a time", 0, longest) - file.real(times[i - 1], "a time", 0, longest);
            least = std::min(least, difference);
            most = std::max(most, difference);
        }
        bend = std::min(bend, weight * (most - least));
    }
    return bend;
}

/// `steps`: the difference of the two bodies' steps. One repetition is enough `of_model`, whose times have no noise.
card_figure read_step(const json_document& file, const json::value& test, double steps, bool of_model)
{
    constexpr double longest = 1e9, quiet = 0.05;
    card_figure result;
    result.counted = test.is_object() && test.get_object().contains("step_clocks");
    const std::string unit = result.counted ? "clocks" : "ns";
    const auto time = [&](const std::string& key, double least) {
        return file.real(file.member(test, key + unit, "a test"), key + unit, least, longest);
    };
    const auto is_noisy = file.boolean(file.member(test, "noisy", "a test"), "noisy");
    result.value = time("step_", is_noisy ? -longest : 0);
    if (!of_model) result.spread = time("spread_", 0);
    result.noisy = is_noisy || result.value <= 0 || result.spread > quiet * result.value;
    const auto& trips = file.array(file.member(test, "trips", "a test"), "trips");
    if (trips.empty()) file.fail(file.member(test, "trips", "a test"), "a test has no trips, expected 4 numbers");
    for (const auto* body : {"short_", "long_"})
        result.bend += bend_of(file, file.member(test, body + unit, "a test"), of_model ? 1 : 2) /
                       (steps * file.real(trips.front(), "trips", 1, longest));
    return result;
}

} // namespace

card_measurement read_card_measurement(const json_document& file, bool of_model)
{
    const auto& root = file.root();
    const auto member = [&](const char* key) -> const json::value& {
        return file.member(root, key, "the measurement");
    };
    const auto& kind = member("format");
    if (const auto text = file.text(kind, "format"); text != format)
        file.fail(kind, "format is '" + text + "', expected '" + format + "'");
    card_measurement result;
    result.card = file.text(member("card"), "card");
    result.driver = file.text(member("driver"), "driver");
    result.structure = file.boolean(member("structure"), "structure");
    if (!result.structure) result.reason = file.text(member("reason"), "reason");
    const auto& bodies = file.array(member("steps"), "steps");
    constexpr double most_steps = 1000;
    if (bodies.size() != 2)
        file.fail(member("steps"), "steps has " + std::to_string(bodies.size()) + " numbers, expected 2");
    const auto shorter = file.real(bodies[0], "steps", 1, most_steps);
    const auto more = file.real(bodies[1], "steps", shorter + 1, most_steps) - shorter;
    for (const auto& test : file.array(member("tests"), "tests")) {
        const auto& named = file.member(test, "name", "a test");
        const auto name = file.text(named, "name");
        if (result.tests.count(name) != 0) file.fail(named, "test '" + name + "' stands twice, expected each once");
        if (const auto* count = test.get_object().if_contains("count")) {
            constexpr double most = 1e6;
            result.tests[name] = {file.real(*count, "count", 1, most), 0, 0, false, true};
            continue;
        }
        result.tests[name] = read_step(file, file.member(test, "one", "a test"), more, of_model);
        if (const auto* many = test.get_object().if_contains("many"))
            result.tests[name + ".many"] = read_step(file, *many, more, of_model);
    }
    if (!result.structure) return result;
    const auto found = result.tests.find(reference_test);
    if (found == result.tests.end())
        file.fail(member("tests"), std::string("tests have no ") + reference_test + ", expected one");
    if (found->second.noisy) {
        result.structure = false;
        result.reason = std::string(reference_test) + ": repetitions differ, or a step takes no time";
    }
    return result;
}

bool card_measurement::is_clock_read() const
{
    const auto found = tests.find(clock_test);
    return found != tests.end() && !found->second.noisy;
}

void card_measurement::count_cycles(double clock_ghz)
{
    for (auto& [name, each] : tests) each.count_cycles(clock_ghz);
    // The order in which many warps meet at the queues depends on keys that are found later.
    constexpr double by_order = 0.02;
    for (const auto* each : {"ald_warps.many", "fetch"})
        if (const auto warps = tests.find(each); warps != tests.end())
            warps->second.spread += by_order * warps->second.value;
    // Keys that have only ranges change it much: any value of the model explains it.
    if (const auto emitted = tests.find("fetch_emit"); emitted != tests.end())
        emitted->second.spread = std::numeric_limits<double>::infinity();
}

std::vector<std::string> names_of(const card_figures& tests)
{
    std::vector<std::string> names;
    for (const auto& [name, each] : tests) names.push_back(name);
    return names;
}

bool is_explained(const card_figure& card, const card_figure& model)
{
    const double rounding = card.counted ? 0.5 : 0.4; // cycles
    return std::abs(card.value - model.value) < rounding + card.spread + card.bend + model.spread + model.bend;
}

} // namespace isbesim::testbench

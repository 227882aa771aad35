// SPDX-License-Identifier: Apache-2.0
#include "testbench/calibration/card_report.h"

#include <iomanip>
#include <sstream>
#include <vector>

#include "testbench/calibration/calibration_report.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

using table_rows = std::vector<std::vector<std::string>>;

std::string test_text(const card_figure& figure)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(figure.counted ? 0 : 1) << figure.value;
    return text.str();
}

std::string rate_text(const card_figure& figure)
{
    std::ostringstream text;
    text << std::setprecision(4) << figure.value;
    return text.str();
}

bool is_found(const key_finding& finding)
{
    return finding.measured && !finding.fits.empty();
}

/// The source of a key's value, and the remark beside it in the table.
std::string standing(const key_finding& finding)
{
    if (!finding.measured) return "not measured: noisy or not there";
    if (finding.fits.empty()) return "not measured: no value explains the tests";
    const auto range = finding.range_text();
    return range.empty() ? "" : range + " explain as much";
}

void add_keys(table_rows& rows, const card_findings& findings, const machine_config& found)
{
    for (const auto& each : findings.keys)
        rows.push_back(
            {each.key->name, is_found(each) ? each.key->value_text(each.key->get(found)) : "", standing(each)});
}

void add_tests(table_rows& rows, const card_figures& card, const card_figures& model,
               std::string (*text)(const card_figure&), bool (*is_explained)(const card_figure&, const card_figure&))
{
    for (const auto& [name, each] : card) {
        const auto known = model.find(name);
        if (each.noisy || known == model.end()) continue;
        rows.push_back({name, text(each), text(known->second)});
        if (!is_explained(each, known->second)) rows.back().back() += ", which does not explain it";
    }
}

/// The nested value of a dotted key.
json::value& value_of(json::object& machine, const std::string& key)
{
    const auto dot = key.find('.');
    return dot == std::string::npos ? machine[key] : machine[key.substr(0, dot)].as_object()[key.substr(dot + 1)];
}

} // namespace

void print_card(std::ostream& out, const explained_card& result)
{
    table_rows rows{{"key", "found", ""}};
    for (const auto* each : {&result.structure, &result.speed}) add_keys(rows, *each, result.found);
    print_table(out, rows);
    rows = {{"test", "card", "model"}};
    add_tests(rows, result.card.tests, result.structure.explained, test_text, is_explained);
    add_tests(rows, result.rates, result.speed.explained, rate_text, is_same_rate);
    print_table(out, rows);
}

json::object card_machine(const explained_card& result, const std::string& base)
{
    const auto source = "measured on " + result.card.card + ", " + result.card.driver;
    auto machine = config_to_json(result.found);
    machine["description"] = source + "; keys without a source are " + base;
    put_source(machine["clock_ghz"],
               source + (result.card.is_clock_read()
                             ? ", by the cycles that programs read"
                             : ", a dependent multiply-add taken as in the programs of Mesa's compiler"));
    for (const auto* findings : {&result.structure, &result.speed})
        for (const auto& each : findings->keys) {
            const auto text = standing(each);
            put_source(value_of(machine, each.key->name),
                       !is_found(each) ? text : source + (text.empty() ? "" : ": " + text));
        }
    return machine;
}

} // namespace isbesim::testbench

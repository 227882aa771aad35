// SPDX-License-Identifier: Apache-2.0
#include "testbench/calibration/calibration_report.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <map>
#include <ostream>
#include <sstream>

#include "models/isbe/functional/names.h"
#include "testbench/report/report_tables.h"
#include "testbench/system/config.h"
#include "testbench/version.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

constexpr std::size_t listed_operations = 10;
constexpr std::size_t listed_explanations = 16;

/// The values of a key in an explanation, as ranges of numbers.
using values_of = std::vector<value_range> (*)(const explanation&, const config_key&);

/// For a key that decides about passes: the values of all machines.
std::vector<value_range> rule_values(const explanation& each, const config_key& key)
{
    std::vector<value_range> values;
    for (const auto& isbe : each.machines) {
        machine_config machine;
        machine.isbe = isbe;
        const auto value = static_cast<unsigned>(key.get(machine));
        values.push_back({value, value});
    }
    return values;
}

template <latency_class kind>
std::vector<value_range> latency_values(const explanation& each, const config_key&)
{
    return {each.latency[static_cast<unsigned>(kind)]};
}

struct calibrated_key {
    const char* name;
    values_of values; ///< null: a size, which is the same in all explanations
};

const std::vector<calibrated_key>& calibrated_keys()
{
    static const std::vector<calibrated_key> keys = {
        {"isbe.pipeline_latency", latency_values<latency_class::load>},
        {"isbe.write_latency", latency_values<latency_class::store>},
        {"isbe.al2p_latency", latency_values<latency_class::al2p>},
        {"isbe.out_latency", latency_values<latency_class::out>},
        {"isbe.request_queue_depth",
         [](const explanation& each, const config_key&) { return std::vector<value_range>{each.request_depth}; }},
        {"isbe.response_queue_depth",
         [](const explanation& each, const config_key&) { return std::vector<value_range>{each.response_depth}; }},
        {"isbe.arbitration",
         [](const explanation& each, const config_key&) {
             const auto value = static_cast<unsigned>(each.arbitration);
             return std::vector<value_range>{{value, value}};
         }},
        {"isbe.access", rule_values},
        {"isbe.banks", rule_values},
        {"isbe.bank_map", rule_values},
        {"isbe.skew", rule_values},
        {"isbe.gs_slot_order", rule_values},
        {"isbe.lines", nullptr},
        {"isbe.contexts", nullptr},
        {"isbe.ports", nullptr},
    };
    return keys;
}

bool is_calibrated(const std::string& name)
{
    const auto& keys = calibrated_keys();
    return std::any_of(keys.begin(), keys.end(), [&](const calibrated_key& key) { return name == key.name; });
}

/// Joins ranges and sorts them.
std::vector<value_range> union_of(std::vector<value_range> ranges)
{
    std::sort(ranges.begin(), ranges.end(), [](const auto& a, const auto& b) { return a.low < b.low; });
    std::vector<value_range> joined;
    for (const auto& each : ranges) {
        if (joined.empty() || each.low > joined.back().high + 1)
            joined.push_back(each);
        else
            joined.back().high = std::max(joined.back().high, each.high);
    }
    return joined;
}

std::vector<value_range> size_values(const std::string& name, const calibration_result& result)
{
    if (name == "isbe.lines") return {result.size.lines};
    if (name == "isbe.contexts") return {result.size.contexts};
    return {{result.found.ports, result.found.ports}};
}

/// "round_robin, fixed_priority", "5 to 128".
std::string text_of(const std::vector<value_range>& ranges, const config_key& key)
{
    std::string text;
    const auto add = [&](const std::string& one) { text += (text.empty() ? "" : ", ") + one; };
    for (const auto& range : ranges) {
        const bool listed = key.kind != key_kind::integer || !key.choices.empty() || range.low == range.high;
        if (!listed) {
            add(key.value_text(range.low) + " to " + key.value_text(range.high));
            continue;
        }
        for (auto value = range.low; value <= range.high; ++value)
            if (admits(key, value)) add(key.value_text(value));
    }
    return text;
}

bool one_value(const std::vector<value_range>& ranges)
{
    return ranges.size() == 1 && ranges.front().low == ranges.front().high;
}

json::array ranges_json(const std::vector<value_range>& ranges)
{
    json::array list;
    for (const auto& range : ranges) list.push_back(json::array{range.low, range.high});
    return list;
}

json::array keys_json(const calibration_result& result, const machine_config& base)
{
    auto machine = base;
    machine.isbe = result.found;
    json::array list;
    for (const auto& each : calibrated_keys()) {
        const auto& key = *find_config_key(each.name);
        std::vector<value_range> ranges;
        if (each.values == nullptr)
            ranges = size_values(each.name, result);
        else
            for (const auto& one : result.explanations)
                for (const auto& range : each.values(one, key)) ranges.push_back(range);
        ranges = union_of(std::move(ranges));
        json::object row{{"key", each.name}, {"value", key.json_in(machine)}, {"base", key.json_in(base)}};
        if (key.kind == key_kind::integer) row["difference"] = key.get(machine) - key.get(base);
        row["told"] = one_value(ranges);
        row["fits"] = result.explained() ? text_of(ranges, key) : "";
        row["fits_ranges"] = result.explained() ? ranges_json(ranges) : json::array();
        list.push_back(std::move(row));
    }
    return list;
}

json::array explanations_json(const calibration_result& result)
{
    json::array list;
    for (const auto& each : result.explanations) {
        if (list.size() == listed_explanations) break;
        json::array machines;
        for (const auto& isbe : each.machines) {
            machine_config machine;
            machine.isbe = isbe;
            json::object rules;
            for (const auto& key : calibrated_keys())
                if (key.values == rule_values) rules[key.name] = find_config_key(key.name)->json_in(machine);
            machines.push_back(std::move(rules));
        }
        json::object row;
        for (const auto& key : calibrated_keys())
            if (key.values != nullptr && key.values != rule_values) {
                const auto& described = *find_config_key(key.name);
                row[key.name] = text_of(key.values(each, described), described);
            }
        row["machines"] = std::move(machines);
        list.push_back(std::move(row));
    }
    return list;
}

std::int64_t difference(std::uint64_t predicted, std::uint64_t seen)
{
    return static_cast<std::int64_t>(predicted) - static_cast<std::int64_t>(seen);
}

/// Cycles of a class: predicted minus seen.
struct error_sum {
    std::uint64_t count = 0, differ = 0, unpredicted = 0;
    std::int64_t sum = 0, largest = 0;
    std::uint64_t magnitude = 0;

    void add(std::uint64_t predicted, std::uint64_t seen)
    {
        ++count;
        if (predicted == seen) return;
        ++differ;
        if (predicted >= observed_operation::never) {
            ++unpredicted;
            return;
        }
        const auto cycles = difference(predicted, seen);
        sum += cycles;
        magnitude += static_cast<std::uint64_t>(std::abs(cycles));
        if (std::abs(cycles) > std::abs(largest)) largest = cycles;
    }
    json::object row(const char* name, unsigned port) const
    {
        const auto predicted = count - unpredicted;
        const auto mean = [&](double total) {
            return predicted == 0 ? json::value() : total / static_cast<double>(predicted);
        };
        return {{"class", name},
                {"port", port},
                {"operations", count},
                {"differ", differ},
                {"mean", mean(static_cast<double>(sum))},
                {"mean_magnitude", mean(static_cast<double>(magnitude))},
                {"largest", predicted == 0 ? json::value() : largest},
                {"unpredicted", unpredicted}};
    }
};

void add_errors(json::object& report, const observed_traffic& traffic, const calibration_result& result)
{
    std::map<std::pair<unsigned, unsigned>, error_sum> classes; // by opcode and port
    std::map<unsigned, error_sum> requests;
    json::array first;
    std::uint64_t unexplained = 0;
    std::array<std::uint64_t, 2> place{};
    for (std::size_t i = 0; i < traffic.operations().size(); ++i) {
        const auto& seen = traffic.operations()[i];
        const auto number = place[seen.port]++;
        const auto accept = result.predicted.accept[i];
        const auto response = seen.response == observed_operation::never ? seen.response : result.predicted.response[i];
        requests[seen.port].add(accept, seen.accept);
        if (seen.response != observed_operation::never)
            classes[{static_cast<unsigned>(seen.op), seen.port}].add(response, seen.response);
        if (accept == seen.accept && response == seen.response) continue;
        if (++unexplained > listed_operations) continue;
        json::object row{{"port", seen.port},          {"number", number},
                         {"opcode", name_of(seen.op)}, {"request", seen.request},
                         {"accept", seen.accept},      {"accept_difference", difference(accept, seen.accept)},
                         {"response", nullptr},        {"response_difference", nullptr}};
        if (seen.response != observed_operation::never) {
            row["response"] = seen.response;
            if (response < observed_operation::never) row["response_difference"] = difference(response, seen.response);
        }
        first.push_back(std::move(row));
    }
    json::array error;
    for (const auto& [at, sum] : classes) error.push_back(sum.row(opcode_names[at.first], at.second));
    for (const auto& [port, sum] : requests) error.push_back(sum.row("req_ready", port));
    report["error"] = std::move(error);
    report["unexplained"] =
        json::object{{"operations", unexplained}, {"passes", result.contradicted_passes}, {"first", std::move(first)}};
}

/// A number with its sign, or "never".
std::string signed_text(const json::value& value)
{
    if (value.is_null()) return "never";
    const auto number = value.to_number<double>();
    return (number > 0 ? "+" : "") + cell_text(value);
}

} // namespace

void print_table(std::ostream& out, const std::vector<std::vector<std::string>>& rows)
{
    std::vector<std::size_t> width;
    for (const auto& row : rows) {
        width.resize(std::max(width.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], row[i].size());
    }
    for (const auto& row : rows) {
        std::ostringstream line;
        for (std::size_t i = 0; i < row.size(); ++i)
            line << std::left << std::setw(static_cast<int>(width[i] + 2)) << row[i];
        auto text = line.str();
        text.erase(text.find_last_not_of(' ') + 1);
        out << "  " << text << "\n";
    }
    out << "\n";
}

json::array remarks_json(const observed_traffic& traffic, const calibration_result& result)
{
    json::array remarks;
    for (const auto& remark : traffic.remarks()) remarks.push_back(json::string(remark));
    const auto unbound = std::count(traffic.unbound().begin(), traffic.unbound().end(), true);
    if (unbound != 0 && (result.passes_as_seen || !result.explained()))
        remarks.push_back(json::string(
            std::to_string(unbound) + " operations use context slots that may have been bound before the file's begin" +
            (result.explained() ? ": their passes are taken from resp_passes, and the timed "
                                  "model is not compared"
                                : "")));
    return remarks;
}

json::object calibration_json(const std::string& input, const observed_traffic& traffic,
                              const calibration_result& result, const machine_config& base)
{
    json::object report{{"tool", json::object{{"version", version_text}}},
                        {"input", input},
                        {"operations", traffic.operations().size()},
                        {"ports", traffic.ports()},
                        {"remarks", remarks_json(traffic, result)},
                        {"explained", result.explained() && result.model_differences == 0},
                        {"explanations", result.explanations.size()},
                        {"model_differences", result.passes_as_seen ? json::value() : result.model_differences}};
    report["keys"] = keys_json(result, base);
    report["explained_by"] = explanations_json(result);
    add_errors(report, traffic, result);
    return report;
}

void print_calibration(std::ostream& out, const json::object& report)
{
    out << "calibrate: " << cell_text(report.at("operations")) << " operations of " << cell_text(report.at("ports"))
        << " ports\n\n";
    std::vector<std::vector<std::string>> rows{{"key", "found", "against the base", "explains as much"}};
    for (const auto& each : report.at("keys").as_array()) {
        const auto& key = each.as_object();
        std::string change;
        if (key.at("value") != key.at("base"))
            change =
                key.contains("difference") ? signed_text(key.at("difference")) : "not " + cell_text(key.at("base"));
        rows.push_back({key.at("key").as_string().c_str(), cell_text(key.at("value")), change,
                        key.at("told").as_bool() ? "" : key.at("fits").as_string().c_str()});
    }
    print_table(out, rows);
    rows = {{"error", "port", "operations", "differ", "mean", "largest"}};
    for (const auto& each : report.at("error").as_array()) {
        const auto& row = each.as_object();
        rows.push_back({row.at("class").as_string().c_str(), cell_text(row.at("port")), cell_text(row.at("operations")),
                        cell_text(row.at("differ")), cell_text(row.at("mean")), signed_text(row.at("largest"))});
    }
    print_table(out, rows);
    const auto& unexplained = report.at("unexplained").as_object();
    if (report.at("explained").as_bool()) {
        out << "explained: every response and every req_ready"
            << (report.at("model_differences").is_null() ? "" : "; the timed model does the same") << "\n";
        if (report.at("explanations").to_number<std::uint64_t>() > 1)
            out << "explained as well by " << cell_text(report.at("explanations"))
                << " sets of machines: the keys above are not independent, --report lists them\n";
        return;
    }
    if (!report.at("model_differences").is_null() && report.at("model_differences") != 0)
        out << "the timed model differs in " << cell_text(report.at("model_differences")) << " places\n";
    if (unexplained.at("passes") != 0)
        out << cell_text(unexplained.at("passes")) << " operations took other passes than on this machine\n";
    rows = {{"not explained", "port", "number", "accepted", "predicted", "responded", "predicted"}};
    for (const auto& each : unexplained.at("first").as_array()) {
        const auto& row = each.as_object();
        rows.push_back({row.at("opcode").as_string().c_str(), cell_text(row.at("port")), cell_text(row.at("number")),
                        cell_text(row.at("accept")), signed_text(row.at("accept_difference")),
                        row.at("response").is_null() ? "never" : cell_text(row.at("response")),
                        signed_text(row.at("response_difference"))});
    }
    print_table(out, rows);
}

void put_source(json::value& value, const std::string& source)
{
    value = json::object{{"value", value}, {"source", source}};
}

json::object calibrated_machine(const std::string& input, const calibration_result& result, const machine_config& base)
{
    auto machine = base;
    machine.isbe = result.found;
    json::object file{{"description", "found by isbesim calibrate " + input +
                                          (result.explained() ? "" : ": the nearest, no machine explains all cycles")}};
    auto isbe = config_to_json(machine).at("isbe").get_object();
    const std::string group = "isbe.";
    for (const auto& each : keys_json(result, base)) {
        const auto name = cell_text(each.at("key")).substr(group.size());
        if (!result.explained())
            put_source(isbe.at(name), "nearest");
        else if (!each.at("told").as_bool())
            put_source(isbe.at(name), "not determined: " + cell_text(each.at("fits")) + " explain as much");
    }
    for (auto& entry : isbe)
        if (!is_calibrated(group + std::string(entry.key()))) put_source(entry.value(), "the base's, changes no cycle");
    file["isbe"] = std::move(isbe);
    return file;
}

} // namespace isbesim::testbench

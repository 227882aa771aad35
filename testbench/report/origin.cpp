// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/origin.h"

#include <cstdlib>
#include <ctime>

#include <boost/json/value_to.hpp>

#include "testbench/files/shell_text.h"
#include "testbench/report/report_tables.h"
#include "testbench/version.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

std::string date_text()
{
    const char* const fixed = std::getenv("SOURCE_DATE_EPOCH");
    const auto now = fixed != nullptr ? static_cast<std::time_t>(std::strtoll(fixed, nullptr, 10)) : std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[sizeof "-2147483648-01-31T12:00:00Z"];
    return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

/// `name`: as given to --config, which also takes the content of a file.
std::string machine_text(const std::string& name)
{
    if (name.empty()) return "default";
    return name.front() == '{' ? "given in the command" : name;
}

} // namespace

json::array command_json(const char* command, const std::vector<std::string>& words)
{
    json::array line{"isbesim", command};
    for (const auto& word : words) line.emplace_back(word);
    return line;
}

json::object call_json(const char* command, const std::vector<std::string>& words)
{
    return {{"version", version_text}, {"command", command_json(command, words)}, {"date", date_text()}};
}

json::object origin_json(const result_origin& origin)
{
    const auto& [command, words, scenario, machine, config, isbe, timing] = origin;
    json::object changed;
    for (const auto& key : config_keys()) {
        const auto source = machine.sources.find(key.name);
        if (source != machine.sources.end() && source->second == set_by_hand) changed[key.name] = key.json_in(config);
    }
    json::object of{{"scenario", scenario},
                    {"machine", machine_text(machine.name)},
                    {"changed", changed},
                    {"isbe", isbe},
                    {"timing", timing}};
    for (const auto& entry : call_json(command, words)) of.insert(entry);
    return of;
}

std::string origin_text(const json::object& report)
{
    const auto* const found = report.if_contains("of");
    if (found == nullptr) return "";
    const auto& origin = found->get_object();
    const auto text = [&](const char* key) { return cell_text(origin.at(key)); };
    std::string result = "Machine " + text("machine");
    const char* separator = " with ";
    for (const auto& entry : origin.at("changed").get_object()) {
        result += separator + std::string(entry.key()) + " " + cell_text(entry.value());
        separator = ", ";
    }
    return result + "; back end " + text("isbe") + (text("timing") == "lt" ? ", loosely timed; " : "; ") +
           call_text(origin);
}

std::string call_text(const json::object& origin)
{
    const auto words = json::value_to<std::vector<std::string>>(origin.at("command"));
    return "isbesim " + cell_text(origin.at("version")) + "; " + cell_text(origin.at("date")) + ";" + shell_text(words);
}

} // namespace isbesim::testbench

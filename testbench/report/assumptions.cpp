// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/assumptions.h"

#include <cctype>
#include <map>
#include <set>
#include <vector>

#include "testbench/report/critical_path.h"
#include "testbench/report/report_figures.h"
#include "testbench/report/what_if.h"
#include "tlm/count_text.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

/// Names in sentences or on the path, with the keys that they stand for. Keys named in full need no entry.
const std::vector<std::pair<std::string, std::vector<std::string>>>& words()
{
    static const std::vector<std::string> engine = {"isbe.access", "isbe.banks", "isbe.bank_map"};
    static const std::vector<std::pair<std::string, std::vector<std::string>>> table = {
        {"the pass engine", engine},
        {"a warp scheduler", {"schedulers_per_sm"}},
        {"vertex fetch", {"pe.fetch_bytes_per_cycle"}},
        {"passes.", engine},
        {"bank_conflict.", engine},
        {"pipeline_latency.", {"isbe.pipeline_latency"}},
        {"write_latency.", {"isbe.write_latency"}},
        {"al2p_latency.", {"isbe.al2p_latency"}},
        {"out_latency.", {"isbe.out_latency"}},
        {"responses_full.", {"isbe.response_queue_depth"}},
        {"request_queue.", {"isbe.request_queue_depth"}},
        {"attribute_queue.", {"sm.attribute_queue_depth"}},
        {"read_release.", {"sm.read_release_latency"}},
        {"isbe_lines.", {"isbe.lines"}},
        {"warp_slot.", {"warps_per_sm"}},
        {"fetch.", {"pe.fetch_bytes_per_cycle"}},
        {"geometry_threads.", {"pe.geometry_threads_per_cycle"}},
        {"back_end.", {"pe.vertices_per_cycle", "chip.gpc_primitives_per_cycle", "chip.gpc_setups_per_cycle"}},
    };
    return table;
}

bool is_part_of_name(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

std::set<std::string> keys_of(const std::string& text)
{
    std::set<std::string> keys;
    for (const auto& [word, meant] : words())
        for (auto position = text.find(word); position != std::string::npos; position = text.find(word, position + 1))
            if (position == 0 || !is_part_of_name(text[position - 1])) keys.insert(meant.begin(), meant.end());
    std::string name;
    for (const char c : text + ' ') {
        if (is_part_of_name(c)) {
            name += c;
            continue;
        }
        while (!name.empty() && name.back() == '.') name.pop_back();
        if (find_config_key(name) != nullptr) keys.insert(name);
        name.clear();
    }
    return keys;
}

/// The sizes of lines, if warps waited for lines.
void add_lines(const json::object& report, std::set<std::string>& keys)
{
    const auto number = [&](const std::string& path) {
        const auto* found = value_at(report, path);
        return found == nullptr ? 0 : found->to_number<std::uint64_t>();
    };
    if (number("stalls.isbe_full") + number("stalls.lines_and_slot") == 0) return;
    keys.insert("isbe.lines");
    const auto* rule = value_at(report, "config.pe.buffers");
    for (const std::string key : buffer_keys)
        if (rule != nullptr && rule->as_string() == "alpha_beta" && number("config." + key) != 0) keys.insert(key);
}

/// The group of a key in the list; empty: it is known.
std::string standing_of(const std::string& source)
{
    if (source == set_by_hand) return source;
    if (source.empty() || source.rfind("assumed", 0) == 0 || source.find("placeholder") != std::string::npos)
        return "assumed";
    return source.find("assumed") != std::string::npos ? "assumed in part" : "";
}

} // namespace

std::string assumptions_text(const json::object& report, const key_sources& sources)
{
    const auto* sentence = report.if_contains("bottleneck");
    if (sentence == nullptr) return "";
    std::string text = std::string(sentence->as_string()) + " ";
    if (const auto* path = report.if_contains("critical_path")) text += path_text(path->get_object());
    text += " " + (report.contains("what_if") ? what_if_text(report) : measured_text(report));
    auto keys = keys_of(text);
    add_lines(report, keys);
    if (keys.empty()) return "";
    std::map<std::string, std::vector<std::string>> standing;
    for (const auto& key : keys) {
        const auto found = sources.find(key);
        const auto group = standing_of(found == sources.end() ? std::string() : found->second);
        if (!group.empty()) standing[group].push_back(key);
    }
    std::string result = "This answer depends on " + count_text(keys.size(), "machine key");
    if (standing.empty()) return result + ", none of them assumed.";
    char mark = ':';
    for (const auto& [name, which] : standing) {
        result +=
            mark + (" " + std::to_string(which.size())) + " " + name + (name == "assumed" ? ", not measured" : "");
        mark = ';';
        const char* separator = " (";
        for (const auto& key : which) {
            result += separator + key;
            separator = ", ";
        }
        result += ")";
    }
    return result + ".";
}

} // namespace isbesim::testbench

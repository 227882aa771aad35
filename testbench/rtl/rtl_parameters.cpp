#include "testbench/rtl/rtl_parameters.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace isbesim::testbench {

namespace {

template <auto member>
std::uint32_t number(const isbe_config& config)
{
    return config.*member;
}
template <auto member>
void set_number(isbe_config& config, std::uint32_t value)
{
    config.*member = value;
}
/// A two-way choice: 1 stands for `one`.
template <auto member, auto one>
std::uint32_t choice(const isbe_config& config)
{
    return config.*member == one ? 1 : 0;
}
template <auto member, auto one, auto zero>
void set_choice(isbe_config& config, std::uint32_t value)
{
    config.*member = value != 0 ? one : zero;
}

} // namespace

const std::vector<rtl_parameter>& rtl_parameters()
{
    static const std::vector<rtl_parameter> table = {
        {"LINES", "isbe.lines", {}, number<&isbe_config::lines>, set_number<&isbe_config::lines>},
        {"BANKS", "isbe.banks", {}, number<&isbe_config::banks>, set_number<&isbe_config::banks>},
        {"ACCESS_LINE",
         "isbe.access",
         {"banked", "line"},
         choice<&isbe_config::access, access_rule::line>,
         set_choice<&isbe_config::access, access_rule::line, access_rule::banked>},
        {"SKEW",
         "isbe.skew",
         {"false", "true"},
         choice<&isbe_config::skew, true>,
         set_choice<&isbe_config::skew, true, false>},
        {"PORTS", "isbe.ports", {}, number<&isbe_config::ports>, set_number<&isbe_config::ports>},
        {"REQUEST_QUEUE_DEPTH",
         "isbe.request_queue_depth",
         {},
         number<&isbe_config::request_queue_depth>,
         set_number<&isbe_config::request_queue_depth>},
        {"RESPONSE_QUEUE_DEPTH",
         "isbe.response_queue_depth",
         {},
         number<&isbe_config::response_queue_depth>,
         set_number<&isbe_config::response_queue_depth>},
        {"PIPELINE_LATENCY",
         "isbe.pipeline_latency",
         {},
         number<&isbe_config::pipeline_latency>,
         set_number<&isbe_config::pipeline_latency>},
        {"WRITE_LATENCY",
         "isbe.write_latency",
         {},
         number<&isbe_config::write_latency>,
         set_number<&isbe_config::write_latency>},
        {"AL2P_LATENCY",
         "isbe.al2p_latency",
         {},
         number<&isbe_config::al2p_latency>,
         set_number<&isbe_config::al2p_latency>},
        {"OUT_LATENCY",
         "isbe.out_latency",
         {},
         number<&isbe_config::out_latency>,
         set_number<&isbe_config::out_latency>},
        {"FIXED_PRIORITY",
         "isbe.arbitration",
         {"round_robin", "fixed_priority"},
         choice<&isbe_config::arbitration, arbitration_rule::fixed_priority>,
         set_choice<&isbe_config::arbitration, arbitration_rule::fixed_priority, arbitration_rule::round_robin>},
        {"GS_BLOCKED",
         "isbe.gs_slot_order",
         {"interleaved", "blocked"},
         choice<&isbe_config::gs_slot_order, gs_slot_order::blocked>,
         set_choice<&isbe_config::gs_slot_order, gs_slot_order::blocked, gs_slot_order::interleaved>},
        {"WINNER_LOWEST",
         "patch_winner",
         {"highest", "lowest"},
         choice<&isbe_config::patch_winner, lane_winner::lowest>,
         set_choice<&isbe_config::patch_winner, lane_winner::lowest, lane_winner::highest>},
        {"ATTRIBUTE_DEFAULT",
         "attribute_default",
         {},
         number<&isbe_config::attribute_default>,
         set_number<&isbe_config::attribute_default>},
        {"POSITION_W_DEFAULT",
         "position_w_default",
         {},
         number<&isbe_config::position_w_default>,
         set_number<&isbe_config::position_w_default>},
        {"MAP_BYTE_SWAP",
         "isbe.map_byte_swap",
         {"false", "true"},
         choice<&isbe_config::map_byte_swap, true>,
         set_choice<&isbe_config::map_byte_swap, true, false>},
        {"CONTEXTS", "isbe.contexts", {}, number<&isbe_config::contexts>, set_number<&isbe_config::contexts>},
    };
    return table;
}

std::string rtl_parameter_list(const isbe_config& config)
{
    std::string list;
    for (const auto& parameter : rtl_parameters()) {
        if (!list.empty()) list += ' ';
        list += std::string(parameter.name) + "=" + std::to_string(parameter.get(config));
    }
    return list;
}

namespace {

std::string value_text(const rtl_parameter& parameter, std::uint32_t value)
{
    return parameter.values[0] != nullptr ? parameter.values[value] : std::to_string(value);
}

std::size_t count_differences(const isbe_config& config, const isbe_config& compiled)
{
    const auto& all = rtl_parameters();
    return static_cast<std::size_t>(std::count_if(
        all.begin(), all.end(), [&](const rtl_parameter& each) { return each.get(config) != each.get(compiled); }));
}

} // namespace

std::string rtl_differences(const isbe_config& config, const std::string& compiled_list)
{
    const auto compiled = config_of_rtl_parameters(compiled_list);
    std::string text;
    for (const auto& each : rtl_parameters()) {
        if (each.get(config) == each.get(compiled)) continue;
        text += (text.empty() ? "" : ", ") + std::string(each.key) + " = " + value_text(each, each.get(config)) +
                " (compiled: " + value_text(each, each.get(compiled)) + ")";
    }
    return text;
}

std::size_t nearest_rtl_parameters(const isbe_config& config, const std::vector<std::string>& compiled_lists)
{
    std::size_t nearest = 0;
    std::size_t fewest = rtl_parameters().size() + 1;
    for (std::size_t i = 0; i < compiled_lists.size(); ++i) {
        const auto differences = count_differences(config, config_of_rtl_parameters(compiled_lists[i]));
        if (differences >= fewest) continue;
        fewest = differences;
        nearest = i;
    }
    return nearest;
}

isbe_config config_of_rtl_parameters(const std::string& list)
{
    isbe_config config;
    std::istringstream words(list);
    for (std::string word; words >> word;) {
        const auto equals = word.find('=');
        bool known = false;
        for (const auto& parameter : rtl_parameters()) {
            if (word.compare(0, equals, parameter.name) != 0) continue;
            parameter.set(config, static_cast<std::uint32_t>(std::stoul(word.substr(equals + 1))));
            known = true;
        }
        if (!known) throw std::invalid_argument("'" + word + "' is no RTL parameter");
    }
    return config;
}

} // namespace isbesim::testbench

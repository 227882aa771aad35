#include "testbench/rtl/rtl_parameters.h"

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
        {"LINES", number<&isbe_config::lines>, set_number<&isbe_config::lines>},
        {"BANKS", number<&isbe_config::banks>, set_number<&isbe_config::banks>},
        {"ACCESS_LINE", choice<&isbe_config::access, access_rule::line>,
         set_choice<&isbe_config::access, access_rule::line, access_rule::banked>},
        {"SKEW", choice<&isbe_config::skew, true>, set_choice<&isbe_config::skew, true, false>},
        {"PORTS", number<&isbe_config::ports>, set_number<&isbe_config::ports>},
        {"REQUEST_QUEUE_DEPTH", number<&isbe_config::request_queue_depth>,
         set_number<&isbe_config::request_queue_depth>},
        {"RESPONSE_QUEUE_DEPTH", number<&isbe_config::response_queue_depth>,
         set_number<&isbe_config::response_queue_depth>},
        {"PIPELINE_LATENCY", number<&isbe_config::pipeline_latency>, set_number<&isbe_config::pipeline_latency>},
        {"WRITE_LATENCY", number<&isbe_config::write_latency>, set_number<&isbe_config::write_latency>},
        {"AL2P_LATENCY", number<&isbe_config::al2p_latency>, set_number<&isbe_config::al2p_latency>},
        {"OUT_LATENCY", number<&isbe_config::out_latency>, set_number<&isbe_config::out_latency>},
        {"FIXED_PRIORITY", choice<&isbe_config::arbitration, arbitration_rule::fixed_priority>,
         set_choice<&isbe_config::arbitration, arbitration_rule::fixed_priority, arbitration_rule::round_robin>},
        {"GS_BLOCKED", choice<&isbe_config::gs_slot_order, gs_slot_order::blocked>,
         set_choice<&isbe_config::gs_slot_order, gs_slot_order::blocked, gs_slot_order::interleaved>},
        {"WINNER_LOWEST", choice<&isbe_config::patch_winner, lane_winner::lowest>,
         set_choice<&isbe_config::patch_winner, lane_winner::lowest, lane_winner::highest>},
        {"ATTRIBUTE_DEFAULT", number<&isbe_config::attribute_default>, set_number<&isbe_config::attribute_default>},
        {"POSITION_W_DEFAULT", number<&isbe_config::position_w_default>, set_number<&isbe_config::position_w_default>},
        {"MAP_BYTE_SWAP", choice<&isbe_config::map_byte_swap, true>,
         set_choice<&isbe_config::map_byte_swap, true, false>},
        {"CONTEXTS", number<&isbe_config::contexts>, set_number<&isbe_config::contexts>},
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

#include "testbench/rtl/rtl_parameters.h"

namespace isbesim::testbench {

std::vector<rtl_parameter> rtl_parameters(const isbe_config& config)
{
    return {
        {"LINES", config.lines},
        {"BANKS", config.banks},
        {"ACCESS_LINE", config.access == access_rule::line ? 1U : 0U},
        {"SKEW", config.skew ? 1U : 0U},
        {"PORTS", config.ports},
        {"REQUEST_QUEUE_DEPTH", config.request_queue_depth},
        {"RESPONSE_QUEUE_DEPTH", config.response_queue_depth},
        {"PIPELINE_LATENCY", config.pipeline_latency},
        {"WRITE_LATENCY", config.write_latency},
        {"AL2P_LATENCY", config.al2p_latency},
        {"OUT_LATENCY", config.out_latency},
        {"FIXED_PRIORITY", config.arbitration == arbitration_rule::fixed_priority ? 1U : 0U},
        {"GS_BLOCKED", config.gs_slot_order == gs_slot_order::blocked ? 1U : 0U},
        {"WINNER_LOWEST", config.patch_winner == lane_winner::lowest ? 1U : 0U},
        {"ATTRIBUTE_DEFAULT", config.attribute_default},
        {"POSITION_W_DEFAULT", config.position_w_default},
        {"MAP_BYTE_SWAP", config.map_byte_swap ? 1U : 0U},
        {"CONTEXTS", config.contexts},
    };
}

std::string rtl_parameter_list(const isbe_config& config)
{
    std::string list;
    for (const auto& parameter : rtl_parameters(config)) {
        if (!list.empty()) list += ' ';
        list += std::string(parameter.name) + "=" + std::to_string(parameter.value);
    }
    return list;
}

} // namespace isbesim::testbench

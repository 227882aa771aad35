// SPDX-License-Identifier: Apache-2.0
#include "testbench/command_line/ignored_keys.h"

#include <algorithm>

namespace isbesim::testbench {

void warn_of_ignored_keys(const run_request& request, std::vector<input_warning>& warnings)
{
    const auto& config = request.config;
    const bool by_warp = request.timing == sm_timing::by_warp;
    const char* const lt = by_warp ? "--timing lt" : "--isbe lt";
    const bool ideal = config.memory.model == memory_rule::ideal;
    const bool unified = config.pe.buffers == buffer_rule::unified;
    struct ignored {
        std::string_view key;
        bool is_ignored;
        const char* reason;
        bool in_file = false; ///< if --config alone changes it, too: files have keys of all machines
    };
    const ignored keys[] = {
        {"isbe.request_queue_depth", by_warp, lt, true},
        {"isbe.arbitration", request.is_estimate(), lt, true},
        {"sm.attribute_queue_depth", by_warp, lt, true},
        {"scheduler_policy", by_warp, lt, true},
        {"sm.quantum", !by_warp, "--timing at"},
        {"memory.l1_bytes", ideal, "memory.model=ideal"},
        {"memory.l1_bytes_per_cycle", ideal, "memory.model=ideal"},
        {"memory.l2_bytes", ideal, "memory.model=ideal"},
        {"memory.l2_bytes_per_cycle", ideal, "memory.model=ideal"},
        {"memory.l2_latency", ideal, "memory.model=ideal"},
        {"memory.dram_bytes_per_cycle", ideal, "memory.model=ideal"},
        {"memory.dram_latency", ideal, "memory.model=ideal"},
        {"pe.alpha_lines", unified, "pe.buffers=unified"},
        {"pe.beta_lines", unified, "pe.buffers=unified"},
        {"chip.deal_batches", config.chip.all_tpcs() == 1, "one TPC"},
        {"chip.deal_order", config.chip.all_tpcs() == 1, "one TPC"},
    };
    const auto set = set_assignments(request.arguments);
    const machine_config defaults;
    for (const auto& each : keys) {
        if (!each.is_ignored) continue;
        const auto* key = find_config_key(each.key);
        const bool is_set = std::any_of(set.begin(), set.end(), [&](const auto& one) { return one.key == each.key; });
        if (is_set || (each.in_file && key->get(config) != key->get(defaults)))
            warnings.emplace_back("no_effect", place_of_keys(request.arguments, {each.key}),
                                  std::string(each.key) + " has no effect with " + each.reason);
    }
}

} // namespace isbesim::testbench

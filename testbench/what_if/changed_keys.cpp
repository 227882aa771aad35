// SPDX-License-Identifier: Apache-2.0
#include "testbench/what_if/changed_keys.h"

#include "models/pipe_names.h"

namespace isbesim::testbench {

bool changed_key::has_effect(const machine_config& config) const
{
    return scope == key_scope::every || (scope == key_scope::several_tpcs && config.chip.all_tpcs() > 1) ||
           (scope == key_scope::with_hierarchy && config.memory.model == memory_rule::hierarchy);
}

const std::vector<changed_key>& changed_keys()
{
    using reason = path_reason;
    constexpr auto eighths = key_values::eighths, sizes = key_values::whole_halves, rates = key_values::halves,
                   costs = key_values::halves_of_cost, moved = key_values::other_buffer;
    constexpr auto every = key_scope::every, chips = key_scope::several_tpcs, memory = key_scope::with_hierarchy;
    static const std::vector<part_of_stack> lines = {{"waiting.", "isbe_full"}, {"waiting.", "lines_and_slot"}};
    static const std::vector<part_of_stack> slots = {{"waiting.", "warp_slot"}, {"waiting.", "lines_and_slot"}};
    static const std::vector<part_of_stack> machine = {
        {"pass_engine", ""},       {"scheduler", ""},         {"pass_engine", "responses_full"},
        {"waiting.", "isbe_full"}, {"waiting.", "warp_slot"}, {"waiting.", "lines_and_slot"}};
    static const std::vector<changed_key> table = [] {
        std::vector<changed_key> keys = {
            {"isbe.pipeline_latency", eighths, every, {reason::pipeline_latency}, {}},
            {"isbe.write_latency", eighths, every, {reason::write_latency}, {}},
            {"isbe.al2p_latency", eighths, every, {reason::al2p_latency}, {}},
            {"isbe.out_latency", eighths, every, {reason::out_latency}, {}},
            {"sm.alu_latency", eighths, every, {reason::alu_latency}, {}},
            {"sm.variable_latency", eighths, every, {reason::variable_latency}, {}},
            {"sm.memory_latency", eighths, every, {reason::memory_latency}, {}},
            {"sm.global_latency", eighths, every, {reason::global_latency}, {}},
            {"sm.texture_latency", eighths, every, {reason::texture_latency}, {}},
            {"sm.read_release_latency", eighths, every, {reason::read_release}, {}},
            {"pe.fetch_bytes_per_cycle", sizes, every, {reason::fetch}, {{"fetch", ""}}},
            {"isbe.banks", sizes, every, {reason::passes, reason::bank_conflict}, {{"pass_engine", ""}}},
            {"isbe.ports",
             sizes,
             every,
             {reason::request_channel, reason::response_channel, reason::consumer, reason::grant, reason::request_queue,
              reason::responses_full},
             {}},
            {"isbe.request_queue_depth",
             sizes,
             every,
             {reason::request_queue, reason::grant},
             {{"pass_engine", "grant"}}},
            {"isbe.response_queue_depth", sizes, every, {reason::responses_full}, {{"pass_engine", "responses_full"}}},
            {"sm.attribute_queue_depth", sizes, every, {reason::attribute_queue}, {{"scheduler", "attribute_queue"}}},
            {"isbe.lines", sizes, every, {}, lines},
            {"pe.alpha_lines", moved, every, {}, lines},
            {"pe.beta_lines", moved, every, {}, lines},
            {"isbe.contexts", sizes, every, {}, slots},
            {"warps_per_sm", sizes, every, {}, slots},
            {"schedulers_per_sm", sizes, every, {reason::issue_slot}, {{"scheduler", ""}}},
            {"sm_count", sizes, every, {}, machine},
            {"chip.gpcs", sizes, chips, {}, {}}, // as many TPCs as by chip.tpcs
            {"chip.tpcs", sizes, chips, {}, machine},
            {"chip.primitives_per_cycle", sizes, chips, {reason::front_end}, {}},
            {"pe.vertices_per_cycle", rates, every, {reason::back_end}, {{"viewport", ""}}},
            {"pe.geometry_threads_per_cycle", rates, every, {reason::geometry_threads}, {{"geometry_threads", ""}}},
            {"chip.gpc_primitives_per_cycle", rates, every, {reason::back_end}, {{"raster", ""}}},
            {"chip.gpc_setups_per_cycle", rates, every, {reason::back_end}, {{"setup", ""}}},
            {"chip.record_bytes_per_cycle", rates, every, {reason::front_end}, {}},
            {"chip.draw_cycles", costs, every, {reason::front_end}, {}},
            {"chip.instance_cycles", costs, every, {reason::front_end}, {}},
            {"chip.restart_cycles", costs, every, {reason::front_end}, {}},
            {"chip.index_cycles", costs, every, {}, {}},
            {"chip.gpc_batch_cycles", costs, every, {}, {}},
        };
        for (const std::string name : pipe_names)
            keys.push_back({"sm." + name + "_lanes", rates, every, {}, {{name + "_pipe", ""}}});
        for (const auto* key :
             {"memory.l1_bytes", "memory.l2_bytes", "memory.l1_bytes_per_cycle", "memory.l2_bytes_per_cycle"})
            keys.push_back({key, rates, memory, {}, {}});
        keys.push_back({"memory.dram_bytes_per_cycle", rates, memory, {}, {{"dram", ""}}});
        for (const auto* key : {"memory.l2_latency", "memory.dram_latency"})
            keys.push_back({key, eighths, memory, {reason::global_memory}, {}});
        return keys;
    }();
    return table;
}

} // namespace isbesim::testbench

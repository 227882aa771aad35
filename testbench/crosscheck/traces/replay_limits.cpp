// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traces/replay_limits.h"

#include <algorithm>

#include "models/attribute/layout.h"
#include "testbench/system/config.h"

namespace isbesim::testbench {

namespace {

constexpr std::string_view bounded_keys[] = {"isbe.lines", "isbe.contexts", "isbe.ports"};

constexpr std::string_view free_keys[] = {
    "clock_ghz", "isbe.banks", "isbe.bank_map", "isbe.access", "isbe.request_queue_depth", "isbe.response_queue_depth",
    "isbe.pipeline_latency", "isbe.write_latency", "isbe.al2p_latency", "isbe.out_latency", "isbe.arbitration",
    // A replay contains only the ISBE.
    "sm_count", "schedulers_per_sm", "warps_per_sm", "scheduler_policy", "poison", "allow_phys_vector",
    "trap_vertex_range", "trap_gs_state", "trap_isbe_range"};

template <std::size_t n>
bool is_one_of(std::string_view key, const std::string_view (&keys)[n])
{
    return std::find(std::begin(keys), std::end(keys), key) != std::end(keys);
}

/// "isbe.lines is 512, recorded with 1024"
std::string difference(const char* name, const machine_config& recorded, const machine_config& now)
{
    const auto* key = find_config_key(name);
    return std::string(name) + " is " + key->value_text(key->get(now)) + ", recorded with " +
           key->value_text(key->get(recorded));
}

std::string lines(std::uint64_t bytes)
{
    return std::to_string((bytes + line_bytes - 1) / line_bytes);
}

} // namespace

bool is_free_in_replay(std::string_view key)
{
    return is_one_of(key, free_keys) || key.rfind("sm.", 0) == 0 || key.rfind("pe.", 0) == 0 ||
           key.rfind("memory.", 0) == 0 || key.rfind("chip.", 0) == 0;
}

std::string why_not_played(const trace_needs& needs, const machine_config& recorded, const machine_config& now)
{
    for (const auto& key : config_keys()) {
        if (is_free_in_replay(key.name) || is_one_of(key.name, bounded_keys) || key.get(recorded) == key.get(now))
            continue;
        return difference(key.name, recorded, now) + ": operations would mean something else, expected " +
               key.value_text(key.get(recorded));
    }
    const auto bytes = std::uint64_t{now.isbe.lines} * line_bytes;
    if (bytes < needs.storage_bytes)
        return difference("isbe.lines", recorded, now) + ": the trace uses " + lines(needs.storage_bytes) +
               " lines, expected at least as many";
    if (bytes >= needs.storage_below)
        return difference("isbe.lines", recorded, now) +
               ": an access beyond the recorded storage would be inside, expected fewer than " +
               lines(needs.storage_below);
    if (now.isbe.contexts < needs.contexts)
        return difference("isbe.contexts", recorded, now) + ": the trace uses " + std::to_string(needs.contexts) +
               " slots, expected at least as many";
    if (now.isbe.contexts >= needs.contexts_below)
        return difference("isbe.contexts", recorded, now) +
               ": a slot beyond the recorded ones would be bound, expected fewer than " +
               std::to_string(needs.contexts_below);
    if (now.isbe.ports < recorded.isbe.ports)
        return difference("isbe.ports", recorded, now) + ": the trace has operations of both, expected " +
               std::to_string(recorded.isbe.ports);
    return "";
}

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
#include "testbench/what_if/machine_changes.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "models/pipe_names.h"
#include "testbench/system/config.h"

namespace isbesim::testbench {

namespace {

constexpr const char* latency_keys[] = {"isbe.pipeline_latency",  "isbe.write_latency", "isbe.al2p_latency",
                                        "isbe.out_latency",       "sm.alu_latency",     "sm.variable_latency",
                                        "sm.memory_latency",      "sm.global_latency",  "sm.texture_latency",
                                        "sm.read_release_latency"};
constexpr const char* size_keys[] = {"pe.fetch_bytes_per_cycle",
                                     "isbe.banks",
                                     "isbe.ports",
                                     "isbe.request_queue_depth",
                                     "isbe.response_queue_depth",
                                     "sm.attribute_queue_depth",
                                     "isbe.lines",
                                     "isbe.contexts",
                                     "warps_per_sm",
                                     "schedulers_per_sm",
                                     "sm_count"};
constexpr const char* chip_keys[] = {"chip.gpcs", "chip.tpcs", "chip.primitives_per_cycle"};
constexpr const char* rate_keys[] = {"pe.vertices_per_cycle", "pe.geometry_threads_per_cycle",
                                     "chip.gpc_primitives_per_cycle", "chip.gpc_setups_per_cycle",
                                     "chip.record_bytes_per_cycle"};
constexpr const char* memory_keys[] = {"memory.l1_bytes", "memory.l2_bytes", "memory.l1_bytes_per_cycle",
                                       "memory.l2_bytes_per_cycle", "memory.dram_bytes_per_cycle"};
constexpr const char* memory_latency_keys[] = {"memory.l2_latency", "memory.dram_latency"};
constexpr const char* cost_keys[] = {"chip.draw_cycles", "chip.instance_cycles", "chip.restart_cycles",
                                     "chip.index_cycles", "chip.gpc_batch_cycles"};

void add_step(machine_change& change, const config_key& key, double to, bool is_latency)
{
    change.steps.push_back({key.name, key.get(change.machine), to, is_latency});
    key.set(change.machine, to);
}

void add_change(std::vector<machine_change>& changes, const machine_config& config, const char* name, double to,
                bool is_latency)
{
    const auto& key = *find_config_key(name);
    const auto from = key.get(config);
    if (!admits(key, to) || to == from) return;
    auto& change = changes.emplace_back(machine_change{{}, config});
    add_step(change, key, to, is_latency);
    if (key.name != std::string_view("isbe.lines")) return;
    for (const auto* buffer : sized_buffers(config)) {
        const auto& size = *find_config_key(buffer);
        add_step(change, size, std::floor(size.get(config) * to / from), is_latency);
    }
}

bool change_the_same(const machine_change& one, const machine_change& other)
{
    return std::any_of(one.steps.begin(), one.steps.end(), [&](const auto& step) {
        return std::any_of(other.steps.begin(), other.steps.end(),
                           [&](const auto& another) { return another.key == step.key; });
    });
}

} // namespace

std::vector<const char*> sized_buffers(const machine_config& config)
{
    std::vector<const char*> result;
    if (config.pe.buffers != buffer_rule::alpha_beta) return result;
    for (const auto* key : buffer_keys)
        if (find_config_key(key)->get(config) != 0) result.push_back(key);
    return result;
}

std::vector<const char*> slot_keys(const machine_config& config)
{
    std::vector<const char*> keys;
    if (config.isbe.contexts <= config.sm.warps) keys.push_back("isbe.contexts");
    if (config.sm.warps <= config.isbe.contexts) keys.push_back("warps_per_sm");
    return keys;
}

std::vector<machine_change> machine_changes(const machine_config& config)
{
    std::vector<machine_change> changes;
    const auto eighths = [&](const char* key) {
        const auto now = find_config_key(key)->get(config);
        const auto step = std::max(std::floor(now / 8), 1.0);
        for (const auto to : {now - step, now + step}) add_change(changes, config, key, to, true);
    };
    for (const auto* key : latency_keys) eighths(key);
    for (const auto* key : size_keys) {
        const auto now = find_config_key(key)->get(config);
        for (const auto to : {std::floor(now / 2), now * 2}) add_change(changes, config, key, to, false);
    }
    for (const auto* key : chip_keys) {
        if (config.chip.all_tpcs() == 1) break;
        const auto now = find_config_key(key)->get(config);
        for (const auto to : {std::floor(now / 2), now * 2})
            if (to != 0) add_change(changes, config, key, to, false); // 0 primitives per cycle: no limit
    }
    // 0: no limit, and no cost.
    const auto half_and_twice = [&](const std::string& key, bool is_latency) {
        const auto now = find_config_key(key)->get(config);
        for (const auto to : {now / 2, now * 2})
            if (to != 0) add_change(changes, config, key.c_str(), to, is_latency);
    };
    for (const auto* key : rate_keys) half_and_twice(key, false);
    for (const auto* key : cost_keys) half_and_twice(key, true);
    for (const auto* name : pipe_names) half_and_twice("sm." + std::string(name) + "_lanes", false);
    if (config.memory.model == memory_rule::hierarchy) {
        for (const auto* key : memory_keys) half_and_twice(key, false);
        for (const auto* key : memory_latency_keys) eighths(key);
    }
    auto moved = moved_lines(config);
    std::move(moved.begin(), moved.end(), std::back_inserter(changes));
    return changes;
}

std::vector<machine_change> moved_lines(const machine_config& config)
{
    std::vector<machine_change> changes;
    if (sized_buffers(config).empty()) return changes;
    const auto lines = config.isbe.lines;
    // A buffer without a size has what the other leaves.
    const auto size_of = [&](unsigned entries) {
        const auto size = [&](unsigned b) { return find_config_key(buffer_keys[b])->get(config); };
        return size(entries) != 0 ? size(entries) : lines - size(1 - entries);
    };
    for (const unsigned to : {0U, 1U}) {
        const auto grown = size_of(to), other = size_of(1 - to);
        for (const auto left : {other, std::floor(other / 2), std::floor(other / 8)}) {
            if (left < 1 || lines - left <= grown) continue;
            machine_change change{{}, config};
            for (const auto& [buffer, size] : {std::pair{to, lines - left}, {1 - to, left}}) {
                const auto& key = *find_config_key(buffer_keys[buffer]);
                if (key.get(config) != 0 && key.get(config) != size) add_step(change, key, size, false);
            }
            changes.push_back(std::move(change));
        }
    }
    return changes;
}

std::vector<machine_change> more_room(const machine_config& config)
{
    std::vector<machine_change> room;
    add_change(room, config, "isbe.lines", 2.0 * config.isbe.lines, false);
    for (const auto* name : slot_keys(config)) {
        const auto& key = *find_config_key(name);
        const auto to = key.get(config) * 2;
        if (room.empty() || !admits(key, to)) return {};
        add_step(room.front(), key, to, false);
    }
    return room;
}

std::vector<machine_change> better_pairs(const std::vector<machine_change>& changes)
{
    std::vector<machine_change> pairs;
    for (auto first = changes.begin(); first != changes.end(); ++first)
        for (auto second = first + 1; second != changes.end(); ++second) {
            const auto &one = first->steps.front(), &other = second->steps.front();
            if (!one.is_better() || !other.is_better() || change_the_same(*first, *second)) continue;
            auto& pair = pairs.emplace_back(*first);
            for (const auto& step : second->steps) {
                pair.steps.push_back(step);
                find_config_key(step.key)->set(pair.machine, static_cast<double>(step.to));
            }
        }
    return pairs;
}

} // namespace isbesim::testbench

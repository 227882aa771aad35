// SPDX-License-Identifier: Apache-2.0
#include "testbench/what_if/machine_changes.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "testbench/system/config.h"
#include "testbench/what_if/changed_keys.h"

namespace isbesim::testbench {

namespace {

void add_step(machine_change& change, const config_key& key, double to, bool is_latency)
{
    change.steps.push_back({key.name, key.get(change.machine), to, is_latency});
    key.set(change.machine, to);
}

void add_change(std::vector<machine_change>& changes, const machine_config& config, const char* name, double after,
                bool is_latency)
{
    const auto& key = *find_config_key(name);
    const auto before = key.get(config);
    if (!admits(key, after) || after == before) return;
    auto& change = changes.emplace_back(machine_change{{}, config});
    add_step(change, key, after, is_latency);
    if (key.name != std::string_view("isbe.lines")) return;
    for (const auto* buffer : sized_buffers(config)) {
        const auto& size = *find_config_key(buffer);
        add_step(change, size, std::floor(size.get(config) * after / before), is_latency);
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
    for (const auto& each : changed_keys()) {
        if (!each.has_effect(config) || each.values == key_values::other_buffer) continue;
        const auto now = find_config_key(each.key)->get(config);
        const auto step = std::max(std::floor(now / 8), 1.0);
        const auto [less, more] = each.values == key_values::eighths        ? std::pair{now - step, now + step}
                                  : each.values == key_values::whole_halves ? std::pair{std::floor(now / 2), now * 2}
                                                                            : std::pair{now / 2, now * 2};
        for (const auto to : {less, more})
            if (to != 0 || each.values == key_values::eighths)
                add_change(changes, config, each.key.c_str(), to, each.is_latency());
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

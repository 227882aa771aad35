// SPDX-License-Identifier: Apache-2.0
// The machines that `isbesim run --what-if` measures: each resource one step better and one step worse.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/machine_config.h"

namespace isbesim::testbench {

/// One key of the configuration and its two values, in the key's unit.
struct key_step {
    std::string key;
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    bool is_latency = false;

    /// A shorter latency, or more of a resource.
    bool is_better() const { return is_latency ? to < from : to > from; }
};

/// A machine that differs in these keys.
struct machine_change {
    std::vector<key_step> steps;
    machine_config machine;
};

/// Of the buffers among isbe.lines: with a size of its own a buffer must grow with the lines.
inline constexpr const char* buffer_keys[] = {"pe.alpha_lines", "pe.beta_lines"};
/// Those that have a size of their own.
std::vector<const char*> sized_buffers(const machine_config& config);

/// What limits the warps of an SM: its slots, the ISBE's contexts, or both alike.
std::vector<const char*> slot_keys(const machine_config& config);

/// Latencies an eighth (at least one cycle) shorter and longer, everything else half and twice as large, without values
/// that the key does not admit: one step each, but with isbe.lines its sized_buffers().
/// Of several TPCs also the chip's own keys.
std::vector<machine_change> machine_changes(const machine_config& config);

/// Twice the lines with twice the slots, which a warp needs both: where each alone leaves it waiting for the other.
/// None where a key does not admit that.
std::vector<machine_change> more_room(const machine_config& config);

/// Every two better steps of different keys at once.
std::vector<machine_change> better_pairs(const std::vector<machine_change>& changes);

} // namespace isbesim::testbench

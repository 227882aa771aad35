// SPDX-License-Identifier: Apache-2.0
// The machines of `isbesim run --what-if`: each resource one step better and one step worse.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/machine_config.h"

namespace isbesim::testbench {

/// One key of the configuration and its two values, in the key's unit.
struct key_step {
    std::string key;
    double from = 0;
    double to = 0;
    bool is_latency = false;

    /// A shorter latency, or more of a resource.
    bool is_better() const { return is_latency ? to < from : to > from; }
};

/// A machine that differs from the run's in these keys.
struct machine_change {
    std::vector<key_step> steps;
    machine_config machine;
};

/// Sizes of buffers inside isbe.lines: a buffer with a given size must grow with the lines.
inline constexpr const char* buffer_keys[] = {"pe.alpha_lines", "pe.beta_lines"};
/// The keys of buffers with a given size.
std::vector<const char*> sized_buffers(const machine_config& config);

/// The keys that limit the warps of an SM: its slots, the ISBE's contexts, or both equally.
std::vector<const char*> slot_keys(const machine_config& config);

/// Latencies an eighth (at least one cycle) shorter and longer, everything else half and twice as large, except for
/// values that a key does not admit. One key per change; isbe.lines takes its sized_buffers() along. Rates and costs
/// only where the machine has that limit, the chip's keys with several TPCs. At last moved_lines().
std::vector<machine_change> machine_changes(const machine_config& config);

/// Lines for each of two sized buffers at no area: those of isbe.lines that neither has, and half and seven eighths of
/// the other's. The growing buffer's step comes first.
std::vector<machine_change> moved_lines(const machine_config& config);

/// Twice the lines with twice the slots: a warp needs both, and with only one of them it may wait for the other. Empty
/// if a key does not admit that.
std::vector<machine_change> more_room(const machine_config& config);

/// All pairs of better steps of different keys.
std::vector<machine_change> better_pairs(const std::vector<machine_change>& changes);

} // namespace isbesim::testbench

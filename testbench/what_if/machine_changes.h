// The machines that `isbesim run --what-if` asks about: each resource one step better and one step worse.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/machine_config.h"

namespace isbesim::testbench {

/// A machine that differs in one key.
struct machine_change {
    std::string key; ///< of the configuration
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    machine_config machine;
};

/// Latencies an eighth (at least one cycle) shorter and longer, everything else half and twice as large, without values
/// that the key does not admit.
std::vector<machine_change> machine_changes(const machine_config& config);

std::vector<machine_config> machines_of(const std::vector<machine_change>& changes);

} // namespace isbesim::testbench

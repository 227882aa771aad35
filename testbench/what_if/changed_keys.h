// SPDX-License-Identifier: Apache-2.0
// The keys of the machine that `isbesim run --what-if` changes, and the cycles that each has to do with.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/machine_config.h"
#include "tlm/path_reason.h"

namespace isbesim::testbench {

/// The two values that replace a key's present one. Halves skip 0, which means no limit or no cost.
enum class key_values {
    eighths,        ///< an eighth, at least 1, less and more
    whole_halves,   ///< half, rounded down, and twice
    halves,         ///< half and twice
    halves_of_cost, ///< the same of a cost in cycles
    other_buffer    ///< what another buffer gives or gets: moved_lines()
};

/// The machines in which a key has an effect.
enum class key_scope { every, several_tpcs, with_hierarchy };

using part_of_stack = std::pair<std::string, const char*>; ///< kind of resource and part; "": all work

struct changed_key {
    std::string key;
    key_values values;
    key_scope scope;
    /// The cycles that the key has to do with: on the critical path, added up, or in a resource, the largest of these.
    /// Without any, no rerun is worth it.
    std::vector<path_reason> path;
    std::vector<part_of_stack> stacks;

    /// Less is better.
    bool is_latency() const { return values == key_values::eighths || values == key_values::halves_of_cost; }
    bool has_effect(const machine_config& config) const;
};

/// In the order of the reruns.
const std::vector<changed_key>& changed_keys();

} // namespace isbesim::testbench

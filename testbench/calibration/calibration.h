// SPDX-License-Identifier: Apache-2.0
// From a block's observed traffic to the machine under which the timed model does the same.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/machine_config.h"
#include "testbench/calibration/observed_traffic.h"
#include "testbench/calibration/size_bounds.h"
#include "testbench/calibration/timing_fit.h"

namespace isbesim::testbench {

/// Machines that explain all cycles: each of `machines` (which differ in access, banks, bank map, skew, order of
/// geometry slots) with each value of these ranges.
struct explanation {
    std::vector<isbe_config> machines;
    arbitration_rule arbitration{};
    value_range response_depth;
    value_range request_depth;
    std::array<value_range, latency_classes> latency{}; ///< by latency_class
};

struct calibration_result {
    isbe_config found;
    size_bounds size;
    /// All machines that explain the observation, `found` among them, in all of the page's ranges, but for
    /// sizes of the storage that loads with lanes outside would reveal. Empty: none does, `found` is the nearest.
    std::vector<explanation> explanations;
    scheduled_cycles predicted;            ///< by `found`
    std::uint64_t contradicted_passes = 0; ///< operations whose response named other passes than `found` takes
    std::uint64_t model_differences = 0;   ///< explained: operations that the timed model does in other cycles
    bool explained() const { return !explanations.empty(); }
};

/// Of what explains it equally well the machine with the fewest keys that differ from `base` is found; keys that change
/// no cycle are its own. Nearest is the least sum of differences of response cycles, over a part of the operations when
/// there are many. Throws observation_error.
calibration_result calibrate(const observed_traffic& traffic, const isbe_config& base);

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
// Finds the machine with which the timed model repeats a block's observed traffic.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/machine_config.h"
#include "testbench/calibration/observed_traffic.h"
#include "testbench/calibration/timing_fit.h"

namespace isbesim::testbench {

/// Machines that explain all cycles: each of `machines` (which differ in access, banks, bank map, skew, order of
/// geometry slots) with this arbitration and each value of these ranges.
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
    /// All machines in the page's ranges that explain the observation, including `found`; of the sizes of the storage
    /// only three are tried (README.md). Empty: no machine does, `found` is the nearest.
    std::vector<explanation> explanations;
    scheduled_cycles predicted;            ///< by `found`
    std::uint64_t contradicted_passes = 0; ///< operations whose response has other passes than `found`
    std::uint64_t model_differences = 0;   ///< if explained: operations that differ in the timed model
    bool passes_as_seen = false; ///< passes of unbound operations are the observed ones: no comparison with the model
    bool explained() const { return !explanations.empty(); }
};

/// Among the machines that explain the traffic, `found` has the fewest keys that differ from `base`; keys that change
/// no cycle come from `base`. The nearest machine has the least sum of differences of response cycles, over a part of
/// the operations if there are many. Throws observation_error.
calibration_result calibrate(const observed_traffic& traffic, const isbe_config& base);

/// Number of operations that the timed model (grant_scheduler) accepts or responds to in other cycles, with requests
/// and delays of END_RESP as observed. Needs no simulation.
std::uint64_t count_model_differences(const observed_traffic& traffic, const isbe_config& machine);

} // namespace isbesim::testbench

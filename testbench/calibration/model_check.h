// SPDX-License-Identifier: Apache-2.0
// Checks whether the timed model of a machine repeats the observation.
#pragma once

#include <cstdint>

#include "models/machine_config.h"
#include "testbench/calibration/observed_traffic.h"

namespace isbesim::testbench {

/// Number of operations that grant_scheduler accepts or responds to in other cycles, with requests and delays of
/// END_RESP as observed. Needs no simulation.
std::uint64_t count_model_differences(const observed_traffic& traffic, const isbe_config& machine);

} // namespace isbesim::testbench

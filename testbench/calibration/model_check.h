// SPDX-License-Identifier: Apache-2.0
// Whether the timed model of a machine repeats the observation.
#pragma once

#include <cstdint>

#include "models/machine_config.h"
#include "testbench/calibration/observed_traffic.h"

namespace isbesim::testbench {

/// Operations that grant_scheduler, with requests as they appeared and responses held as long as they were, accepts or
/// responds to in other cycles. Needs no simulation.
std::uint64_t count_model_differences(const observed_traffic& traffic, const isbe_config& machine);

} // namespace isbesim::testbench

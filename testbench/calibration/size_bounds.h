// SPDX-License-Identifier: Apache-2.0
// Derives bounds of an ISBE's size from refused and accepted operations.
#pragma once

#include "testbench/calibration/observed_traffic.h"
#include "testbench/calibration/timing_fit.h"

namespace isbesim::testbench {

/// Bounds within the ranges of micro-architecture section 7. Empty: the observation contradicts itself or the page.
struct size_bounds {
    value_range lines;    ///< multiples of 8
    value_range contexts; ///< slots
};

/// Uses accesses to physical addresses and BIND. If some lanes of a store were outside, its response shows which; a
/// load only shows that some were, so its passes may differ between the sizes that remain possible.
size_bounds find_size_bounds(const observed_traffic& traffic);

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
// What operations that were refused and operations that were not say of an ISBE's size.
#pragma once

#include "testbench/calibration/observed_traffic.h"
#include "testbench/calibration/timing_fit.h"

namespace isbesim::testbench {

/// In the ranges of micro-architecture section 7. Empty: the observation contradicts itself, or the page.
struct size_bounds {
    value_range lines;    ///< multiples of 8
    value_range contexts; ///< slots
};

/// By accesses to physical addresses and by BIND. Of a store some lanes of which were outside, the answer tells which;
/// a load of that kind tells only that there were some, so it may take other passes on another of the sizes left open.
size_bounds find_size_bounds(const observed_traffic& traffic);

} // namespace isbesim::testbench

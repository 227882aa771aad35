// SPDX-License-Identifier: Apache-2.0
// Where a port's cycles went.
#pragma once

#include <cstdint>
#include <vector>

#include "models/statistics/stall_reason.h"
#include "models/statistics/time_weighted.h"

namespace isbesim {

/// All in cycles except `operations` and `queue`. Per port; the sum over ports is the block's.
struct isbe_timing_counters {
    std::uint64_t operations = 0;  ///< granted
    std::uint64_t busy_cycles = 0; ///< the pass engine worked for this port: sum of P
    /// queue_full: accept - begin; port_contention: the other port was granted, its P each time; response: transfer -
    /// first valid.
    stall_cycles stalls;
    time_weighted queue; ///< requests accepted and not granted; not of back ends without cycles
};

template <typename Counters>
struct statistic;
/// What reports show of a port.
std::vector<statistic<isbe_timing_counters>> port_statistics();

} // namespace isbesim

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
    /// queue_full: accept - begin; port_contention: P of each grant to the other port instead; response: transfer -
    /// first valid.
    stall_cycles stalls;
    time_weighted queue; ///< requests accepted but not granted yet; unused by back ends without cycles
};

template <typename Counters>
struct statistic;
/// The figures of a port that reports show.
std::vector<statistic<isbe_timing_counters>> port_statistics();

} // namespace isbesim

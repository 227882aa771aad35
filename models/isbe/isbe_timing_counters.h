// Where a port's cycles went.
#pragma once

#include <cstdint>

namespace isbesim {

/// All in cycles except `operations`. Per port; the sum over ports is the block's.
struct isbe_timing_counters {
    std::uint64_t operations = 0;            ///< granted
    std::uint64_t busy_cycles = 0;           ///< the pass engine worked for this port: sum of P
    std::uint64_t bank_conflict_cycles = 0;  ///< passes beyond those of conflict-free lanes
    std::uint64_t contention_cycles = 0;     ///< could have been granted, but the other port was: its P each time
    std::uint64_t queue_full_cycles = 0;     ///< requests waited at the port: accept - begin
    std::uint64_t response_stall_cycles = 0; ///< responses waited at the port: transfer - first valid
};

} // namespace isbesim

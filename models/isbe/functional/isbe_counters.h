// SPDX-License-Identifier: Apache-2.0
// What an ISBE has done since it was made.
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/access_footprint.h"

namespace isbesim {

/// Running totals that a report shows; see testbench/report/README.md for what each covers.
struct isbe_counters {
    std::uint64_t operations[opcode_count] = {};
    std::uint64_t accesses = 0; ///< operations that touched the storage
    std::uint64_t passes = 0;   ///< cycles that those held the banks
    /// What they would have held them had every component's distinct words been spread evenly: the sum over components
    /// of ceil(distinct words / banks), for the line rule ceil(distinct words / 32). Never above `passes`.
    std::uint64_t ideal_passes = 0;
    std::uint64_t bank_reads = 0;     ///< words that the banks delivered; lanes on one word share it
    std::uint64_t bank_writes = 0;    ///< words that the banks took
    std::uint64_t crossbar_words = 0; ///< words between lanes and banks, one per lane and component
    /// Attributes looked up in the maps (BMAP bit and rank): one per component and distinct attribute that the lanes
    /// name, of ALD and AST in logical form and AL2P.
    std::uint64_t map_lookups = 0;
    busy_bank_counts busy_banks{};              ///< of operations that were executed with a footprint
    std::uint64_t bytes_read = 0;               ///< bytes returned from storage, per lane
    std::uint64_t bytes_written = 0;            ///< bytes that reached storage; a conflict's losers don't count
    std::uint64_t discarded_bmap = 0;           ///< stored words dropped by BMAP_out = 0
    std::uint64_t discarded_out_of_range = 0;   ///< stored words or raw writes dropped by address or vertex range
    std::uint64_t discarded_patch_conflict = 0; ///< lane-operations that lost bytes to another lane
    std::uint64_t discarded_gs_overflow = 0;    ///< stored words and OUT tokens past the thread's own slots
};

template <typename Counters>
struct statistic;
/// What reports show of them.
std::vector<statistic<isbe_counters>> isbe_statistics();

} // namespace isbesim

// SPDX-License-Identifier: Apache-2.0
// Counts what an ISBE has done since its construction.
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/access_footprint.h"

namespace isbesim {

/// Running totals that a report shows; testbench/report/README.md defines each.
struct isbe_counters {
    std::uint64_t operations[opcode_count] = {};
    std::uint64_t accesses = 0; ///< operations that touched the storage
    std::uint64_t passes = 0;   ///< cycles for which they held the banks
    /// The passes if every component's distinct words were spread evenly: the sum over components of
    /// ceil(distinct words / banks), for the line rule ceil(distinct words / 32). Never above `passes`.
    std::uint64_t ideal_passes = 0;
    std::uint64_t bank_reads = 0;     ///< words that the banks delivered; lanes on one word share it
    std::uint64_t bank_writes = 0;    ///< words that the banks took
    std::uint64_t crossbar_words = 0; ///< words between lanes and banks, one per lane and component
    /// Attributes that ALD and AST in logical form and AL2P look up in the maps (BMAP bit and rank): one per component
    /// and distinct attribute that the lanes name.
    std::uint64_t map_lookups = 0;
    busy_bank_counts busy_banks{};              ///< of operations that were executed with a footprint
    std::uint64_t bytes_read = 0;               ///< bytes returned from storage, per lane
    std::uint64_t bytes_written = 0;            ///< bytes that reached storage; a conflict's losers don't count
    std::uint64_t discarded_bmap = 0;           ///< stored words dropped by BMAP_out = 0
    std::uint64_t discarded_out_of_range = 0;   ///< stored words or raw writes dropped by address or vertex range
    std::uint64_t discarded_patch_conflict = 0; ///< lane-operations that lost bytes to another lane
    std::uint64_t discarded_gs_overflow = 0;    ///< stored words and OUT tokens past the thread's own slots
    std::uint64_t discarded_bad_register = 0;   ///< stored words and OUT tokens without a valid state or AL2P result
};

template <typename Counters>
struct statistic;
/// The figures of these counters that reports show.
std::vector<statistic<isbe_counters>> isbe_statistics();

} // namespace isbesim

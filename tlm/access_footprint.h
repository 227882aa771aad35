// SPDX-License-Identifier: Apache-2.0
// The effects of one operation inside the ISBE, for observers (transaction_observer.h).
#pragma once

#include <array>
#include <cstdint>

#include "tlm/warp_op.h"

namespace isbesim {

/// Passes by the number of banks (line access: words of the line) that they keep busy.
using busy_bank_counts = std::array<std::uint64_t, warp_lanes + 1>;

/// The same figures as isbe_counters (models/isbe/functional/isbe_counters.h), of one operation.
struct access_footprint {
    std::uint32_t passes = 0; ///< bank passes; 0 when the storage was not touched
    std::uint32_t ideal_passes = 0;
    std::uint32_t bytes_read = 0;
    std::uint32_t bytes_written = 0;
    std::uint32_t bank_reads = 0;
    std::uint32_t bank_writes = 0;
    std::uint32_t crossbar_words = 0;
    std::uint32_t map_lookups = 0;
    std::uint32_t discarded_bmap = 0;
    std::uint32_t discarded_out_of_range = 0;
    std::uint32_t discarded_patch_conflict = 0;
    std::uint32_t discarded_gs_overflow = 0;
    std::uint32_t discarded_bad_register = 0;
    /// Cycles by which it delayed operations of other ports that could have been granted instead.
    std::uint32_t contention = 0;
    /// Distinct words that each bank served (line access: each word column of the line), and those beyond the ideal
    /// number of passes, component by component: the banks that others waited for.
    std::array<std::uint16_t, warp_lanes> bank_words{};
    std::array<std::uint16_t, warp_lanes> bank_excess{};
};

} // namespace isbesim

// SPDX-License-Identifier: Apache-2.0
// Bins of accesses that distinguish a bank map from modulo (micro-architecture section 5, bank of a word).
#pragma once

#include <array>

#include "models/isbe/functional/passes.h"
#include "models/machine_config.h"
#include "testbench/crosscheck/page/bin_hits.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

class bank_bins {
public:
    using bin = coverage_bin;
    /// Adds no bins for a machine on which the map makes no difference.
    bank_bins(const isbe_config& config, const bin_namer& add);

    /// Counts an ISBERD or ISBEWR of aligned words of the physical region.
    void sample(const warp_op& op, const warp_result& result, bin_hits& hits);

private:
    pass_counter modulo_;
    bool map_matters_;
    std::array<bin, 2> fewer_{}; ///< passes than with modulo; [0] reads, [1] writes
    std::array<bin, 2> more_{};
};

} // namespace isbesim::testbench

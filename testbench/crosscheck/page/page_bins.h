// SPDX-License-Identifier: Apache-2.0
// Bins of every condition of sections 4 to 6 of the micro-architecture page, crossed with opcode, form and stage.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/isbe/functional/context.h"
#include "models/machine_config.h"
#include "testbench/crosscheck/page/bin_hits.h"
#include "testbench/crosscheck/page/met_conditions.h"
#include "testbench/crosscheck/page/page_rows.h"
#include "tlm/transaction_times.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

/// A row whose bins are all hit is not looked at any more: counts are of the operations that were looked at.
class page_bins {
public:
    using bin = coverage_bin;

    page_bins(const isbe_config& config, const bin_namer& add);

    /// Names of these bins begin with "page.", no others do.
    static bool is_name(const std::string& bin) { return bin.rfind("page.", 0) == 0; }

    /// `slot` is what the operation's context slot holds, as far as the ports show: when the other port
    /// has rebound it meanwhile, conditions and response need not fit, and the operation isn't counted.
    void sample(const context& slot, const warp_op& op, const warp_result& result, const transaction_times& times,
                std::uint32_t hold, bin_hits& hits);

    /// Bins that nothing can hit, with the reason.
    const std::vector<std::pair<std::string, const char*>>& excluded() const { return excluded_; }
    /// Conditions that were met although no bin, or an excluded one, is there for them: "row.condition".
    const std::vector<std::string>& surprises() const { return surprises_; }

private:
    struct row_bins {
        std::vector<bin> bins; ///< [condition], 0 without a bin
        condition_set missed;
    };
    void hit(const page_row& row, const condition_set& met, bin_hits& hits);

    isbe_config config_;
    condition_finder finder_;
    std::vector<row_bins> rows_;            ///< [page_row::index()]
    std::vector<std::uint8_t> is_complete_; ///< [page_row::index()]: nothing is missed
    std::vector<std::pair<std::string, const char*>> excluded_;
    std::vector<std::string> surprises_;
};

/// Conditions of the row of any stage; those of others belong to the row of the stage.
const condition_set& operation_conditions();

} // namespace isbesim::testbench

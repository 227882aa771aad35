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

/// Rows with all bins hit are skipped: hits count only the operations that were evaluated.
class page_bins {
public:
    using bin = coverage_bin;

    page_bins(const isbe_config& config, const bin_namer& add);

    /// The names of these bins, and of no others, begin with "page.".
    static bool is_name(const std::string& bin) { return bin.rfind("page.", 0) == 0; }

    /// `slot`: content of the operation's context slot, as the ports show it. If the other port has rebound it
    /// meanwhile, conditions and response may disagree; the operation is then not counted.
    void sample(const context& slot, const warp_op& op, const warp_result& result, const transaction_times& times,
                std::uint32_t hold, bin_hits& hits);

    /// Bins that no operation can hit, with the reason.
    const std::vector<std::pair<std::string, const char*>>& excluded() const { return excluded_; }
    /// Conditions that were met although they have no bin or an excluded bin: "row.condition".
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
    std::vector<std::uint8_t> is_complete_; ///< [page_row::index()]: every bin is hit
    std::vector<std::pair<std::string, const char*>> excluded_;
    std::vector<std::string> surprises_;
};

/// Conditions of the any_stage row; all others belong to the row of the operation's stage.
const condition_set& operation_conditions();

} // namespace isbesim::testbench

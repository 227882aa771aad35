// SPDX-License-Identifier: Apache-2.0
// Bins of every condition of sections 4 to 6 of the micro-architecture page, crossed with rows: opcode, form (region,
// type), space and stage. A row lists the conditions that can be met in it, or why they can't.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/isbe/functional/context.h"
#include "models/machine_config.h"
#include "testbench/crosscheck/page/bin_hits.h"
#include "testbench/crosscheck/page/condition.h"
#include "testbench/crosscheck/page/met_conditions.h"
#include "tlm/transaction_times.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

struct page_row {
    static constexpr unsigned fast_geometry = stage_count; ///< a stage of its own for AST and OUT
    static constexpr unsigned any_stage = stage_count + 1;
    static constexpr unsigned stages = stage_count + 2;
    static constexpr unsigned variants = 5;
    static constexpr unsigned count = opcode_count * variants * space_count * stages;

    opcode op = opcode::ald;
    unsigned variant = 0; ///< form, region or type
    isbesim::space space = space::input;
    unsigned stage = any_stage;

    unsigned index() const
    {
        return ((static_cast<unsigned>(op) * variants + variant) * space_count + static_cast<unsigned>(space)) *
                   stages +
               stage;
    }
    /// "ald.logical.input.tess"
    std::string name() const;
};

/// The row for sections 4.2 to 4.7 and 6: any_stage if the operation needs no stage.
page_row stage_row_of(const warp_op& op, const context& slot);
/// The row for sections 4.1 and 5: any_stage.
page_row operation_row_of(const warp_op& op);
/// Every row of both kinds.
std::vector<page_row> all_page_rows();

struct page_bin {
    condition what;
    const char* excluded; ///< why no operation can meet it, or null
};
/// The conditions that have a meaning in a row.
std::vector<page_bin> bins_of(const page_row& row);

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

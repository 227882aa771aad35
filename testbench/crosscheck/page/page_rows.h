// SPDX-License-Identifier: Apache-2.0
// The rows with which page conditions are crossed: opcode, form (region, type), space and stage; and the conditions
// that can be met in each row, or why they can't.
#pragma once

#include <string>
#include <vector>

#include "models/isbe/functional/context.h"
#include "testbench/crosscheck/page/condition.h"
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

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
// What page conditions are crossed with: opcode, form (region, type), space and stage; and which of them can be met
// where, or why not.
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

/// Of sections 4.2 to 4.7 and 6; what no stage is needed for belongs to the row of any stage.
page_row stage_row_of(const warp_op& op, const context& slot);
/// Of sections 4.1 and 5: any stage.
page_row operation_row_of(const warp_op& op);
/// Every row of both kinds.
std::vector<page_row> all_page_rows();

struct page_bin {
    condition what;
    const char* excluded; ///< why nothing can meet it, or null
};
/// What has a meaning in a row.
std::vector<page_bin> bins_of(const page_row& row);

} // namespace isbesim::testbench

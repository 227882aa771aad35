// SPDX-License-Identifier: Apache-2.0
// What the micro-architecture page says of an operation: which of its conditions are met, and from them the error, the
// status and the passes. Lane by lane and in the words of the page, for bins: the third account of it beside model and
// RTL, without data and time.
#pragma once

#include "models/isbe/functional/context.h"
#include "models/machine_config.h"
#include "testbench/crosscheck/page/condition.h"
#include "testbench/crosscheck/page/storage_access.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

struct page_look {
    op_error error = op_error::none;
    per_lane<std::uint16_t> status{}; ///< without `overwritten`, which depends on earlier writes
    unsigned passes = 1;
    condition_set conditions; ///< of sections 4 and 6, and of passes
};

/// `slot` is what the context slot of the operation holds; ignored where there is no such slot.
page_look look_at(const isbe_config& config, const context& slot, const warp_op& op);

namespace detail {

/// One lane, and what it adds to the whole.
struct lane_look {
    const isbe_config& config;
    const context& slot;
    const warp_op& op;
    unsigned lane;
    condition_set& conditions;
    access_list& accesses;
    std::uint16_t status = 0;

    void meet(condition c, bool is_met = true) { testbench::meet(conditions, c, is_met); }
    void set(std::uint16_t bit) { status = static_cast<std::uint16_t>(status | bit); }
    bool is(opcode code) const { return op.op == code; }
    const space_layout& space() const
    {
        return op.op == opcode::ast || op.op == opcode::out || op.space == isbesim::space::output ? slot.output
                                                                                                  : slot.input;
    }
    std::int64_t sum() const
    {
        return std::int64_t{static_cast<std::int32_t>(op.address[lane])} + std::int64_t{op.immediate};
    }
    void access(unsigned component, word byte_address, unsigned bytes = 15)
    {
        accesses.add(component, lane, byte_address / 4, bytes);
    }
};

/// Section 4.2: ALD and AST, logical and .PHYS.
void look_at_attribute(lane_look& at);
/// Section 4.3.
void look_at_patch(lane_look& at);
/// Section 4.4.
void look_at_al2p(lane_look& at);
/// Section 4.5.
void look_at_bytes(lane_look& at);
/// Section 4.6: OUT.
void look_at_out(lane_look& at);

/// Section 4.6: whether a state is valid; meets the condition that says why not.
bool look_at_state(lane_look& at, word state);
/// Section 4.6: index(slot, lane).
std::int64_t index_of(const lane_look& at, std::int64_t slot);
/// Section 4.2: what a size of 1 to 4 words aligns to, in bytes.
constexpr std::int64_t alignment_of(unsigned size)
{
    return size == 1 ? 4 : size == 2 ? 8 : 16;
}

} // namespace detail

} // namespace isbesim::testbench

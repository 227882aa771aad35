// SPDX-License-Identifier: Apache-2.0
// Finds the conditions of the micro-architecture page that an operation meets, lane by lane, from the model's address
// unit and the intermediate values of its rules.
#pragma once

#include "models/isbe/access/address_unit.h"
#include "models/isbe/functional/context.h"
#include "models/isbe/functional/passes.h"
#include "models/machine_config.h"
#include "testbench/crosscheck/page/condition.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

struct met_conditions {
    warp_result answer; ///< error, passes and status, which need no storage
    condition_set met;  ///< of sections 4 and 6, and of passes
};

class condition_finder {
public:
    explicit condition_finder(const isbe_config& config);

    /// `slot`: content of the operation's context slot; ignored if that slot does not exist.
    const met_conditions& find(const context& slot, const warp_op& op);

private:
    /// False for an operation that section 4.1 refuses; meets the condition of the refusal.
    bool accepts(const context& slot, const warp_op& op);
    void resolve(const context& slot, const warp_op& op);
    void meet_passes();
    void meet_writers(const context& slot, const warp_op& op);
    void meet(condition c, bool is_met = true) { testbench::meet(found_.met, c, is_met); }

    isbe_config config_;
    address_unit address_unit_;
    pass_counter passes_;
    resolved_op resolved_;
    std::array<per_lane<word>, max_components> written_; ///< bits of the words that a store writes
    met_conditions found_;
};

namespace detail {

/// One lane, and the set that collects its conditions.
struct lane_view {
    const isbe_config& config;
    const context& slot;
    const warp_op& op;
    unsigned lane;
    condition_set& conditions;

    void meet(condition c, bool is_met = true) { testbench::meet(conditions, c, is_met); }
    bool is(opcode code) const { return op.op == code; }
    isbesim::space side() const { return is(opcode::ast) || is(opcode::out) ? isbesim::space::output : op.space; }
    const space_layout& space() const { return side() == isbesim::space::output ? slot.output : slot.input; }
    std::int64_t sum() const
    {
        return std::int64_t{static_cast<std::int32_t>(op.address[lane])} + std::int64_t{op.immediate};
    }
    /// Section 4.2: the sum, aligned down to 4, 8, 16 and 16 bytes.
    std::int64_t aligned_sum() const { return sum() & ~std::int64_t{op.size == 1 ? 3 : op.size == 2 ? 7 : 15}; }
};

/// Section 4.2: ALD and AST, logical and .PHYS.
void meet_attribute(lane_view& view);
/// Section 4.3.
void meet_patch(lane_view& view);
/// Section 4.4.
void meet_al2p(lane_view& view);
/// Section 4.6: true if a state is valid; otherwise meets the condition that gives the reason.
bool meet_state(lane_view& view, word state);

} // namespace detail

} // namespace isbesim::testbench

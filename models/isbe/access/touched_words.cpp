// SPDX-License-Identifier: Apache-2.0
#include "models/isbe/access/touched_words.h"

#include "models/isbe/functional/gs_state.h"

namespace isbesim {

touched_words::touched_words(const isbe_config& config) : config_(config), address_unit_(config) {}

void touched_words::find(const warp_op& op, const context& context)
{
    for (auto& access : resolved_.component) access.lanes = 0;
    store_ = is_store(op.op) || op.op == opcode::out;
    if (op.op == opcode::bind || address_unit::check(op, context) != op_error::none) return;
    if (op.op != opcode::out) {
        address_unit_.resolve(op, context, resolved_, unused_);
        return;
    }
    gs_step step;
    step_gs(op, context, config_.gs_slot_order, step);
    if (step.writes == 0) return;
    auto& tokens = resolved_.component[0];
    tokens.lanes = step.writes;
    for (unsigned i = 0; i < warp_lanes; ++i) tokens.index[i] = step.address[i] / 4;
}

} // namespace isbesim

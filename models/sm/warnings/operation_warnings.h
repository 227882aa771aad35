// SPDX-License-Identifier: Apache-2.0
// Suspicious operands that are visible when an attribute instruction issues.
#pragma once

#include "models/isa/program.h"
#include "models/sm/warnings/warning_table.h"
#include "tlm/warp_op.h"

namespace isbesim {

/// `by_state`: the warp is a geometry warp and not fast; its state register selects where stores go. `op` is the first
/// of `components` operations of the instruction (isa::step::components).
void warnings_of_operation(warning_table& warnings, isbesim::stage stage, bool by_state, std::uint64_t cycle,
                           const isa::instruction& instruction, const warp_op& op, unsigned components);

} // namespace isbesim

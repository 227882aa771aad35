// SPDX-License-Identifier: Apache-2.0
// Condition codes of SM50 and what tests them: BRA CC.NEU, CSETP.NEU.
#pragma once

#include "models/isa/execution/executor.h"

namespace isbesim::isa {

/// Lanes whose condition codes pass test number `test` (ENV). Tests 0 to 15 order a difference with 0 or a float with
/// 0, where a NaN has left zero and sign; from 16 on they are single codes and unsigned comparisons. 0 lanes and
/// `known` false for 24 and above, which look at the call stack and the like.
lane_mask lanes_by_codes(const warp_state& warp, unsigned test, bool& known);

} // namespace isbesim::isa

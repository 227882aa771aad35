// SPDX-License-Identifier: Apache-2.0
// Tests of the SM50 condition codes: BRA CC.NEU, CSETP.NEU.
#pragma once

#include "models/isa/execution/executor.h"

namespace isbesim::isa {

/// Lanes whose condition codes pass test number `test` (ENV). Tests 0 to 15 compare a difference or a float with 0; a
/// NaN has set both zero and sign. Tests 16 to 23 are single codes and unsigned comparisons. For 24 and above, which
/// test the call stack and the like, `known` is false.
lane_mask lanes_by_codes(const warp_state& warp, unsigned test, bool& known);

} // namespace isbesim::isa

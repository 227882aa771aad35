// SPDX-License-Identifier: Apache-2.0
// Random operations of generated traffic: addresses, handles and states around what the context of a slot makes
// plausible, and beyond it.
#pragma once

#include "models/isbe/functional/context.h"
#include "models/machine_config.h"
#include "testbench/crosscheck/traffic/random_numbers.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

lane_mask random_lanes(random_numbers& random);

/// ALD, AST or AL2P; an ISBERD or ISBEWR; an OUT. `op` has its context and lanes already.
void random_attribute_access(random_numbers& random, const context& slot, warp_op& op);
void random_raw_access(random_numbers& random, const isbe_config& config, const context& slot, warp_op& op);
void random_out(random_numbers& random, const context& slot, warp_op& op);

/// Addresses and immediate far from 0 whose sum, cut to 32 bits, is what it was: it is another one without the cut.
void move_to_the_ends(random_numbers& random, warp_op& op);

/// Something in every field that the operation ignores (micro-architecture section 2).
void add_noise(random_numbers& random, warp_op& op);

} // namespace isbesim::testbench

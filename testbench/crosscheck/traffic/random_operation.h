// SPDX-License-Identifier: Apache-2.0
// Random operations of generated traffic: addresses, handles and states that are plausible in the context of a slot,
// and others around and beyond them.
#pragma once

#include "models/isbe/functional/context.h"
#include "models/machine_config.h"
#include "testbench/crosscheck/traffic/random_numbers.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

lane_mask random_lanes(random_numbers& random);

/// Vertices by handle, and many of them.
bool loads_far_apart(const context& slot);
/// ALD of POSITION from such vertices: each lane has its own row or line, in each of four components.
void load_far_apart(random_numbers& random, const context& slot, warp_op& op);

/// In this order: ALD, AST or AL2P; ISBERD or ISBEWR; OUT. `op` already has its context and lanes.
void random_attribute_access(random_numbers& random, const context& slot, warp_op& op);
void random_raw_access(random_numbers& random, const isbe_config& config, const context& slot, warp_op& op);
void random_out(random_numbers& random, const context& slot, warp_op& op);

/// Moves addresses and immediate far from 0. Their sum stays the same in 32 bits, but not in full width.
void move_to_the_ends(random_numbers& random, warp_op& op);

/// Random values in every field that the operation ignores (micro-architecture section 2).
void add_noise(random_numbers& random, warp_op& op);

} // namespace isbesim::testbench

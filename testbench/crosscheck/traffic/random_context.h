// SPDX-License-Identifier: Apache-2.0
// Random contexts of generated traffic, and their descriptors (micro-architecture section 3).
#pragma once

#include "models/isbe/functional/context.h"
#include "models/machine_config.h"
#include "testbench/crosscheck/traffic/random_numbers.h"

namespace isbesim::testbench {

/// Follows the page's rules for descriptors: regions inside the storage, aligned bases.
context random_context(random_numbers& random, const isbe_config& config);

/// True if the handle of an ALD selects the vertex that a lane reads; in other stages a lane reads its own vertex.
bool loads_by_handle(const context& slot);

/// Data of a BIND: the descriptor, and noise in all bits that the page does not name.
void random_descriptor(random_numbers& random, const context& value, warp_op& bind);

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
// The history of a block before the cross-check: random registers, traffic, and resets in the middle of operations
// (micro-architecture section 2, reset).
#pragma once

#include <cstdint>

#include "models/machine_config.h"
#include "testbench/rtl/rtl_block.h"

namespace isbesim::testbench {

/// Random traffic that writes nothing, then resets of one cycle, each while a store is in its passes, requests wait and
/// responses are held back. The storage is 0 afterwards: the words that the stores write before the reset are 0, and
/// from the cycle of the reset on they write nothing. A block that does not respond is left alone after a while: the
/// comparison will detect that.
void interrupt(rtl_block& block, const isbe_config& config, std::uint64_t seed);

/// Makes blocks whose registers are random before the first reset, and interrupts them.
rtl_block_maker interrupted_blocks(std::uint64_t seed);

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
// The past of a block in the cross-check: random registers, traffic, and a reset in the middle of it
// (micro-architecture section 2, reset).
#pragma once

#include <cstdint>

#include "models/machine_config.h"
#include "testbench/rtl/rtl_block.h"

namespace isbesim::testbench {

/// Random traffic that writes nothing, then resets of one cycle, each while an operation is in its passes, requests
/// wait and responses are held back. The storage is 0 afterwards: what the operations would have written until then is
/// 0, and they write nothing from the cycle of the reset on. A block that does not answer is left alone after a while:
/// the comparison will find that.
void interrupt(rtl_block& block, const isbe_config& config, std::uint64_t seed);

/// Blocks with registers that are random before their first reset, then interrupted.
rtl_block_maker interrupted_blocks(std::uint64_t seed);

} // namespace isbesim::testbench

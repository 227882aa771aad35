// SPDX-License-Identifier: Apache-2.0
// Cycles by section 5 of the micro-architecture page (rtl_ref/README.md), written apart from the models.
#pragma once

#include <cstdint>
#include <vector>

#include "models/machine_config.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

/// Section 5.5, L.
std::uint64_t latency_of(const isbe_config& config, opcode op);
/// The cycle of the last response of operations that follow each other on a port, from cycle `begin` on; `free` is the
/// cycle after the transfer of the response before.
std::uint64_t end_in_queues(const isbe_config& config, const std::vector<std::uint64_t>& passes, std::uint64_t latency,
                            std::uint64_t begin, std::uint64_t free);

} // namespace isbesim::testbench

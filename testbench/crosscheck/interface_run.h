// SPDX-License-Identifier: Apache-2.0
// Compares every interface of the model with the oracle (oracle.h): blocking calls to the loosely and the approximately
// timed module, the C interface, plain accesses, debug transport and direct memory.
#pragma once

#include <cstdint>
#include <string>

#include "models/machine_config.h"
#include "testbench/crosscheck/traffic/traffic.h"

namespace isbesim::testbench {

struct interface_outcome {
    std::string mismatch_report; ///< its first line has the kind; empty without a mismatch
    std::uint64_t operations = 0;
    std::uint64_t accesses = 0; ///< of memory: plain, debug, direct, and those of the C interface
    std::uint64_t cycles = 0;
};

/// Executes the operations of port 0 on every interface in turn, with accesses to the same memory in between. Once per
/// process, since it elaborates.
interface_outcome run_interfaces(const isbe_config& config, double clock_ghz, std::uint64_t seed,
                                 traffic_source& source);

} // namespace isbesim::testbench

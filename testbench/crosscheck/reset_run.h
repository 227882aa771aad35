// SPDX-License-Identifier: Apache-2.0
// Compares a block with the clocked model pin by pin, through resets in the middle of everything (micro-architecture
// section 2, reset): what SystemC's modules, which know no reset, can't do.
#pragma once

#include <cstdint>
#include <string>

#include "models/machine_config.h"
#include "testbench/crosscheck/traffic/random_traffic.h"
#include "testbench/rtl/rtl_block.h"

namespace isbesim::testbench {

/// A history: the clients of one reset to the next offer, and take responses, more or less often. Between resets are 1
/// to some hundred cycles, so that they meet empty and full queues, stores in their passes, and held responses. A block
/// is compared in every cycle: ready, valid, and the response on every valid cycle, hence also that it stays until its
/// transfer. At the end every line of the storage is read.
struct reset_outcome {
    std::string mismatch_report; ///< empty: none; otherwise its first line has the kind
    std::uint64_t cycles = 0;
    std::uint64_t resets = 0;
    std::uint64_t transactions = 0; ///< that have responded
};
/// `cycles`: with resets; the reads of the storage follow. The block has had its first reset.
reset_outcome run_resets(rtl_block& block, const isbe_config& config, std::uint64_t seed, std::uint64_t cycles,
                         const traffic_setting& setting);

} // namespace isbesim::testbench

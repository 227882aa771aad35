// SPDX-License-Identifier: Apache-2.0
// The configurations of rtl_ref/configurations.json that the tests of this folder work with.
#pragma once

#include <memory>
#include <string>

#include "tests/rtl/block.h"

namespace rtl {

// What a test needs to know of a configuration to work out cycles.
struct latencies {
    unsigned pipeline;
    unsigned write;
    unsigned al2p;
    unsigned out;
};

inline constexpr latencies machine_latencies{9, 7, 3, 5};

// The plug-in that the build has made of a named configuration.
const isbesim_rtl_interface& plugin_of(std::string_view name);

std::unique_ptr<block> make_machine(); // 64 lines, 32 banks, two ports, round robin, queues 4 and 16
std::unique_ptr<block>
make_other(); // every switch the other way: unskewed, 8 banks, xor, fixed, blocked, lowest, swapped
std::unique_ptr<block> make_line();     // line access, one port, request queue of one
std::unique_ptr<block> make_smallest(); // 8 lines, 8 banks, queues of one, latencies 2
std::unique_ptr<block> make_largest();  // 8192 lines, 64 contexts, queues 64 and 128

} // namespace rtl

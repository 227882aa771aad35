// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traces/trace.h"

namespace isbesim::testbench {

unsigned request_components(opcode op, unsigned size)
{
    switch (op) {
    case opcode::ast:
        return size;
    case opcode::isbewr:
        return 1;
    case opcode::bind:
        return 2; // 64 descriptor words
    default:
        return 0;
    }
}

} // namespace isbesim::testbench

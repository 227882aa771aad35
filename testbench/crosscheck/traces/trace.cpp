#include "testbench/crosscheck/traces/trace.h"

namespace isbesim::testbench {

unsigned request_components(const warp_op& op)
{
    switch (op.op) {
    case opcode::ast:
        return op.size;
    case opcode::isbewr:
        return 1;
    case opcode::bind:
        return 2; // 64 descriptor words
    default:
        return 0;
    }
}

lane_mask request_data_lanes(const warp_op& op)
{
    return op.op == opcode::bind ? all_lanes : op.lanes;
}

} // namespace isbesim::testbench

// SPDX-License-Identifier: Apache-2.0
// The TGSI opcodes that have a lowering.
#pragma once

#include "models/varying/allocation/scratch_pool.h"
#include "models/varying/lowering/instruction_writer.h"

namespace isbesim::varying {

enum class operation {
    move,
    add,
    subtract,
    multiply,
    fused,
    smaller,
    larger,
    dot2,
    dot3,
    dot4,
    floor_index,
    int_add,
    int_multiply,
    int_fused,
    bit_and,
    bit_or,
    bit_xor,
    shift_left,
    negate,
    from_int,
    from_uint,
    to_int,
    to_uint,
    emit,
    end_primitive,
    end,
    nothing,
};

struct operation_row {
    const char* name;
    operation what;
    unsigned sources;
    bool integer; ///< operands are integers: `-` is two's complement, there is no `|…|`
};

/// The row of an instruction. Throws shader_error for an unknown opcode; its `known` lists the supported ones.
const operation_row& operation_of(const instruction& each);

/// The n of a dot product, which reads components 0 to n - 1 of each source; 0 for other operations.
unsigned dot_components(operation what);

/// d = each(a, b, c) for one component of a component-wise operation. Throws shader_error for a saturation that the
/// hardware does not have.
void write_operation(instruction_writer& write, scratch_pool& scratch, const instruction& each,
                     const operation_row& row, unsigned d, unsigned a, unsigned b, unsigned c);

} // namespace isbesim::varying

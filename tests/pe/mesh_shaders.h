// SPDX-License-Identifier: Apache-2.0
// Task and mesh programs as C++ functions: raw accesses to the ISBE, and the addresses that a compiler computes
// (HARDWARE.md D.2, written down here once more).
#pragma once

#include "tests/pe/shaders.h"

namespace isbesim::test {

/// Address of an attribute's value in an output ATTR region of `max_vertices` vertices with `vertex_attributes` of
/// them, or behind those, of primitives.
struct mesh_addresses {
    unsigned vertex_attributes = 0;
    unsigned max_vertices = 0;
    unsigned primitive_attributes = 0;
    unsigned max_primitives = 0;

    static unsigned packs(unsigned count) { return (count + 31) / 32; }
    unsigned vertex(unsigned rank, unsigned v) const
    {
        return v / 32 * vertex_attributes * 128 + rank * 128 + v % 32 * 4;
    }
    unsigned primitives() const { return packs(max_vertices) * vertex_attributes * 128; }
    unsigned primitive(unsigned rank, unsigned p) const
    {
        return primitives() + p / 32 * primitive_attributes * 128 + rank * 128 + p % 32 * 4;
    }
    unsigned shared() const { return primitives() + packs(max_primitives) * primitive_attributes * 128; }
};

/// ISBERD.ATTR.32 by every thread from the same input address.
inline warp_result read_input(shader_warp& warp, unsigned address)
{
    auto op = warp.operation(opcode::isberd, 4, static_cast<int>(address));
    op.region = region::attr;
    return warp.run(op);
}

/// ISBEWR.O by thread 0.
inline warp_result write_output(shader_warp& warp, region where, unsigned bytes, unsigned address, word value)
{
    auto op = warp.operation(opcode::isbewr, bytes);
    op.space = space::output;
    op.region = where;
    op.lanes = 1;
    op.address[0] = address;
    op.data[0][0] = value;
    return warp.run(op);
}

inline void set_primitive_count(shader_warp& warp, word count)
{
    write_output(warp, region::map, 4, 3, count);
}

inline void emit_mesh_tasks(shader_warp& warp, word x, word y, word z)
{
    const word grid[] = {x * y * z, x, y, z};
    for (unsigned i = 0; i < 4; ++i) write_output(warp, region::attr, 4, 4 + 4 * i, grid[i]);
}

} // namespace isbesim::test

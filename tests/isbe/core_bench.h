// SPDX-License-Identifier: Apache-2.0
// A functional ISBE with one bound context, and shorthands for the usual operations.
#pragma once

#include "models/isbe/execution/isbe_core.h"
#include "tests/support/warp_operations.h"

namespace isbesim::test {

/// Every attribute with a byte address in [first, end).
inline attribute_set address_range(unsigned first, unsigned end)
{
    attribute_set set;
    for (unsigned a = first; a < end; a += 4) set.insert(a / 4);
    return set;
}

/// Stores `value(component, lane)`.
template <typename F>
warp_op ast(unsigned address, unsigned size, F value)
{
    warp_op op = make_ald(address, size, space::output);
    op.op = opcode::ast;
    for (unsigned c = 0; c < size; ++c)
        for (unsigned i = 0; i < warp_lanes; ++i) op.data[c][i] = value(c, i);
    return op;
}

inline warp_op raw(opcode code, region where, space which, unsigned bytes, std::int32_t address, word value = 0)
{
    warp_op op;
    op.op = code;
    op.region = where;
    op.space = which;
    op.size = static_cast<std::uint8_t>(bytes);
    op.immediate = address;
    op.data[0].fill(value);
    return op;
}

inline warp_op on_lane(warp_op op, unsigned lane)
{
    op.lanes = lane_mask{1} << lane;
    return op;
}

class core_bench {
public:
    explicit core_bench(const isbe_config& config = {}) : core(config) {}

    /// Binds slot 0.
    void bind(const context& value)
    {
        warp_op op;
        op.op = opcode::bind;
        pack_context(value, op);
        run(op);
    }
    const warp_result& run(const warp_op& op)
    {
        core.execute(op, result);
        return result;
    }
    /// The value of component `c` of lane `lane` of a load.
    word value(const warp_op& op, unsigned lane = 0, unsigned c = 0) { return run(op).data[c][lane]; }
    /// Reads a word of the storage without an operation.
    word memory(unsigned byte_address) const { return core.storage().read(byte_address / 4); }
    std::uint8_t byte(unsigned byte_address) const { return core.storage().data()[byte_address]; }

    isbe_core core;
    warp_result result;
};

/// A context whose input and output spaces hold `set`, fully enabled, for `vertices` vertices: input at byte 0, output
/// at 0x8000, MAP at 0x10000 / 0x10800, PRIM at 0x11000, PATCH (16 words, 8 patches) at 0x12000.
inline context simple_context(stage stage, const attribute_set& set, unsigned vertices = 64)
{
    context c;
    c.stage = stage;
    c.input.allocated = c.input.enabled = set;
    c.input.vertex_count = vertices;
    c.input.attr_bytes = set.count() * 128 * ((vertices + 31) / 32);
    c.input.map_base = 0x10000;
    c.input.map_bytes = 0x800;
    c.input.prim_base = 0x11000;
    c.input.prim_bytes = 32 * 4;
    c.input.patch_base = 0x12000;
    c.input.patch_words = 16;
    c.input.patch_count = 8;
    c.output = c.input;
    c.output.attr_base = 0x8000;
    c.output.map_base = 0x10800;
    return c;
}

} // namespace isbesim::test

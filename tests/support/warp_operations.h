// SPDX-License-Identifier: Apache-2.0
// Short ways to write operations and contexts in tests.
#pragma once

#include <initializer_list>

#include "models/isbe/functional/context.h"
#include "tlm/warp_op.h"

namespace isbesim::test {

inline constexpr unsigned skewed_line = 128;

/// Fills the ids of attribute byte addresses.
inline attribute_set ids(std::initializer_list<unsigned> addresses)
{
    attribute_set set;
    for (const unsigned address : addresses) set.insert(address / 4);
    return set;
}

/// The formula of HARDWARE.md D.2: byte offset of the attribute of rank `rank` of `vertex`, with n attributes.
constexpr word skewed(unsigned n, unsigned rank, unsigned vertex)
{
    return vertex / 32 * n * skewed_line + rank * skewed_line + vertex % 32 * 4;
}

/// A space with every region in sequence from `base` (a multiple of 128): MAP and PRIM with 128 bytes each, PATCH with
/// 512 bytes for 8 patches of 16 words, then ATTR for `vertices`.
inline space_layout make_space(word base, const attribute_set& allocated, const attribute_set& enabled,
                               unsigned vertices)
{
    space_layout s;
    s.map_base = base;
    s.map_bytes = 128;
    s.prim_base = base + 128;
    s.prim_bytes = 128;
    s.patch_base = base + 256;
    s.patch_words = 16;
    s.patch_count = 8;
    s.attr_base = base + 768;
    s.attr_bytes = allocated.count() * skewed_line * ((vertices + 31) / 32);
    s.vertex_count = vertices;
    s.allocated = allocated;
    s.enabled = enabled;
    return s;
}

inline constexpr word input_base = 0x1000;
inline constexpr word output_base = 0x8000;

/// Input and output space of make_space() at input_base and output_base, 32 vertices each, all attributes enabled.
/// Lane i works on primitive i / 4.
inline context make_context(stage warp_stage, const attribute_set& input, const attribute_set& output)
{
    context c;
    c.stage = warp_stage;
    c.input = make_space(input_base, input, input, warp_lanes);
    c.output = make_space(output_base, output, output, warp_lanes);
    c.geometry.max_vertices = 4;
    c.geometry.thread_count = 8;
    c.geometry.stream_mask = 0xf;
    for (unsigned lane = 0; lane < warp_lanes; ++lane) c.primitive[lane] = static_cast<std::uint8_t>(lane / 4);
    return c;
}

inline per_lane<word> all_lanes_have(word value)
{
    per_lane<word> values;
    values.fill(value);
    return values;
}

/// Lane values first, first + step, ...
inline per_lane<word> counting(word first, word step = 1)
{
    per_lane<word> values;
    for (unsigned lane = 0; lane < warp_lanes; ++lane) values[lane] = first + lane * step;
    return values;
}

inline warp_op make_ald(unsigned address, unsigned size, space side = space::input)
{
    warp_op op;
    op.op = opcode::ald;
    op.space = side;
    op.size = static_cast<std::uint8_t>(size);
    op.immediate = static_cast<std::int32_t>(address);
    op.handle = counting(0);
    return op;
}

/// A store in which component c of lane i has the value `value` + 0x100 * c + i.
inline warp_op make_ast(unsigned address, unsigned size, word value)
{
    warp_op op;
    op.op = opcode::ast;
    op.space = space::output;
    op.size = static_cast<std::uint8_t>(size);
    op.immediate = static_cast<std::int32_t>(address);
    for (unsigned c = 0; c < max_components; ++c) op.data[c] = counting(value + 0x100 * c);
    return op;
}

inline warp_op make_al2p(std::int32_t address, space to, unsigned size = 1)
{
    warp_op op;
    op.op = opcode::al2p;
    op.space = to;
    op.size = static_cast<std::uint8_t>(size);
    op.immediate = address;
    return op;
}

inline warp_op make_out(out_type type, unsigned to_stream, const per_lane<word>& state)
{
    warp_op op;
    op.op = opcode::out;
    op.space = space::output;
    op.type = type;
    op.address = all_lanes_have(to_stream);
    op.handle = state;
    return op;
}

inline warp_op make_isberd(space side, region where, unsigned bytes, const per_lane<word>& address)
{
    warp_op op;
    op.op = opcode::isberd;
    op.space = side;
    op.region = where;
    op.size = static_cast<std::uint8_t>(bytes);
    op.address = address;
    return op;
}

inline warp_op make_isbewr(region where, unsigned bytes, const per_lane<word>& address, const per_lane<word>& value)
{
    warp_op op = make_isberd(space::output, where, bytes, address);
    op.op = opcode::isbewr;
    op.data[0] = value;
    return op;
}

} // namespace isbesim::test

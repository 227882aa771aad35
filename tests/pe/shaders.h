// SPDX-License-Identifier: Apache-2.0
// Shader programs as C++ functions that issue warp operations, and the rows that come out. They run on the functional
// ISBE (functional_pipeline.h) and over transactions (pe_machine.h).
#pragma once

#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "models/isa/execution/executor.h"
#include "models/pe/front_end/draw.h"
#include "tlm/warp_op.h"

namespace isbesim::test {

/// Rows as they arrive.
struct row {
    unsigned stream;
    std::uint64_t primitive;
    unsigned vertex;
    std::vector<word> values;
};

inline bool operator==(const row& a, const row& b)
{
    return a.stream == b.stream && a.primitive == b.primitive && a.vertex == b.vertex && a.values == b.values;
}

struct row_sink : vertex_sink {
    std::vector<row> rows;
    void vertex(unsigned stream, std::uint64_t primitive, unsigned vertex, const word* values,
                std::size_t count) override
    {
        rows.push_back({stream, primitive, vertex, {values, values + count}});
    }
    std::vector<word> column(std::size_t index) const
    {
        std::vector<word> result;
        for (const auto& r : rows) result.push_back(r.values[index]);
        return result;
    }
};

/// Rows of vertices with the words of vertex_draw(): component c of vertex v is 4 v + c.
inline std::vector<row> rows_of(const std::vector<std::vector<std::uint32_t>>& primitives)
{
    std::vector<row> rows;
    for (std::uint64_t p = 0; p < primitives.size(); ++p)
        for (unsigned i = 0; i < primitives[p].size(); ++i) {
            const auto v = primitives[p][i];
            rows.push_back({0, p, i, {4 * v, 4 * v + 1, 4 * v + 2, 4 * v + 3}});
        }
    return rows;
}

/// The warp of a shader function.
class shader_warp {
public:
    using executor = std::function<void(const warp_op&, warp_result&)>;
    shader_warp(const warp_launch& warp, executor execute) : launch(warp), execute_(std::move(execute)) {}

    const warp_launch& launch;

    warp_op operation(opcode op, unsigned size, int address = 0) const
    {
        warp_op result;
        result.op = op;
        result.size = static_cast<std::uint8_t>(size);
        result.immediate = address;
        result.context = launch.context;
        result.lanes = launch.lanes;
        return result;
    }
    warp_result run(const warp_op& op)
    {
        warp_result result;
        execute_(op, result);
        return result;
    }
    /// The three steps of HARDWARE.md D.5: INVOCATION_INFO, MAP, handle.
    per_lane<word> handles(unsigned index)
    {
        auto op = operation(opcode::isberd, 1);
        op.region = region::map;
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const auto info = launch.special.invocation_info[i];
            op.address[i] = (info & 0xffU) * (info >> 16 & 0xffU) + index;
        }
        return run(op).data[0];
    }
    per_lane<word> out(out_type type, unsigned stream, const per_lane<word>& state)
    {
        auto op = operation(opcode::out, 1);
        op.type = type;
        op.handle = state;
        op.address.fill(stream);
        return run(op).data[0];
    }

private:
    executor execute_;
};

using shader = std::function<warp_completion(shader_warp&)>;

/// a[0x70..] = a[source..].
inline warp_completion copy_words(shader_warp& warp, int source, unsigned words = 4)
{
    auto store = warp.operation(opcode::ast, words, 0x70);
    store.data = warp.run(warp.operation(opcode::ald, words, source)).data;
    warp.run(store);
    return {};
}

inline warp_completion copy_vertex(shader_warp& warp)
{
    return copy_words(warp, 0x80);
}

/// The end of a geometry warp with these states.
inline warp_completion emitted(const per_lane<word>& state)
{
    warp_completion done;
    for (unsigned i = 0; i < warp_lanes; ++i) done.vertex_count[i] = static_cast<std::uint16_t>(state[i] & 0xffffU);
    return done;
}

/// Emits the vertices of the input primitive as one strip, then cuts.
inline warp_completion copy_primitive(shader_warp& warp, unsigned vertices)
{
    per_lane<word> state{};
    for (unsigned v = 0; v < vertices; ++v) {
        auto load = warp.operation(opcode::ald, 4, 0x70);
        load.handle = warp.handles(v);
        auto store = warp.operation(opcode::ast, 4, 0x70);
        store.data = warp.run(load).data;
        store.handle = state;
        warp.run(store);
        state = warp.out(v + 1 == vertices ? out_type::emit_then_cut : out_type::emit, 0, state);
    }
    return emitted(state);
}

/// A draw that streams out the primitives that it assembles, through a geometry stage if it has one.
inline std::map<stage, shader> copying(unsigned vertices_of_primitive)
{
    return {{stage::vertex, copy_vertex},
            {stage::geometry, [=](shader_warp& warp) { return copy_primitive(warp, vertices_of_primitive); }}};
}

// Task and mesh programs as C++ functions: raw accesses to the ISBE, and the addresses that a compiler computes
// (HARDWARE.md D.2, written down here once more).

/// Address of an attribute's value in an output ATTR region of `max_vertices` vertices with `vertex_attributes` of
/// them, or after those, of primitives.
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

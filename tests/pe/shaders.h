// SPDX-License-Identifier: Apache-2.0
// Shader programs as C++ functions that issue warp operations, and the rows that come out. They run on the functional
// ISBE (functional_pipeline.h) and over transactions (function_sm.h).
#pragma once

#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "models/isa/execution/warp_launch.h"
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

/// Of vertices with the words of vertex_draw(): component c of vertex v is 4 v + c.
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

/// What a shader function works with.
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

/// a[0x70..] = a[from..].
inline warp_completion copy_words(shader_warp& warp, int from, unsigned words = 4)
{
    auto store = warp.operation(opcode::ast, words, 0x70);
    store.data = warp.run(warp.operation(opcode::ald, words, from)).data;
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

} // namespace isbesim::test

// SPDX-License-Identifier: Apache-2.0
// Draws whose programs read all their inputs before they write, for header bit 25. Each stage adds a number of its own,
// so that a stage that is left out or reads a wrong place shows.
#pragma once

#include <map>

#include "tests/pe/draws.h"
#include "tests/pe/shaders.h"

namespace isbesim::test {

/// Loads of copying_shaders() that got the status `overwritten`, and what a test counts besides them.
struct hazard_watch {
    unsigned overwritten = 0;
    unsigned late_reads = 0;
    unsigned late_overwritten = 0;

    std::array<per_lane<word>, 4> load(shader_warp& warp, int address, const per_lane<word>& handle, unsigned size = 4)
    {
        auto op = warp.operation(opcode::ald, size, address);
        op.handle = handle;
        const auto result = warp.run(op);
        for (const auto status : result.status)
            if ((status & lane_status::overwritten) != 0) ++overwritten;
        return result.data;
    }
};

/// `inner`, then lane 0 loads `address` once more, which `watch` counts.
inline shader with_late_read(hazard_watch& watch, const shader& inner, int address)
{
    return [&watch, inner, address](shader_warp& w) {
        const auto done = inner(w);
        auto load = w.operation(opcode::ald, 1, address);
        load.lanes = 1;
        ++watch.late_reads;
        if ((w.run(load).status[0] & lane_status::overwritten) != 0) ++watch.late_overwritten;
        return done;
    };
}

constexpr word added(stage which)
{
    return which == stage::vertex_a    ? 1000U
           : which == stage::vertex    ? 2000U
           : which == stage::tess_init ? 4000U
                                       : 8000U;
}

inline void store_sum(shader_warp& warp, std::array<per_lane<word>, 4> values, stage which,
                      const per_lane<word>& state = {})
{
    auto op = warp.operation(opcode::ast, 4, 0x70);
    op.handle = state;
    for (auto& column : values)
        for (auto& value : column) value += added(which);
    op.data = values;
    warp.run(op);
}

/// Every stage hands a[0x70..0x7c] on, the first one a[0x80..0x8c]; TI and TS read vertex 1 of the patch, a geometry
/// thread the last of its primitive, of which it emits one vertex. `watch` must live as long as the functions.
inline std::map<stage, shader> copying_shaders(hazard_watch& watch)
{
    const auto handle_of = [](shader_warp& w, unsigned number) {
        return w.handles(std::min(number, (w.launch.special.invocation_info[0] >> 16 & 0xffU) - 1));
    };
    return {{stage::vertex_a,
             [&watch](shader_warp& w) {
                 store_sum(w, watch.load(w, 0x80, {}), stage::vertex_a);
                 return warp_completion{};
             }},
            {stage::vertex,
             [&watch](shader_warp& w) {
                 // After VSa 0x80 is either its output or nothing.
                 const auto first = watch.load(w, 0x80, {});
                 const auto second = watch.load(w, 0x70, {});
                 auto sum = first;
                 for (unsigned c = 0; c < 4; ++c)
                     for (unsigned i = 0; i < warp_lanes; ++i) sum[c][i] += second[c][i];
                 store_sum(w, sum, stage::vertex);
                 return warp_completion{};
             }},
            {stage::tess_init,
             [&watch, handle_of](shader_warp& w) {
                 store_sum(w, watch.load(w, 0x70, handle_of(w, 1)), stage::tess_init);
                 auto levels = w.operation(opcode::ast, 4);
                 levels.form = address_form::patch;
                 for (auto& column : levels.data) column.fill(0x40000000); // 2.0
                 w.run(levels);
                 levels.size = 2;
                 levels.immediate = 0x10;
                 w.run(levels);
                 return warp_completion{};
             }},
            {stage::tess,
             [&watch, handle_of](shader_warp& w) {
                 store_sum(w, watch.load(w, 0x70, handle_of(w, 1)), stage::tess);
                 return warp_completion{};
             }},
            {stage::geometry, [&watch, handle_of](shader_warp& w) {
                 store_sum(w, watch.load(w, 0x70, handle_of(w, 2)), stage::geometry);
                 return w.launch.fast_geometry ? warp_completion{} : emitted(w.out(out_type::emit, 0, {}));
             }}};
}

/// VSa and VSb; the defaults of what VSb does not get are 0 but for w.
inline draw_call vertex_stages_draw()
{
    auto draw = vertex_draw(topology::triangle_strip, 70);
    draw.stages[stage::vertex_a] = draw.stages[stage::vertex];
    draw.stages[stage::vertex].header.imap = ids({0x70, 0x74, 0x78, 0x7c});
    return draw;
}

/// VSb and GS; MAP, PRIM and up to 32 x `maximum` vertices.
inline draw_call geometry_draw(unsigned maximum)
{
    auto draw = vertex_draw(maximum == 8 ? topology::points : topology::triangle_strip, 75);
    add_geometry(draw, output_topology::points, maximum);
    return draw;
}

inline draw_call fast_draw(bool passthrough)
{
    auto draw = vertex_draw(topology::triangles, 90);
    add_geometry(draw, output_topology::points, 1);
    draw.gs_mode = geometry_mode::fast;
    auto& header = draw.stages[stage::geometry].header;
    header.geometry_passthrough = passthrough;
    if (passthrough) header.omap = ids({0x70}); // the rest is the vertices'
    return draw;
}

/// VSa if there are all stages, VSb, TI if wanted, TS, GS if there are all stages.
inline draw_call tessellation_draw(bool tess_init, bool all)
{
    auto draw = vertex_draw(topology::patches, 60);
    draw.patch_vertices = 3;
    const auto position = ids({0x70, 0x74, 0x78, 0x7c});
    if (all) {
        draw.stages[stage::vertex_a] = draw.stages[stage::vertex];
        draw.stages[stage::vertex].header.imap = position;
    }
    if (tess_init) {
        draw.stages[stage::tess_init] = program(shader_type::tess_init, position, position);
        draw.stages[stage::tess_init].header.threads_per_input_primitive = 3;
        draw.stages[stage::tess_init].header.per_patch_attribute_count = 6;
    }
    draw.stages[stage::tess] = program(shader_type::tess, position, position);
    draw.tessellation.defaults = {{2, 2, 2, 2}, {2, 2}};
    if (all) add_geometry(draw, output_topology::points, 2);
    return draw;
}

} // namespace isbesim::test

// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/draws/draw_builder.h"

#include "testbench/gl/channel/three_d_methods.h"
#include "testbench/gl/draws/draw_vertices.h"

namespace isbesim::gl {

namespace {

/// A side is the front as it is seen in the window, whose y points down.
cull_settings cull_of(const three_d_state& state)
{
    enum : std::uint32_t { clockwise = 0x900, front = 0x404, back = 0x405, both = 0x408 };
    cull_settings result;
    const auto face = (state.at(three_d::cull_enable) & 1) != 0 ? state.at(three_d::cull_face) : 0;
    result.front = face == front || face == both;
    result.back = face == back || face == both;
    const auto is_negative = [&](std::uint32_t scale) { return (state.at(scale) >> 31) != 0; };
    const bool mirrored = (is_negative(three_d::viewport_scale) != is_negative(three_d::viewport_scale + 4)) !=
                          ((state.at(three_d::window_origin) & 0x10) != 0);
    result.clockwise_is_front = (state.at(three_d::front_face) == clockwise) == mirrored;
    result.depth_from_zero = (state.at(three_d::depth_from_zero) & 1) != 0;
    return result;
}

} // namespace

draw_call draw_builder::build(const three_d_state& state, const drawn_vertices& drawn)
{
    draw_call draw;
    draw.arch = chip_.arch;
    draw.cull = cull_of(state);
    if (drawn.mesh) {
        programs_.add_mesh(state, draw);
        draw.vertex_count = drawn.runs.at(0).count;
        return draw;
    }
    programs_.add(state, draw);
    vertices_ = add_vertices(state, chip_, memory_, drawn, draw);
    stream_out_ = stream_out_layout_of(state);
    draw.capture = captured_columns(stream_out_);
    return draw;
}

} // namespace isbesim::gl

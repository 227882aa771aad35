// SPDX-License-Identifier: Apache-2.0
// The 3D class: registers, constant buffers, draws, reports, conditional rendering. macro_front runs its macros.
#pragma once

#include <cstdint>

#include "testbench/gl/channel/draw_target.h"
#include "testbench/gl/channel/engine.h"
#include "testbench/gl/channel/inline_upload.h"
#include "testbench/gl/channel/render_target.h"
#include "testbench/gl/channel/three_d_state.h"

namespace isbesim::gl {

/// Builds draws from BEGIN .. END. Drivers draw each instance separately where the class has no count of instances;
/// here they become one draw.
class draw_collector {
public:
    /// True for methods that only describe the draw and leave the state of the previous draw unchanged.
    static bool is_part_of_draw(std::uint32_t method);

    /// `instances`: of a BEGIN for all instances.
    void begin(std::uint32_t value, std::uint32_t instances);
    void add(vertex_run run);
    void add_index(std::uint32_t index);
    bool inside() const { return inside_; }

    /// Ends the draw of BEGIN, which then waits. Returns true if `finished` is to be drawn now.
    bool end(drawn_vertices& finished);
    /// Takes the draw that waits for more instances. Returns false if no draw waits.
    bool take(drawn_vertices& finished);

private:
    bool inside_ = false;
    bool waits_ = false;
    std::uint32_t instance_ = 0; ///< of the current BEGIN
    drawn_vertices current_;
    drawn_vertices waiting_;
};

class three_d_engine : public engine {
public:
    explicit three_d_engine(const channel_parts& parts);

    void method(std::uint32_t number, std::uint32_t value) override;
    void finish() override;

    const three_d_state& state() const { return state_; }

private:
    bool effect(std::uint32_t number, std::uint32_t value);
    void constant_word(std::uint32_t value);
    void bind_constants(unsigned stage, std::uint32_t value);
    void load_root_table(std::uint32_t value);
    std::uint32_t with_topology(std::uint32_t begin) const;
    void draw_at_once(vertex_run run);
    void define_attribute();
    void draw_stream_out(std::uint32_t bytes);
    void end_draw();
    void emit(const drawn_vertices& vertices);
    void clear(std::uint32_t what);
    void clear(const render_target& target, std::uint32_t layer, std::uint32_t channels, const std::uint32_t* values);

    channel_parts parts_;
    inline_upload upload_;
    three_d_state state_;
    draw_collector collector_;
};

} // namespace isbesim::gl

// SPDX-License-Identifier: Apache-2.0
// Builds draws from BEGIN .. END. Drivers draw each instance separately where the class has no count of instances; here
// they become one draw.
#pragma once

#include <cstdint>

#include "testbench/gl/channel/draw_target.h"

namespace isbesim::gl {

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

} // namespace isbesim::gl

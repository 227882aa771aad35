// SPDX-License-Identifier: Apache-2.0
// BEGIN .. END to draws. The driver draws instances one by one; those of one draw become one here.
#pragma once

#include <cstdint>

#include "testbench/gl/channel/draw_target.h"

namespace isbesim::gl {

class draw_collector {
public:
    /// True for methods that only describe the draw: state stays as it was for the draw before.
    static bool is_part_of_draw(std::uint32_t method);

    void begin(std::uint32_t value);
    void add(vertex_run run);
    void add_index(std::uint32_t index);
    bool inside() const { return inside_; }

    /// Ends what BEGIN began. True: `finished` is to be drawn now, and the ended draw waits.
    bool end(drawn_vertices& finished);
    /// Takes what waits for more instances. False: nothing does.
    bool take(drawn_vertices& finished);

private:
    bool inside_ = false;
    bool waits_ = false;
    std::uint32_t instance_ = 0; ///< of what BEGIN began
    drawn_vertices current_;
    drawn_vertices waiting_;
};

} // namespace isbesim::gl

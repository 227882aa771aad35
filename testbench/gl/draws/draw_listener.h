// SPDX-License-Identifier: Apache-2.0
// Interface that receives decoded draws, whether they run or not.
#pragma once

#include <map>

#include "models/pe/front_end/draw.h"
#include "testbench/gl/chip/gpu_memory.h"
#include "testbench/gl/draws/program_source.h"

namespace isbesim::gl {

/// A draw with the bytes that it was built from.
struct built_draw {
    const draw_call& call;
    const std::map<stage, const uploaded_program*>& programs;
    /// Memory that its programs may read: the buffers of the submission. Empty if no program reads memory.
    const std::vector<memory_extent>& memory;
};

class draw_listener {
public:
    virtual ~draw_listener() = default;
    /// The program has been started.
    virtual void begin() {}
    /// Called before the draw runs. Throws draw_refused if it can't be kept; the draw runs nevertheless.
    virtual void draw(const built_draw& draw) = 0;
    /// The program has shown a frame.
    virtual void end_frame() = 0;
};

} // namespace isbesim::gl

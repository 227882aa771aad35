// SPDX-License-Identifier: Apache-2.0
// A receiver of decoded draws, whether they run or not.
#pragma once

#include <map>

#include "models/pe/front_end/draw.h"
#include "testbench/gl/chip/gpu_memory.h"
#include "testbench/gl/draws/program_source.h"

namespace isbesim::gl {

/// A draw with the bytes that it was made from.
struct built_draw {
    const draw_call& call;
    const std::map<stage, const uploaded_program*>& programs;
    /// What its programs may read: the buffers of the submission. Empty where no program reads memory.
    const std::vector<memory_extent>& memory;
};

class draw_listener {
public:
    virtual ~draw_listener() = default;
    /// Before it runs. Throws draw_refused where it can't be kept; it runs nevertheless.
    virtual void draw(const built_draw& draw) = 0;
    /// The program has shown what it drew since the frame before.
    virtual void end_frame() = 0;
};

} // namespace isbesim::gl

// SPDX-License-Identifier: Apache-2.0
// Vertex arrays, constant attributes and generated ids of a draw.
#pragma once

#include "models/pe/front_end/draw.h"
#include "testbench/gl/draws/vertex_stream.h"

namespace isbesim::gl {

struct attribute_parts {
    const three_d_state& state;
    const gl::chip& chip;
    const gpu_memory& memory;
    const attribute_set& inputs; ///< inputs of the vertex program
};

/// Fills the draw's vertices, indices and attributes. Only elements that the draw uses are read; those of indexed draws
/// are renumbered without gaps.
void add_vertices(const attribute_parts& parts, const drawn_vertices& drawn, vertex_stream vertices, draw_call& draw);

} // namespace isbesim::gl

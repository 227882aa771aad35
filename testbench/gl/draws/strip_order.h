// SPDX-License-Identifier: Apache-2.0
// Triangles of strips and fans in Vulkan's order, in which the first vertex is the provoking one. In the model's own
// assembly it is the last, as in OpenGL.
#pragma once

#include "testbench/gl/draws/vertex_stream.h"

namespace isbesim::gl {

/// Strips and fans of triangles become lists whose triangles begin with their provoking vertex. `primitive` is BEGIN's
/// code; other primitives are unchanged.
void put_provoking_first(std::uint32_t& primitive, vertex_stream& vertices);

} // namespace isbesim::gl

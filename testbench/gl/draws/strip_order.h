// SPDX-License-Identifier: Apache-2.0
// Triangles of strips and fans as Vulkan has them: the first vertex is the provoking one. The model's own assembly
// makes it the last one, as OpenGL has it.
#pragma once

#include "testbench/gl/draws/vertex_stream.h"

namespace isbesim::gl {

/// Strips and fans of triangles become lists whose triangles begin with their provoking vertex. `primitive` is BEGIN's
/// code; others stay as they are.
void put_provoking_first(std::uint32_t& primitive, vertex_stream& vertices);

} // namespace isbesim::gl

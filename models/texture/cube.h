// SPDX-License-Identifier: Apache-2.0
// Faces of a cube: from a direction, and from one to its neighbours (OpenGL 4.3, section 8.13).
#pragma once

#include <array>
#include <cstdint>

namespace isbesim::texture {

/// Faces are +x, -x, +y, -y, +z, -z.
inline constexpr unsigned cube_faces = 6;

struct cube_point {
    unsigned face = 0;
    float s = 0, t = 0; ///< 0 to 1
};

using direction = std::array<float, 3>;

/// The largest component selects; of equal ones z before y before x, as llvmpipe does. No direction gives the middle of
/// a face.
cube_point project(const direction& at);

/// Changes of s and t on the face of `at` where the direction changes so.
std::array<float, 2> project_gradient(const direction& at, unsigned face, const direction& change);

struct face_texel {
    unsigned face = 0;
    std::int32_t x = 0, y = 0;
};

/// The texel that lies one beyond one edge of a face of `size` by `size` texels. Not for corners, where no texel is.
face_texel across_edge(face_texel outside, std::int32_t size);

} // namespace isbesim::texture

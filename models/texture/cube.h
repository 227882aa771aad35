// SPDX-License-Identifier: Apache-2.0
// Faces of a cube: the face in a direction, and the texels across its edges (OpenGL 4.3, section 8.13).
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

/// The largest component selects the face; among equal ones, z before y before x, as in llvmpipe. A zero direction
/// gives the middle of a face.
cube_point project(const direction& towards);

/// Changes of s and t on the face of `towards` for a change of the direction.
std::array<float, 2> project_gradient(const direction& towards, unsigned face, const direction& change);

struct face_texel {
    unsigned face = 0;
    std::int32_t x = 0, y = 0;
};

/// Maps a texel just beyond one edge of a face, of `size` by `size` texels, to the neighbouring face. Not for corners.
face_texel across_edge(face_texel outside, std::int32_t size);

} // namespace isbesim::texture

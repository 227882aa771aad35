// SPDX-License-Identifier: Apache-2.0
#include "models/texture/cube.h"

#include <cmath>

namespace isbesim::texture {

namespace {

struct signed_axis {
    unsigned axis = 0;
    int sign = 1;
};

/// Directions in which s and t grow on each face.
struct face_axes {
    signed_axis s, t;
};
constexpr std::array<face_axes, cube_faces> axes_of_face{{
    {{2, -1}, {1, -1}}, // +x
    {{2, 1}, {1, -1}},  // -x
    {{0, 1}, {2, 1}},   // +y
    {{0, 1}, {2, -1}},  // -y
    {{0, 1}, {1, -1}},  // +z
    {{0, -1}, {1, -1}}, // -z
}};

unsigned face_towards(unsigned axis, bool negative)
{
    return 2 * axis + (negative ? 1 : 0);
}

float along(const direction& towards, signed_axis axis)
{
    return static_cast<float>(axis.sign) * towards[axis.axis];
}

} // namespace

cube_point project(const direction& towards)
{
    const float x = std::fabs(towards[0]);
    const float y = std::fabs(towards[1]);
    const float z = std::fabs(towards[2]);
    const unsigned axis = z >= x && z >= y ? 2 : x > y ? 0 : 1;
    const unsigned face = face_towards(axis, std::signbit(towards[axis]));
    const float major = std::fabs(towards[axis]);
    if (!(major > 0)) return {face, 0.5F, 0.5F};
    const face_axes& axes = axes_of_face[face];
    return {face, (along(towards, axes.s) / major + 1) * 0.5F, (along(towards, axes.t) / major + 1) * 0.5F};
}

std::array<float, 2> project_gradient(const direction& towards, unsigned face, const direction& change)
{
    // The derivative of (a / |m| + 1) / 2.
    const unsigned axis = face / 2;
    const float major = std::fabs(towards[axis]);
    const float major_change = std::signbit(towards[axis]) ? -change[axis] : change[axis];
    const auto derivative = [&](signed_axis coordinate) {
        return 0.5F * (along(change, coordinate) * major - along(towards, coordinate) * major_change) / (major * major);
    };
    return {derivative(axes_of_face[face].s), derivative(axes_of_face[face].t)};
}

face_texel across_edge(face_texel outside, std::int32_t size)
{
    // Twice the coordinates of the texel's centre, relative to the cube's centre. Beyond the edge, the texel is on the
    // neighbouring face, still half a texel from the edge.
    const face_axes& axes = axes_of_face[outside.face];
    const std::array<signed_axis, 2> plane{axes.s, axes.t};
    const std::array<std::int32_t, 2> place{2 * outside.x + 1 - size, 2 * outside.y + 1 - size};
    std::array<std::int32_t, 3> centre{};
    centre[outside.face / 2] = outside.face % 2 == 0 ? size - 1 : 1 - size;
    unsigned face = outside.face;
    for (unsigned i = 0; i < 2; ++i) {
        const signed_axis axis = plane[i];
        centre[axis.axis] = axis.sign * place[i];
        if (place[i] > size || place[i] < -size) face = face_towards(axis.axis, centre[axis.axis] < 0);
    }
    const face_axes& target = axes_of_face[face];
    return {face, (target.s.sign * centre[target.s.axis] + size - 1) / 2,
            (target.t.sign * centre[target.t.axis] + size - 1) / 2};
}

} // namespace isbesim::texture

#version 450
// SPDX-License-Identifier: Apache-2.0
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
out gl_PerVertex { vec4 gl_Position; };
void main()
{
}

// SPDX-License-Identifier: Apache-2.0
#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 4) out;
layout(push_constant) uniform Pushed { uint pushed; };
layout(set = 0, binding = 0) buffer Stored { uint stored[]; };
layout(location = 0) flat in uvec4 value[];
layout(location = 0, xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0) flat out uvec4 result;
void main() { for (int i = 0; i < 4; ++i) { int j = i % 3; result = uvec4(value[j].x * pushed + uint(i), value[j].y, value[j].z, gl_PrimitiveIDIn); gl_Position = gl_in[j].gl_Position; EmitVertex(); } EndPrimitive(); stored[gl_PrimitiveIDIn] = value[0].x * 100u + value[1].x * 10u + value[2].x; }

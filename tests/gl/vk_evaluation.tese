// SPDX-License-Identifier: Apache-2.0
#version 450
layout(triangles, equal_spacing, ccw) in;
layout(set = 0, binding = 1) uniform Given { uvec4 given[4]; };
layout(location = 1) in vec2 at[];
layout(location = 0, xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0) out vec4 result;
void main() { result = vec4(gl_TessCoord, at[0].x * gl_TessCoord.x + at[1].x * gl_TessCoord.y + at[2].y * gl_TessCoord.z + float(given[1].y)); gl_Position = result; }

// SPDX-License-Identifier: Apache-2.0
#version 450
layout(set = 0, binding = 0) buffer Stored { uint stored[]; };
layout(location = 0, xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0) flat out uvec4 result;
// Reads values that the previous dispatch has written.
void main() { result = uvec4(stored[gl_VertexIndex], stored[61], stored[63], gl_VertexIndex); gl_Position = vec4(0.0); }

// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in uvec2 row;
layout(location = 0) flat out uvec4 value;
layout(location = 1) out vec2 at;
void main() { value = uvec4(gl_VertexIndex, row.y, gl_InstanceIndex, 5u); at = vec2(row); gl_Position = vec4(row, 0.0, 1.0); }

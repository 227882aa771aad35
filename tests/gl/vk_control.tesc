// SPDX-License-Identifier: Apache-2.0
#version 450
layout(vertices = 3) out;
layout(push_constant) uniform Pushed { uint pushed; };
layout(location = 1) in vec2 at[];
layout(location = 1) out vec2 at_c[];
void main() { at_c[gl_InvocationID] = at[gl_InvocationID] * 2.0; gl_TessLevelOuter[0] = 2.0; gl_TessLevelOuter[1] = 1.0; gl_TessLevelOuter[2] = 3.0; gl_TessLevelInner[0] = 2.0; }

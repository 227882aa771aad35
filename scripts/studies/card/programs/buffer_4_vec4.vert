#version 450
// SPDX-License-Identifier: Apache-2.0
out gl_PerVertex { vec4 gl_Position; };
layout(std430,binding=0) readonly buffer B0 { vec4 data[]; };
void main()
{
	gl_Position = data[4 * gl_VertexIndex + 0] + data[4 * gl_VertexIndex + 1] + data[4 * gl_VertexIndex + 2] + data[4 * gl_VertexIndex + 3];
}

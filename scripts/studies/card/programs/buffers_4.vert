#version 450
// SPDX-License-Identifier: Apache-2.0
out gl_PerVertex { vec4 gl_Position; };
layout(std430,binding=0) readonly buffer B0 { vec4 data0[]; };
layout(std430,binding=1) readonly buffer B1 { vec4 data1[]; };
layout(std430,binding=2) readonly buffer B2 { vec4 data2[]; };
layout(std430,binding=3) readonly buffer B3 { vec4 data3[]; };
void main()
{
	gl_Position = data0[gl_VertexIndex] + data1[gl_VertexIndex] + data2[gl_VertexIndex] + data3[gl_VertexIndex];
}

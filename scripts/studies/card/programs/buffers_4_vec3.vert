#version 450
// SPDX-License-Identifier: Apache-2.0
out gl_PerVertex { vec4 gl_Position; };
layout(std430,binding=0) readonly buffer B0 { float data0[]; };
layout(std430,binding=1) readonly buffer B1 { float data1[]; };
layout(std430,binding=2) readonly buffer B2 { float data2[]; };
layout(std430,binding=3) readonly buffer B3 { float data3[]; };
void main()
{
	gl_Position = vec4(vec3(data0[3 * gl_VertexIndex], data0[3 * gl_VertexIndex + 1], data0[3 * gl_VertexIndex + 2]) + vec3(data1[3 * gl_VertexIndex], data1[3 * gl_VertexIndex + 1], data1[3 * gl_VertexIndex + 2]) + vec3(data2[3 * gl_VertexIndex], data2[3 * gl_VertexIndex + 1], data2[3 * gl_VertexIndex + 2]) + vec3(data3[3 * gl_VertexIndex], data3[3 * gl_VertexIndex + 1], data3[3 * gl_VertexIndex + 2]), 1);
}

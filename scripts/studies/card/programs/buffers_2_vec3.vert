#version 450
// SPDX-License-Identifier: Apache-2.0
out gl_PerVertex { vec4 gl_Position; };
layout(std430,binding=0) readonly buffer B0 { float one[]; };
layout(std430,binding=1) readonly buffer B1 { float two[]; };
void main()
{
	gl_Position = vec4(vec3(one[3 * gl_VertexIndex], one[3 * gl_VertexIndex + 1], one[3 * gl_VertexIndex + 2]) + vec3(two[3 * gl_VertexIndex], two[3 * gl_VertexIndex + 1], two[3 * gl_VertexIndex + 2]), 1);
}

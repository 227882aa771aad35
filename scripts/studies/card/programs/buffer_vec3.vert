#version 450
// SPDX-License-Identifier: Apache-2.0
out gl_PerVertex { vec4 gl_Position; };
layout(std430,binding=0) readonly buffer B0 { float data[]; };
void main()
{
	gl_Position = vec4(vec3(data[3 * gl_VertexIndex], data[3 * gl_VertexIndex + 1], data[3 * gl_VertexIndex + 2]), 1);
}

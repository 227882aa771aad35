#version 450
// SPDX-License-Identifier: Apache-2.0
out gl_PerVertex { vec4 gl_Position; };
layout(location=0) in vec4 in0;
layout(location=1) in mat4 matrix;
void main()
{
	gl_Position = matrix * in0;
}

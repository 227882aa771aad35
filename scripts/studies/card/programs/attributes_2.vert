#version 450
// SPDX-License-Identifier: Apache-2.0
out gl_PerVertex { vec4 gl_Position; };
layout(location=0) in vec4 in0;
layout(location=1) in vec4 in1;
void main()
{
	gl_Position = in0 + in1;
}

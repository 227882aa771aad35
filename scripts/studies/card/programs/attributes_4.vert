#version 450
// SPDX-License-Identifier: Apache-2.0
out gl_PerVertex { vec4 gl_Position; };
layout(location=0) in vec4 in0;
layout(location=1) in vec4 in1;
layout(location=2) in vec4 in2;
layout(location=3) in vec4 in3;
void main()
{
	gl_Position = in0 + in1 + in2 + in3;
}

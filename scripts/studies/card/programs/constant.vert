#version 450
// SPDX-License-Identifier: Apache-2.0
out gl_PerVertex { vec4 gl_Position; };
void main()
{
	gl_Position = vec4(0, 0, 0.5, 1);
}

#version 450
// SPDX-License-Identifier: Apache-2.0
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
out gl_PerVertex { vec4 gl_Position; };
void main()
{
	gl_Position = vec4(0, 0, 0.4, 1);
	EmitVertex();
	gl_Position = vec4(0, 0, 0.5, 1);
	EmitVertex();
	gl_Position = vec4(0, 1e-10, 0.6, 1);
	EmitVertex();
	EndPrimitive();
}

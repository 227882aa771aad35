#version 450
// SPDX-License-Identifier: Apache-2.0
out gl_PerVertex { vec4 gl_Position; };
struct one_type { vec3 place; uint halves; };
struct two_type { vec2 texel; uint normal; uint colour; };
layout(std430,binding=0) readonly buffer B0 { one_type one[]; };
layout(std430,binding=1) readonly buffer B1 { two_type two[]; };
void main()
{
	one_type first = one[gl_VertexIndex];
	two_type second = two[gl_VertexIndex];
	vec2 halves = unpackHalf2x16(first.halves);
	gl_Position = vec4(first.place, halves.y) * unpackUnorm4x8(second.colour) *
	              vec4(unpackHalf2x16(second.normal), halves.x, 1) * vec4(second.texel, 1, 1);
}

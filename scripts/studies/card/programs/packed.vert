#version 450
// SPDX-License-Identifier: Apache-2.0
out gl_PerVertex { vec4 gl_Position; };
layout(location=0) in uvec4 first;
layout(location=1) in uvec4 second;
void main()
{
	vec2 halves = unpackHalf2x16(first.w);
	vec4 place = vec4(uintBitsToFloat(first.xyz), halves.y);
	vec3 normal = vec3(unpackHalf2x16(second.z), halves.x);
	vec4 colour = unpackUnorm4x8(second.w);
	vec2 texel = uintBitsToFloat(second.xy);
	gl_Position = place * colour * vec4(normal, 1) * vec4(texel, 1, 1);
}

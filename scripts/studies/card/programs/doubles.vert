#version 450
// SPDX-License-Identifier: Apache-2.0
out gl_PerVertex { vec4 gl_Position; };
layout(location=0) in uvec4 first;
layout(location=1) in uvec4 second;
layout(location=2) in uvec4 third;
layout(std430,binding=0) readonly buffer B0 { dmat4 matrix[]; };
layout(binding=1) uniform U { dmat4 view; mat4 projection; };
layout(location=0) out vec3 eye_place;
layout(location=1) out vec3 eye_normal;
layout(location=2) out vec4 out_colour;
layout(location=3) out vec2 out_texel;
void main()
{
	vec2 halves = unpackHalf2x16(second.w);
	dvec4 place = dvec4(packDouble2x32(first.xy), packDouble2x32(first.zw), packDouble2x32(second.xy), halves.y);
	vec3 normal = vec3(unpackHalf2x16(second.z), halves.x);
	vec4 colour = unpackUnorm4x8(third.z);
	vec2 texel = uintBitsToFloat(third.xy);
	dmat4 m = matrix[gl_VertexIndex / 3];
	vec4 eye = vec4(view * m * place);
	eye_normal = mat3(view) * mat3(m) * normal;
	gl_Position = projection * eye;
	eye_place = eye.xyz;
	out_colour = colour;
	out_texel = texel;
}

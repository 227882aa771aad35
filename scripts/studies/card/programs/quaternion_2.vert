#version 450
// SPDX-License-Identifier: Apache-2.0
out gl_PerVertex { vec4 gl_Position; };
layout(location=0) in uvec4 first;
layout(location=1) in uvec4 second;
layout(std430,binding=0) readonly buffer B0 { vec4 turns[]; };
layout(binding=1) uniform U { mat4 view; mat4 projection; mat3 normal_view; };
layout(location=0) out vec3 eye_place;
layout(location=1) out vec3 eye_normal;
layout(location=2) out vec4 out_colour;
layout(location=3) out vec2 out_texel;
void main()
{
	vec2 halves = unpackHalf2x16(first.w);
	vec4 place = vec4(uintBitsToFloat(first.xyz), halves.y);
	vec3 normal = vec3(unpackHalf2x16(second.z), halves.x);
	vec4 colour = unpackUnorm4x8(second.w);
	vec2 texel = uintBitsToFloat(second.xy);
	int i = gl_VertexIndex / 3 * 2;
	vec4 q = turns[i];
	vec3 moved = turns[i + 1].xyz;
	vec3 world = place.xyz + 2 * cross(q.xyz, cross(q.xyz, place.xyz) + q.w * place.xyz) + moved;
	eye_normal = mat3(view) * (normal + 2 * cross(q.xyz, cross(q.xyz, normal) + q.w * normal));
	vec4 eye = vec4(mat3(view) * world + view[3].xyz, 1);
	gl_Position = projection * eye;
	eye_place = eye.xyz;
	out_colour = colour;
	out_texel = texel;
}

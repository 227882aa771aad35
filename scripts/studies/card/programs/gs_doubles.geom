#version 450
// SPDX-License-Identifier: Apache-2.0
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
out gl_PerVertex { vec4 gl_Position; };
layout(location=0) in uvec4 first_in[];
layout(location=1) in uvec4 second_in[];
layout(location=2) in uvec4 third_in[];
layout(location=3) in int number[];
layout(std430,binding=0) readonly buffer B0 { dmat4 matrix[]; };
layout(binding=1) uniform U { dmat4 view; mat4 projection; };
layout(location=0) out vec3 eye_place;
layout(location=1) out vec3 eye_normal;
layout(location=2) out vec4 out_colour;
layout(location=3) out vec2 out_texel;
void main()
{
	dmat4 m = matrix[number[0] / 3];
	for (int i = 0; i < 3; ++i) {
		uvec4 first = first_in[i];
		uvec4 second = second_in[i];
		uvec4 third = third_in[i];
		vec2 halves = unpackHalf2x16(second.w);
		dvec4 place = dvec4(packDouble2x32(first.xy), packDouble2x32(first.zw), packDouble2x32(second.xy), halves.y);
		vec3 normal = vec3(unpackHalf2x16(second.z), halves.x);
		vec4 colour = unpackUnorm4x8(third.z);
		vec2 texel = uintBitsToFloat(third.xy);
		vec4 eye = vec4(view * m * place);
		eye_normal = mat3(view) * mat3(m) * normal;
		gl_Position = projection * eye;
		eye_place = eye.xyz;
		out_colour = colour;
		out_texel = texel;
		EmitVertex();
	}
}

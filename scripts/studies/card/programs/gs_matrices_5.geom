#version 450
// SPDX-License-Identifier: Apache-2.0
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
out gl_PerVertex { vec4 gl_Position; };
layout(std430,binding=0) readonly buffer B0 { uvec4 one[]; };
layout(std430,binding=1) readonly buffer B1 { uvec4 two[]; };
layout(std430,binding=2) readonly buffer B2 { mat4 matrix[]; };
layout(std430,binding=3) readonly buffer B3 { mat3 normals[]; };
layout(binding=4) uniform U { mat4 view; mat4 projection; mat3 normal_view; };
layout(location=0) flat in int number[];
void main()
{
	mat4 m = projection * view * matrix[number[0] / 3];
	mat3 n = normal_view * normals[number[0] / 3];
	for (int i = 0; i < 3; ++i) {
		uvec4 first = one[number[i]];
		uvec4 second = two[number[i]];
		vec2 halves = unpackHalf2x16(first.w);
		vec4 place = vec4(uintBitsToFloat(first.xyz), halves.y);
		vec3 normal = vec3(unpackHalf2x16(second.z), halves.x);
		vec4 colour = unpackUnorm4x8(second.w);
		vec2 texel = uintBitsToFloat(second.xy);
		gl_Position = m * place * colour * vec4(n * normal, 1) * vec4(texel, 1, 1);
		EmitVertex();
	}
}

#version 450
// SPDX-License-Identifier: Apache-2.0
out gl_PerVertex { vec4 gl_Position; };
layout(location=0) in vec4 place;
layout(location=1) in vec3 normal;
layout(location=2) in vec4 colour;
layout(location=3) in vec2 texel;
layout(std430,binding=0) readonly buffer B0 { mat4 matrix[]; };
layout(std430,binding=1) readonly buffer B1 { mat3 normals[]; };
layout(binding=2) uniform U { mat4 view; mat4 projection; mat3 normal_view; };
layout(location=0) out vec3 eye_place;
layout(location=1) out vec3 eye_normal;
layout(location=2) out vec4 out_colour;
layout(location=3) out vec2 out_texel;
void main()
{
	vec4 eye = view * matrix[gl_VertexIndex / 3] * place;
	eye_normal = normal_view * normals[gl_VertexIndex / 3] * normal;
	gl_Position = projection * eye;
	eye_place = eye.xyz;
	out_colour = colour;
	out_texel = texel;
}

#version 450
// SPDX-License-Identifier: Apache-2.0
out gl_PerVertex { vec4 gl_Position; };
layout(location=0) in vec4 place;
layout(location=1) in vec3 normal;
layout(location=2) in vec4 colour;
layout(location=3) in vec2 texel;
layout(std430,binding=0) readonly buffer B0 { mat4 matrix[]; };
layout(binding=1) uniform U { mat4 view; mat4 projection; mat3 normal_view; };
layout(location=0) out vec3 eye_place;
layout(location=1) out vec3 eye_normal;
layout(location=2) out vec4 out_colour;
layout(location=3) out vec2 out_texel;
void main()
{
	mat4 m = matrix[gl_VertexIndex / 3];
	vec4 eye = view * m * place;
	eye_normal = mat3(view) * mat3(m) * normal;
	gl_Position = projection * eye;
	eye_place = eye.xyz;
	out_colour = colour;
	out_texel = texel;
}

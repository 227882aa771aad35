#version 460
// SPDX-License-Identifier: Apache-2.0
// A CAD model's vertex: position, normal and EXTRA vectors; with CLIPPING three planes. PACKED: all of it in 16 bytes. FIXED:
// matrices and planes are constants (the driver for Pascal keeps them in memory).
out gl_PerVertex { vec4 gl_Position;
#ifdef CLIPPING
	float gl_ClipDistance[3];
#endif
};
layout(location=0) in vec4 position;
#ifndef PACKED
layout(location=1) in vec4 normal;
layout(location=2) in vec4 extra[EXTRA];
#endif
#ifdef FIXED
const mat4 world = mat4(1), view = mat4(1), normals = mat4(1);
const vec4 planes[3] = { vec4(0, 0, -1, 0.5), vec4(0, 0, 0, 1), vec4(0, 0, 0, 1) };
#else
layout(binding=0) uniform U { mat4 world; mat4 view; mat4 normals; vec4 planes[3]; };
#endif
#ifdef PACKED
layout(location=0) out vec4 colour;
vec3 place;
#else
layout(location=0) out vec3 place;
layout(location=1) out vec3 turned;
layout(location=2) flat out uint meshlet;
layout(location=3) out vec4 passed[EXTRA];
#endif
void main()
{
	place = (world * vec4(position.xyz, 1)).xyz;
	gl_Position = view * vec4(place, 1);
#ifdef CLIPPING
	for (int k = 0; k < 3; ++k) gl_ClipDistance[k] = dot(planes[k], vec4(place, 1));
#endif
#ifdef PACKED
	colour = vec4(mat3(normals) * unpackSnorm4x8(floatBitsToUint(position.w)).xyz, 1);
#else
	turned = mat3(normals) * normal.xyz;
	meshlet = 0;
	for (int k = 0; k < EXTRA; ++k) passed[k] = extra[k];
#endif
}
